using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message of few numbers is written by code of its own where the window has room for the largest one.</summary>
public class SmallMessageTests
{
    [Fact]
    public void It_is_refused_when_it_was_released()
    {
        var message = Small.Rent();
        message.Parse(Samples.Small());
        message.Dispose();
        using var next = Small.Rent();
        next.Parse(Samples.Small());
        var writer = new WindowWriter(100);
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(writer));
        Assert.Throws<ObjectDisposedException>(() => message.CalculateSize());
        Assert.Throws<ObjectDisposedException>(() => default(Message<Small>).WriteTo(writer));
        Assert.Throws<ObjectDisposedException>(() => default(Message<Small>).CalculateSize());
        Assert.Equal(0, writer.Written.Length);
    }
}

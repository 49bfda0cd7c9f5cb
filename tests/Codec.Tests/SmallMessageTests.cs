using Google.Protobuf;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Codec.Tests;

/// <summary>A message of few numbers is written by code of its own where the window has room for the largest one.</summary>
public class SmallMessageTests
{
    [Fact]
    public void It_is_written_as_Google_writes_it_into_a_window_of_any_size()
    {
        int[] ids = [0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152, int.MaxValue, -1, int.MinValue];
        foreach (var id in ids)
        {
            foreach (var number in new[] { 0, 2.5, double.NaN, double.Epsilon })
            {
                var google = new Gpb.Small { Id = id, Value = number, Flag = id % 2 == 0 };
                using var message = Small.Rent();
                var small = message.Value;
                small.SetId(id);
                small.SetValue(number);
                small.SetFlag(google.Flag);
                Assert.Equal(google.CalculateSize(), message.CalculateSize());
                for (var window = 1; window < 48; window++)
                {
                    var writer = new WindowWriter(window);
                    message.WriteTo(writer);
                    Assert.Equal(google.ToByteArray(), writer.Written);
                }
            }
        }
    }

    [Fact]
    public void Its_unknown_fields_are_written()
    {
        byte[] wire = [.. Wide.Small(), 0xA0, 0x06, 1, 0xA2, 0x06, 2, 3, 4];
        using var message = Small.Rent();
        message.Parse(wire);
        var writer = new WindowWriter(100);
        message.WriteTo(writer);
        Assert.Equal(wire, writer.Written);
        Assert.Equal(wire.Length, message.CalculateSize());
    }

    [Fact]
    public void It_is_refused_when_it_was_released()
    {
        var message = Small.Rent();
        message.Parse(Wide.Small());
        message.Dispose();
        using var next = Small.Rent();
        next.Parse(Wide.Small());
        var writer = new WindowWriter(100);
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(writer));
        Assert.Throws<ObjectDisposedException>(() => message.CalculateSize());
        Assert.Throws<ObjectDisposedException>(() => default(Message<Small>).WriteTo(writer));
        Assert.Throws<ObjectDisposedException>(() => default(Message<Small>).CalculateSize());
        Assert.Empty(writer.Written);
    }

    [Fact]
    public void It_is_refused_when_it_is_released_while_a_window_is_asked_for()
    {
        var message = Small.Rent();
        message.Parse(Wide.Small());
        var next = default(Message<Small>);
        var writer = new WindowWriter(100)
        {
            Asked = () =>
            {
                message.Dispose();
                next = Small.Rent();
                next.Parse(Wide.Small());
            }
        };
        Assert.Throws<ObjectDisposedException>(() => message.WriteTo(writer));
        Assert.Empty(writer.Written);
        Assert.All(writer.Window, left => Assert.Equal(0xEE, left));
        next.Dispose();
    }
}

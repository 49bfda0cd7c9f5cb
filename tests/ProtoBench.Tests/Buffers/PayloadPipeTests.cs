using System.Buffers;
using ProtoBench.Buffers;

namespace ProtoBench.Tests.Buffers;

public class PayloadPipeTests
{
    [Fact]
    public async Task A_read_holds_what_is_left_and_a_rewound_pipe_everything()
    {
        var pipe = new PayloadPipe(Segments.Of(new byte[] { 1, 2, 3, 4, 5 }, 2));
        Assert.True(pipe.TryRead(out var read));
        Assert.True(read.IsCompleted);
        Assert.Equal([1, 2, 3, 4, 5], read.Buffer.ToArray());
        pipe.AdvanceTo(read.Buffer.GetPosition(3));
        Assert.Equal([4, 5], (await pipe.ReadAsync(TestContext.Current.CancellationToken)).Buffer.ToArray());
        Assert.Equal(5, (await pipe.Rewind().ReadAsync(TestContext.Current.CancellationToken)).Buffer.Length);
    }

    [Fact]
    public void A_sink_gives_what_its_pipe_took_since_the_last_access()
    {
        var sink = new Sink();
        sink.PW.Write(new byte[] { 1, 2, 3 });
        var to = sink.PW;
        to.Write(new byte[10_000]);
        Assert.Equal(10_000, to.UnflushedBytes);
        Assert.Equal(new byte[10_000], sink.ToArray());
    }
}

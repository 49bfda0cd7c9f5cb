using ProtoBench.Buffers;

namespace ProtoBench.Tests.Buffers;

public class SinkTests
{
    [Fact]
    public void A_sink_is_empty_at_each_access()
    {
        var sink = new Sink();
        sink.BW.GetSpan(3)[0] = 7;
        sink.BW.Advance(1);
        Assert.Equal(0, sink.BW.WrittenCount);
        sink.MS.WriteByte(7);
        Assert.Equal(0, sink.MS.Length);
        sink.CS.WriteByte(7);
        Assert.Equal(0, sink.CS.Length);
    }

    [Fact]
    public void A_reused_sink_allocates_nothing()
    {
        var sink = new Sink();
        var payload = new byte[300_000];
        void Write()
        {
            sink.MS.Write(payload);
            sink.CS.Write(payload);
            payload.CopyTo(sink.BW.GetSpan(payload.Length));
        }

        Write();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }
}

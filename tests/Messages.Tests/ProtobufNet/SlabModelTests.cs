using ProtoBench.Allocators;
using ProtoBench.Payloads;
using ProtoBench.Pbn;

namespace ProtoBench.Messages.Tests.ProtobufNet;

public class SlabModelTests
{
    [Fact]
    public void It_reads_and_writes_the_hive_and_a_reused_root_holds_nothing_of_the_last()
    {
        using var root = new SlabRequest();
        SlabModel.Instance.Read(Hive.Mixed(), root);
        SlabModel.Instance.Read(new MemoryStream(Hive.Request()), root);
        Assert.Equal(Gpb.GoogleHive.Fingerprint(Gpb.ForwardRequest.Parser.ParseFrom(Hive.Request())), root.Fingerprint());
        using var stream = new MemoryStream();
        SlabModel.Instance.Serialize(stream, root);
        Assert.Equal(Hive.Request(), stream.ToArray());

        using var response = new SlabResponse();
        SlabModel.Instance.Read(Hive.Response(), response);
        using var written = new MemoryStream();
        SlabModel.Instance.Serialize(written, response);
        Assert.Equal(Hive.Response(), written.ToArray());
    }

    [Fact]
    public void Reading_and_writing_again_allocates_nothing()
    {
        using var root = new SlabRequest();
        using var stream = new MemoryStream(1 << 20);
        ReadOnlyMemory<byte> wire = Hive.Request();
        void Run()
        {
            SlabModel.Instance.Read(wire, root);
            stream.SetLength(0);
            SlabModel.Instance.Serialize(stream, root);
        }

        for (var warm = 0; warm < 3; warm++)
            Run();
        Assert.Equal(0, AllocatedBytes.Of(Run));
    }

    [Fact]
    public void Every_truncation_is_refused_or_read_and_nothing_stays_out_under_the_twin()
    {
        using var pool = new DiagnosticSlabPool(SlabPool.Create());
        var wire = Hive.Request(35);
        for (var length = 0; length < wire.Length; length++)
        {
            using var root = new SlabRequest(pool);
            try
            {
                SlabModel.Instance.Read(wire.AsMemory(0, length), root);
            }
            catch (Exception e) when (e is EndOfStreamException or ProtoBuf.ProtoException or InvalidOperationException)
            {
                // cut in the middle of a field
            }
        }

        pool.ThrowIfOutstanding();
    }
}

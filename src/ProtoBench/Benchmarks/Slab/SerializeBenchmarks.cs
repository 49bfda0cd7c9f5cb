using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestSlab_MS() { var to = Sink.MS; SlabMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestSlab_CS() { var to = Sink.CS; SlabMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeRequestSlab_BA() => SlabMessages.Request.ToByteArray();
    [Benchmark] public long SerializeRequestSlab_BW() { var to = Sink.BW; SlabMessages.Request.WriteTo(to); return to.WrittenCount; }

    [Benchmark] public long SerializeResponseSlab_MS() { var to = Sink.MS; SlabMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseSlab_CS() { var to = Sink.CS; SlabMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeResponseSlab_BA() => SlabMessages.Response.ToByteArray();
    [Benchmark] public long SerializeResponseSlab_BW() { var to = Sink.BW; SlabMessages.Response.WriteTo(to); return to.WrittenCount; }

    [Benchmark] public long SerializeMixedSlab_MS() { var to = Sink.MS; SlabMessages.Mixed.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeMixedSlab_CS() { var to = Sink.CS; SlabMessages.Mixed.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeMixedSlab_BA() => SlabMessages.Mixed.ToByteArray();
    [Benchmark] public long SerializeMixedSlab_BW() { var to = Sink.BW; SlabMessages.Mixed.WriteTo(to); return to.WrittenCount; }
}

using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

/// <summary>A message to bytes. Each cell returns the bytes written.</summary>
public partial class SerializeBenchmarks
{
    public Sink Sink { get; } = new();

    [Benchmark] public long SerializeRequestGoogle_MS() { var to = Sink.MS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestGoogle_CS() { var to = Sink.CS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeRequestGoogle_BA() => GoogleMessages.Request.ToByteArray();
    [Benchmark(Baseline = true)] public long SerializeRequestGoogle_BW() { var to = Sink.BW; GoogleMessages.Request.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestGoogle_BW_Cold() { var to = Sink.BW; GoogleMessages.ColdRequest.Next.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestGoogle_MS_H() { var to = Sink.MS; GoogleMessages.RequestOnSlab.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);

    [Benchmark] public long SerializeResponseGoogle_MS() { var to = Sink.MS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseGoogle_CS() { var to = Sink.CS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeResponseGoogle_BA() => GoogleMessages.Response.ToByteArray();
    [Benchmark(Baseline = true)] public long SerializeResponseGoogle_BW() { var to = Sink.BW; GoogleMessages.Response.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeResponseGoogle_MS_H() { var to = Sink.MS; GoogleMessages.ResponseOnSlab.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);

    [Benchmark(Baseline = true)] public long SerializeMixedGoogle_BW() { var to = Sink.BW; GoogleMessages.Mixed.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

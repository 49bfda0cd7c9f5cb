using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>Messages that are nested deep: whether the time grows with the depth or with its square. Read cells return the message, the
/// others bytes.</summary>
public class DeepBenchmarks : ISizedCells
{
    byte[] wire = [];
    Message<SlabProtobuf.Animal> last;

    /// <summary>How many messages are inside of the outermost.</summary>
    [Params(12, 25, 50, 99)]
    public int Depth { get; set; }

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => Deep.Message(Depth).Length;

    [GlobalSetup]
    public void Setup() => wire = Deep.Message(Depth);

    [Benchmark(Baseline = true), BenchmarkCategory("ReadDeep")] public Gpb.Animal ReadDeepGoogle() => Gpb.Animal.Parser.ParseFrom(wire);
    [Benchmark, BenchmarkCategory("ReadDeep")]
    public Message<SlabProtobuf.Animal> ReadDeepSlab() { last.Dispose(); last = SlabProtobuf.Animal.Rent(); last.Parse(wire); return last; }
    [Benchmark(Baseline = true), BenchmarkCategory("SizeDeep")] public long SizeDeepGoogle() => OfGoogle.ByDepth[Depth].CalculateSize();
    [Benchmark, BenchmarkCategory("SizeDeep")] public long SizeDeepSlab() => OfSlab.ByDepth[Depth].CalculateSize();
    [Benchmark(Baseline = true), BenchmarkCategory("WriteDeep")]
    public long WriteDeepGoogle() { var to = Sink.BW; OfGoogle.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteDeep")]
    public long WriteDeepSlab() { var to = Sink.BW; OfSlab.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    // A class each, so that a process loads only what its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.Animal[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Gpb.Animal.Parser.ParseFrom(Deep.Message(depth)))];
    }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Animal>[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Read(Deep.Message(depth)))];

        static Message<SlabProtobuf.Animal> Read(byte[] wire)
        {
            var message = SlabProtobuf.Animal.Rent();
            message.Parse(wire);
            return message;
        }
    }
}

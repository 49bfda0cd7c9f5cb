using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>A message of three scalar fields: what a message costs beside
/// its fields. Read cells return the message, the others bytes.</summary>
public class SmallBenchmarks : ISizedCells
{
    readonly byte[] wire = Wide.Small();
    Message<SlabProtobuf.Small> last;

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => wire.Length;

    [Benchmark(Baseline = true), BenchmarkCategory("ReadSmall")] public Gpb.Small ReadSmallGoogle() => Gpb.Small.Parser.ParseFrom(wire);
    [Benchmark, BenchmarkCategory("ReadSmall")]
    public Message<SlabProtobuf.Small> ReadSmallSlab() { last.Dispose(); last = SlabProtobuf.Small.Rent(); last.Parse(wire); return last; }
    [Benchmark(Baseline = true), BenchmarkCategory("SizeSmall")] public long SizeSmallGoogle() => OfGoogle.Message.CalculateSize();
    [Benchmark, BenchmarkCategory("SizeSmall")] public long SizeSmallSlab() => OfSlab.Message.CalculateSize();
    [Benchmark(Baseline = true), BenchmarkCategory("WriteSmall")]
    public long WriteSmallGoogle() { var to = Sink.BW; OfGoogle.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("WriteSmall")]
    public long WriteSmallSlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }

    // A class each, so that a process loads only what its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.Small Message = Gpb.Small.Parser.ParseFrom(Wide.Small());
    }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Small> Message = Read();

        static Message<SlabProtobuf.Small> Read()
        {
            var message = SlabProtobuf.Small.Rent();
            message.Parse(Wide.Small());
            return message;
        }
    }
}

using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Measures the same work with some percent more items, to find the smallest change that a method of measurement shows, and how
/// often it claims a change if there is none. Runs only when named.</summary>
[OnlyWhenNamed]
public class SensitivityBenchmarks
{
    readonly Message<SlabProtobuf.ForwardRequest> slab = SlabProtobuf.ForwardRequest.Rent();
    byte[] wire = [];

    [Params(0, 2, 5, 10)]
    public int Percent { get; set; }

    public int Items => Hive.Items * (100 + Percent) / 100;

    [GlobalSetup]
    public void Setup()
    {
        wire = Hive.Request(Items);
        slab.Parse(wire.AsSpan());
    }

    /// <summary>Allocates nothing. Returns the size of the message.</summary>
    [Benchmark(Baseline = true)] public long MeasureMore() => slab.CalculateSize();

    /// <summary>Allocates at least 770 KB.</summary>
    [Benchmark] public ForwardRequest DecodeMore() => ForwardRequest.Parser.ParseFrom(wire);
}

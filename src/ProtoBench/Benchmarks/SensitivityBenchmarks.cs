using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>The same work with some percent more of it, item by item: which change does a way of
/// measuring see, and how often does it claim one where there is none? Runs only when named.</summary>
[OnlyWhenNamed]
public class SensitivityBenchmarks
{
    readonly Message<SlabProtobuf.ForwardRequest> slab = SlabProtobuf.ForwardRequest.Rent();
    byte[] wire = [];

    [Params(0, 2, 5, 10)]
    public int Percent { get; set; }

    /// <summary>The items of the request.</summary>
    public int Items => Hive.Items * (100 + Percent) / 100;

    [GlobalSetup]
    public void Setup()
    {
        wire = Hive.Request(Items);
        slab.Parse(wire.AsSpan());
    }

    /// <summary>Allocates nothing. Returns the bytes of the message.</summary>
    [Benchmark(Baseline = true)] public long MeasureMore() => slab.CalculateSize();

    /// <summary>Allocates 770 KB and more.</summary>
    [Benchmark] public ForwardRequest DecodeMore() => ForwardRequest.Parser.ParseFrom(wire);
}

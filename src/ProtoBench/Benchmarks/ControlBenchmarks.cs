using BenchmarkDotNet.Attributes;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>The cell that each shard of a run measures, to compare the machines: Google.Protobuf reads the hive's request, which takes the
/// processor, its caches and the garbage collector. Runs only when named, and with <c>--shard</c>.</summary>
[OnlyWhenNamed]
public class ControlBenchmarks
{
    readonly byte[] wire = Hive.Request(Hive.Items);

    [Benchmark(Baseline = true)] public Gpb.ForwardRequest Control() => Gpb.ForwardRequest.Parser.ParseFrom(wire);
}

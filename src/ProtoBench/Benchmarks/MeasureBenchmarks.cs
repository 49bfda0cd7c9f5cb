using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

/// <summary>How many bytes would this message take? Each cell returns them.</summary>
public partial class MeasureBenchmarks
{
    [Benchmark(Baseline = true)] public long MeasureRequestGoogle() => GoogleMessages.Request.CalculateSize();
    [Benchmark] public long MeasureRequestGoogle_Cold() => GoogleMessages.ColdRequest.Next.CalculateSize();

    [Benchmark(Baseline = true)] public long MeasureResponseGoogle() => GoogleMessages.Response.CalculateSize();
}

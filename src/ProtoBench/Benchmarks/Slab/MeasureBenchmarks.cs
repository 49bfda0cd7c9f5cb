using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestSlab() => SlabMessages.Request.CalculateSize();

    [Benchmark] public long MeasureResponseSlab() => SlabMessages.Response.CalculateSize();
}

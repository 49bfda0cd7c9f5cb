using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;
using ProtoBench.Pbn;

namespace ProtoBench.Benchmarks;

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestPBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Request);

    [Benchmark] public long MeasureResponsePBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Response);
}

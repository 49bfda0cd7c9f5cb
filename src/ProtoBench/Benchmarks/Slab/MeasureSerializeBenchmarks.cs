using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;
using ProtoBench.Slab;

namespace ProtoBench.Benchmarks;

public partial class MeasureSerializeBenchmarks
{
    [Benchmark] public long MeasureSerializeRequestSlab_BW() => SlabHive.MeasureSerialize(SlabMessages.Request, Sink.BW);

    [Benchmark] public long MeasureSerializeResponseSlab_BW() => SlabHive.MeasureSerialize(SlabMessages.Response, Sink.BW);
}

using BenchmarkDotNet.Attributes;
using ProtoBench.Libraries;
using ProtoBench.Pbn;

namespace ProtoBench.Benchmarks;

public partial class MeasureSerializeBenchmarks
{
    [Benchmark] public long MeasureSerializeRequestPBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Request, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestPBN_BW_H() => SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.RequestOnSlab, Sink.BW);

    [Benchmark] public long MeasureSerializeResponsePBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Response, Sink.BW);
    [Benchmark] public long MeasureSerializeResponsePBN_BW_H() => SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.ResponseOnSlab, Sink.BW);
}

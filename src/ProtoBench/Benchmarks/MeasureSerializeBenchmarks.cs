using BenchmarkDotNet.Attributes;
using ProtoBench.Gpb;
using ProtoBench.Libraries;

namespace ProtoBench.Benchmarks;

/// <summary>What a gRPC marshaller does: the size first, then the message, then a check that both agree. Each cell returns the bytes written.</summary>
public partial class MeasureSerializeBenchmarks
{
    public Sink Sink { get; } = new();

    [Benchmark(Baseline = true)] public long MeasureSerializeRequestGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Request, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestGoogle_BW_Cold() => GoogleHive.MeasureSerialize(GoogleMessages.ColdRequest.Next, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.RequestOnSlab, Sink.BW);

    [Benchmark(Baseline = true)] public long MeasureSerializeResponseGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Response, Sink.BW);
    [Benchmark] public long MeasureSerializeResponseGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.ResponseOnSlab, Sink.BW);
}

using BenchmarkDotNet.Attributes;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class DeserializeTouchBenchmarks
{
    [Benchmark] public long DeserializeTouchRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).Touch();

    [Benchmark] public long DeserializeTouchResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).Touch();
}

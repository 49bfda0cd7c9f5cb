using BenchmarkDotNet.Attributes;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).Touch();

    [Benchmark] public long DeserializeStringsResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).Touch();

    [Benchmark] public long DeserializeStringsMixedPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM).Touch();
}

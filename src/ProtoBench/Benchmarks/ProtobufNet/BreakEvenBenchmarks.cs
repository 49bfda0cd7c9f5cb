using BenchmarkDotNet.Attributes;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class BreakEvenBenchmarks
{
    readonly SlabRequest pbnSlab = new();

    [Benchmark] public ForwardRequest Decode_PBN() => Serializer.Deserialize<ForwardRequest>((ReadOnlyMemory<byte>)wire);
    [Benchmark] public SlabRequest Decode_PBNSlab() => SlabModel.Instance.Read(wire, pbnSlab);
}

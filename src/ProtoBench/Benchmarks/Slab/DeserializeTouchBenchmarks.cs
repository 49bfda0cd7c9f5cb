using BenchmarkDotNet.Attributes;
using ProtoBench.Slab;

namespace ProtoBench.Benchmarks;

public partial class DeserializeTouchBenchmarks
{
    [Benchmark] public long DeserializeTouchRequestSlab_ROM() { using var message = Slab.ForwardRequest.Rent(); return message.Parse(Wire.Request.ROM).Touch(); }

    [Benchmark] public long DeserializeTouchResponseSlab_ROM() { using var message = Slab.ForwardResponse.Rent(); return message.Parse(Wire.Response.ROM).Touch(); }
}

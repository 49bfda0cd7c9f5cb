using BenchmarkDotNet.Attributes;
using ProtoBench.Slab;

namespace ProtoBench.Benchmarks;

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestSlab_ROM() { using var message = Slab.ForwardRequest.Rent(); return message.Parse(Wire.Request.ROM).TouchStrings(); }
    [Benchmark] public long DeserializeStringsRequestSlab_ROS() { using var message = Slab.ForwardRequest.Rent(); return message.Parse(Wire.Request.ROS).TouchStrings(); }

    [Benchmark] public long DeserializeStringsResponseSlab_ROM() { using var message = Slab.ForwardResponse.Rent(); return message.Parse(Wire.Response.ROM).Touch(); }
    [Benchmark] public long DeserializeStringsResponseSlab_ROS() { using var message = Slab.ForwardResponse.Rent(); return message.Parse(Wire.Response.ROS).Touch(); }

    [Benchmark] public long DeserializeStringsMixedSlab_ROM() { using var message = Slab.ForwardRequest.Rent(); return message.Parse(Wire.Mixed.ROM).TouchStrings(); }
    [Benchmark] public long DeserializeStringsMixedSlab_ROS() { using var message = Slab.ForwardRequest.Rent(); return message.Parse(Wire.Mixed.ROS).TouchStrings(); }
}

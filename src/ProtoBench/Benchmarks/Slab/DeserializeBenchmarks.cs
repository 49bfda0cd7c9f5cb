using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;

namespace ProtoBench.Benchmarks;

public partial class DeserializeBenchmarks
{
    // The message of the last operation. The next one releases it, rents again, parses: that is the whole life of a message in a service.
    Message<Slab.ForwardRequest> slabRequest = Slab.ForwardRequest.Rent();
    Message<Slab.ForwardResponse> slabResponse = Slab.ForwardResponse.Rent();

    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_ROM() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Request.ROM); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_MS() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Request.MS); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_CS() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Request.CS); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_ROS() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Request.ROS); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_ROM_A() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.ParseAlias(Wire.Request.ROM); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeRequestSlab_ROS_A() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.ParseAlias(Wire.Request.ROS); return slabRequest; }

    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_ROM() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.Parse(Wire.Response.ROM); return slabResponse; }
    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_MS() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.Parse(Wire.Response.MS); return slabResponse; }
    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_CS() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.Parse(Wire.Response.CS); return slabResponse; }
    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_ROS() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.Parse(Wire.Response.ROS); return slabResponse; }
    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_ROM_A() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.ParseAlias(Wire.Response.ROM); return slabResponse; }
    [Benchmark] public Message<Slab.ForwardResponse> DeserializeResponseSlab_ROS_A() { slabResponse.Dispose(); slabResponse = Slab.ForwardResponse.Rent(); slabResponse.ParseAlias(Wire.Response.ROS); return slabResponse; }

    [Benchmark] public Message<Slab.ForwardRequest> DeserializeMixedSlab_ROM() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Mixed.ROM); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeMixedSlab_ROS() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.Parse(Wire.Mixed.ROS); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeMixedSlab_ROM_A() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.ParseAlias(Wire.Mixed.ROM); return slabRequest; }
    [Benchmark] public Message<Slab.ForwardRequest> DeserializeMixedSlab_ROS_A() { slabRequest.Dispose(); slabRequest = Slab.ForwardRequest.Rent(); slabRequest.ParseAlias(Wire.Mixed.ROS); return slabRequest; }
}

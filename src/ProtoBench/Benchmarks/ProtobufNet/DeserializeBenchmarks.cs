using BenchmarkDotNet.Attributes;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class DeserializeBenchmarks
{
    readonly SlabRequest pbnRequest = new();
    readonly SlabResponse pbnResponse = new();

    [Benchmark] public ForwardRequest DeserializeRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_MS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.MS);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_CS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.CS);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_ROS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROS);
    [Benchmark] public SlabRequest DeserializeRequestPBN_ROM_H() => SlabModel.Instance.Read(Wire.Request.ROM, pbnRequest);
    [Benchmark] public SlabRequest DeserializeRequestPBN_MS_H() => SlabModel.Instance.Read(Wire.Request.MS, pbnRequest);

    [Benchmark] public ForwardResponse DeserializeResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_MS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.MS);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_CS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.CS);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_ROS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROS);
    [Benchmark] public SlabResponse DeserializeResponsePBN_ROM_H() => SlabModel.Instance.Read(Wire.Response.ROM, pbnResponse);
    [Benchmark] public SlabResponse DeserializeResponsePBN_MS_H() => SlabModel.Instance.Read(Wire.Response.MS, pbnResponse);

    [Benchmark] public ForwardRequest DeserializeMixedPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM);
}

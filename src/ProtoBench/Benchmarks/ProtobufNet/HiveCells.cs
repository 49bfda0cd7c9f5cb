using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;
using ProtoBench.Pbn;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

// protobuf-net in the hive's table.

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestPBN_MS() { var to = Sink.MS; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.Length; }
    [Benchmark] public long SerializeRequestPBN_CS() { var to = Sink.CS; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.Length; }
    [Benchmark] public long SerializeRequestPBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Request); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestPBN_MS_H() { var to = Sink.MS; SlabModel.Instance.Serialize(to, ProtobufNetMessages.RequestOnSlab); return to.Length; }

    [Benchmark] public long SerializeResponsePBN_MS() { var to = Sink.MS; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.Length; }
    [Benchmark] public long SerializeResponsePBN_CS() { var to = Sink.CS; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.Length; }
    [Benchmark] public long SerializeResponsePBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Response); return to.WrittenCount; }
    [Benchmark] public long SerializeResponsePBN_MS_H() { var to = Sink.MS; SlabModel.Instance.Serialize(to, ProtobufNetMessages.ResponseOnSlab); return to.Length; }

    [Benchmark] public long SerializeMixedPBN_BW() { var to = Sink.BW; Serializer.Serialize(to, ProtobufNetMessages.Mixed); return to.WrittenCount; }
}

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestPBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Request);

    [Benchmark] public long MeasureResponsePBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Response);
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark] public long MeasureSerializeRequestPBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Request, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestPBN_BW_H() => SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.RequestOnSlab, Sink.BW);

    [Benchmark] public long MeasureSerializeResponsePBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Response, Sink.BW);
    [Benchmark] public long MeasureSerializeResponsePBN_BW_H() => SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.ResponseOnSlab, Sink.BW);
}

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

public partial class DeserializeTouchBenchmarks
{
    [Benchmark] public long DeserializeTouchRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();

    [Benchmark] public long DeserializeTouchResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();

    [Benchmark] public long DeserializeStringsResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();

    [Benchmark] public long DeserializeStringsMixedPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM).ReadAll();
}

using System.Buffers;
using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;
using ProtoBench.Buffers;
using ProtoBench.Pbn;
using ProtoBench.Rpc;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

// protobuf-net in the hive's table.

public partial class SerializeBenchmarks
{
    [Benchmark]
    public long SerializeRequestPBN_MS()
    {
        var to = Sink.MS;
        Serializer.Serialize(to, ProtobufNetMessages.Request);
        return to.Length;
    }

    [Benchmark]
    public long SerializeRequestPBN_CS()
    {
        var to = Sink.CS;
        Serializer.Serialize(to, ProtobufNetMessages.Request);
        return to.Length;
    }

    [Benchmark]
    public long SerializeRequestPBN_BW()
    {
        var to = Sink.BW;
        Serializer.Serialize(to, ProtobufNetMessages.Request);
        return to.WrittenCount;
    }

    [Benchmark]
    public long SerializeRequestPBN_PW()
    {
        var to = Sink.PW;
        Serializer.Serialize(to, ProtobufNetMessages.Request);
        return to.UnflushedBytes;
    }

    [Benchmark]
    public long SerializeRequestPBN_MS_H()
    {
        var to = Sink.MS;
        SlabModel.Instance.Serialize(to, ProtobufNetMessages.RequestOnSlab);
        return to.Length;
    }

    [Benchmark]
    public long SerializeRequestPBN_BW_H()
    {
        var to = Sink.BW;
        SlabModel.Instance.Serialize(to, ProtobufNetMessages.RequestOnSlab);
        return to.WrittenCount;
    }

    [Benchmark]
    public long SerializeResponsePBN_MS()
    {
        var to = Sink.MS;
        Serializer.Serialize(to, ProtobufNetMessages.Response);
        return to.Length;
    }

    [Benchmark]
    public long SerializeResponsePBN_CS()
    {
        var to = Sink.CS;
        Serializer.Serialize(to, ProtobufNetMessages.Response);
        return to.Length;
    }

    [Benchmark]
    public long SerializeResponsePBN_BW()
    {
        var to = Sink.BW;
        Serializer.Serialize(to, ProtobufNetMessages.Response);
        return to.WrittenCount;
    }

    [Benchmark]
    public long SerializeResponsePBN_PW()
    {
        var to = Sink.PW;
        Serializer.Serialize(to, ProtobufNetMessages.Response);
        return to.UnflushedBytes;
    }

    [Benchmark]
    public long SerializeResponsePBN_MS_H()
    {
        var to = Sink.MS;
        SlabModel.Instance.Serialize(to, ProtobufNetMessages.ResponseOnSlab);
        return to.Length;
    }

    [Benchmark]
    public long SerializeResponsePBN_BW_H()
    {
        var to = Sink.BW;
        SlabModel.Instance.Serialize(to, ProtobufNetMessages.ResponseOnSlab);
        return to.WrittenCount;
    }

    [Benchmark]
    public long SerializeMixedPBN_BW()
    {
        var to = Sink.BW;
        Serializer.Serialize(to, ProtobufNetMessages.Mixed);
        return to.WrittenCount;
    }
}

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestPBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Request);
    [Benchmark] public long MeasureRequestPBN_H() => SlabModel.Instance.MeasureOnly(ProtobufNetMessages.RequestOnSlab);

    [Benchmark] public long MeasureResponsePBN() => ProtobufNetHive.Measure(ProtobufNetMessages.Response);
    [Benchmark] public long MeasureResponsePBN_H() => SlabModel.Instance.MeasureOnly(ProtobufNetMessages.ResponseOnSlab);
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark] public long MeasureSerializeRequestPBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Request, Sink.BW);
    [Benchmark]
    public long MeasureSerializeRequestPBN_BW_H() =>
        SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.RequestOnSlab, Sink.BW);

    [Benchmark] public long MeasureSerializeResponsePBN_BW() => ProtobufNetHive.MeasureSerialize(ProtobufNetMessages.Response, Sink.BW);
    [Benchmark]
    public long MeasureSerializeResponsePBN_BW_H() =>
        SlabModel.Instance.MeasureSerialize(ProtobufNetMessages.ResponseOnSlab, Sink.BW);
}

public partial class DeserializeBenchmarks
{
    readonly SlabRequest pbnRequest = new();
    readonly SlabResponse pbnResponse = new();

    // The first version of the published study, and its follow-up tables.
    readonly SlabRequest pbnArrayPool = new(new ArrayPoolLeaves(), ArrayPool<SlabRequestItem>.Shared);
    readonly SlabLeaves pbnLeaves = new(SlabPool.Shared);
    SlabRequest pbnThreadStatic = new();

    [Benchmark] public ForwardRequest DeserializeRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_MS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.MS);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_CS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.CS);
    [Benchmark] public ForwardRequest DeserializeRequestPBN_ROS() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROS);
    [Benchmark]
    public ForwardRequest DeserializeRequestPBN_PR()
    {
        var from = Wire.Request.PR;
        from.TryRead(out var read);
        var message = Serializer.Deserialize<ForwardRequest>(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark] public SlabRequest DeserializeRequestPBN_ROM_H() => SlabModel.Instance.Read(Wire.Request.ROM, pbnRequest);
    [Benchmark] public SlabRequest DeserializeRequestPBN_MS_H() => SlabModel.Instance.Read(Wire.Request.MS, pbnRequest);
    [Benchmark] public SlabRequest DeserializeRequestPBN_ROS_H() => SlabModel.Instance.Read(Wire.Request.ROS, pbnRequest);
    [Benchmark]
    public SlabRequest DeserializeRequestPBN_ROM_M() =>
        SlabModel.Instance.Read(Wire.Request.ROM, new SlabRequest(pbnLeaves, UnpooledArrays<SlabRequestItem>.Instance));
    [Benchmark]
    public SlabRequest DeserializeRequestPBN_ROM_T()
    {
        ThreadStaticRecycler<SlabRequest>.Instance.Return(pbnThreadStatic);
        pbnThreadStatic = ThreadStaticRecycler<SlabRequest>.Instance.Rent();
        return SlabModel.Instance.Read(Wire.Request.ROM, pbnThreadStatic);
    }

    [Benchmark] public SlabRequest DeserializeRequestPBN_ROM_P() => SlabModel.Instance.Read(Wire.Request.ROM, pbnArrayPool);

    [Benchmark] public ForwardResponse DeserializeResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_MS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.MS);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_CS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.CS);
    [Benchmark] public ForwardResponse DeserializeResponsePBN_ROS() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROS);
    [Benchmark]
    public ForwardResponse DeserializeResponsePBN_PR()
    {
        var from = Wire.Response.PR;
        from.TryRead(out var read);
        var message = Serializer.Deserialize<ForwardResponse>(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark] public SlabResponse DeserializeResponsePBN_ROM_H() => SlabModel.Instance.Read(Wire.Response.ROM, pbnResponse);
    [Benchmark] public SlabResponse DeserializeResponsePBN_MS_H() => SlabModel.Instance.Read(Wire.Response.MS, pbnResponse);
    [Benchmark] public SlabResponse DeserializeResponsePBN_ROS_H() => SlabModel.Instance.Read(Wire.Response.ROS, pbnResponse);

    [Benchmark] public ForwardRequest DeserializeMixedPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM);
    [Benchmark] public SlabRequest DeserializeMixedPBN_ROM_H() => SlabModel.Instance.Read(Wire.Mixed.ROM, pbnRequest);
}

public partial class DeserializeTouchBenchmarks
{
    readonly SlabRequest pbnRequest = new();
    readonly SlabResponse pbnResponse = new();

    [Benchmark] public long DeserializeTouchRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();
    [Benchmark] public long DeserializeTouchRequestPBN_ROM_H() => SlabModel.Instance.Read(Wire.Request.ROM, pbnRequest).ReadAll();

    [Benchmark] public long DeserializeTouchResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();
    [Benchmark] public long DeserializeTouchResponsePBN_ROM_H() => SlabModel.Instance.Read(Wire.Response.ROM, pbnResponse).ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM).ReadAll();

    [Benchmark] public long DeserializeStringsResponsePBN_ROM() => Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM).ReadAll();

    [Benchmark] public long DeserializeStringsMixedPBN_ROM() => Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM).ReadAll();
}

/// <summary>Has the messages that the serializing cells of protobuf-net write. Each is created when a cell of this process first uses
/// it.</summary>
static class ProtobufNetMessages
{
    public static ForwardRequest Request => OfRequest.Value;

    public static ForwardResponse Response => OfResponse.Value;

    public static ForwardRequest Mixed => OfMixed.Value;

    public static SlabRequest RequestOnSlab => OfRequestOnSlab.Value;

    public static SlabResponse ResponseOnSlab => OfResponseOnSlab.Value;

    static class OfRequest
    {
        public static readonly ForwardRequest Value = Serializer.Deserialize<ForwardRequest>(Wire.Request.ROM);
    }

    static class OfResponse
    {
        public static readonly ForwardResponse Value = Serializer.Deserialize<ForwardResponse>(Wire.Response.ROM);
    }

    static class OfRequestOnSlab
    {
        public static readonly SlabRequest Value = SlabModel.Instance.Read(Wire.Request.ROM, new SlabRequest());
    }

    static class OfResponseOnSlab
    {
        public static readonly SlabResponse Value = SlabModel.Instance.Read(Wire.Response.ROM, new SlabResponse());
    }

    static class OfMixed
    {
        public static readonly ForwardRequest Value = Serializer.Deserialize<ForwardRequest>(Wire.Mixed.ROM);
    }
}

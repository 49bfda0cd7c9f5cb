using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Benchmarks;

// The slab codec in the hive's table.

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestSlab_MS() { var to = Sink.MS; SlabMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestSlab_CS() { var to = Sink.CS; SlabMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeRequestSlab_BA() => SlabMessages.Request.ToByteArray();
    [Benchmark] public long SerializeRequestSlab_BW() { var to = Sink.BW; SlabMessages.Request.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestSlab_PW() { var to = Sink.PW; SlabMessages.Request.WriteTo(to); return to.UnflushedBytes; }

    [Benchmark] public long SerializeResponseSlab_MS() { var to = Sink.MS; SlabMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseSlab_CS() { var to = Sink.CS; SlabMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeResponseSlab_BA() => SlabMessages.Response.ToByteArray();
    [Benchmark] public long SerializeResponseSlab_BW() { var to = Sink.BW; SlabMessages.Response.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeResponseSlab_PW() { var to = Sink.PW; SlabMessages.Response.WriteTo(to); return to.UnflushedBytes; }

    [Benchmark] public long SerializeMixedSlab_MS() { var to = Sink.MS; SlabMessages.Mixed.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeMixedSlab_CS() { var to = Sink.CS; SlabMessages.Mixed.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeMixedSlab_BA() => SlabMessages.Mixed.ToByteArray();
    [Benchmark] public long SerializeMixedSlab_BW() { var to = Sink.BW; SlabMessages.Mixed.WriteTo(to); return to.WrittenCount; }
}

public partial class MeasureBenchmarks
{
    [Benchmark] public long MeasureRequestSlab() => SlabMessages.Request.CalculateSize();

    [Benchmark] public long MeasureResponseSlab() => SlabMessages.Response.CalculateSize();
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark] public long MeasureSerializeRequestSlab_BW() => SlabHive.MeasureSerialize(SlabMessages.Request, Sink.BW);

    [Benchmark] public long MeasureSerializeResponseSlab_BW() => SlabHive.MeasureSerialize(SlabMessages.Response, Sink.BW);
}

#pragma warning disable CA2012 // the pipe of PR is complete, so reading it completes synchronously
public partial class DeserializeBenchmarks
{
    // The message of the last operation. The next one releases it, rents a message and parses, which is the life cycle of a message in a
    // service.
    Message<SlabProtobuf.ForwardRequest> slabRequest = SlabProtobuf.ForwardRequest.Rent();
    Message<SlabProtobuf.ForwardResponse> slabResponse = SlabProtobuf.ForwardResponse.Rent();

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_ROM()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Request.ROM);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_MS()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Request.MS);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_CS()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Request.CS);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_ROS()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Request.ROS);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_PR()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        _ = slabRequest.ParseAsync(Wire.Request.PR).Result;
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_ROM_A()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.ParseAlias(Wire.Request.ROM);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeRequestSlab_ROS_A()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.ParseAlias(Wire.Request.ROS);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_ROM()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.Parse(Wire.Response.ROM);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_MS()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.Parse(Wire.Response.MS);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_CS()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.Parse(Wire.Response.CS);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_ROS()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.Parse(Wire.Response.ROS);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_PR()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        _ = slabResponse.ParseAsync(Wire.Response.PR).Result;
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_ROM_A()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.ParseAlias(Wire.Response.ROM);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardResponse> DeserializeResponseSlab_ROS_A()
    {
        slabResponse.Dispose();
        slabResponse = SlabProtobuf.ForwardResponse.Rent();
        slabResponse.ParseAlias(Wire.Response.ROS);
        return slabResponse;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeMixedSlab_ROM()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Mixed.ROM);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeMixedSlab_ROS()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.Parse(Wire.Mixed.ROS);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeMixedSlab_ROM_A()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.ParseAlias(Wire.Mixed.ROM);
        return slabRequest;
    }

    [Benchmark]
    public Message<SlabProtobuf.ForwardRequest> DeserializeMixedSlab_ROS_A()
    {
        slabRequest.Dispose();
        slabRequest = SlabProtobuf.ForwardRequest.Rent();
        slabRequest.ParseAlias(Wire.Mixed.ROS);
        return slabRequest;
    }
}

public partial class DeserializeTouchBenchmarks
{
    [Benchmark]
    public long DeserializeTouchRequestSlab_ROM()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Request.ROM).ReadAll();
    }

    [Benchmark]
    public long DeserializeTouchResponseSlab_ROM()
    {
        using var message = SlabProtobuf.ForwardResponse.Rent();
        return message.Parse(Wire.Response.ROM).ReadAll();
    }
}

public partial class DeserializeStringsBenchmarks
{
    // The texts of the message repeat with each message, as in a service that receives the same keys repeatedly.
    readonly Utf8StringPool strings = new();

    [Benchmark]
    public long DeserializeStringsRequestSlab_Pooled()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Request.ROM).ReadAllStrings(strings);
    }

    [Benchmark]
    public long DeserializeStringsMixedSlab_Pooled()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Mixed.ROM).ReadAllStrings(strings);
    }

    [Benchmark]
    public long DeserializeStringsRequestSlab_ROM()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Request.ROM).ReadAllStrings();
    }

    [Benchmark]
    public long DeserializeStringsRequestSlab_ROS()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Request.ROS).ReadAllStrings();
    }

    [Benchmark]
    public long DeserializeStringsResponseSlab_ROM()
    {
        using var message = SlabProtobuf.ForwardResponse.Rent();
        return message.Parse(Wire.Response.ROM).ReadAll();
    }

    [Benchmark]
    public long DeserializeStringsResponseSlab_ROS()
    {
        using var message = SlabProtobuf.ForwardResponse.Rent();
        return message.Parse(Wire.Response.ROS).ReadAll();
    }

    [Benchmark]
    public long DeserializeStringsMixedSlab_ROM()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Mixed.ROM).ReadAllStrings();
    }

    [Benchmark]
    public long DeserializeStringsMixedSlab_ROS()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(Wire.Mixed.ROS).ReadAllStrings();
    }
}

/// <summary>Has the messages that the serializing cells of the slab codec write. Each is created when a cell of this process first uses
/// it.</summary>
static class SlabMessages
{
    public static Message<ForwardRequest> Request => OfRequest.Value;

    public static Message<ForwardResponse> Response => OfResponse.Value;

    public static Message<ForwardRequest> Mixed => OfMixed.Value;

    /// <summary>Parses a message that is never released.</summary>
    public static Message<T> Parsed<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        var message = Message<T>.Rent();
        message.Parse(wire);
        return message;
    }

    static class OfRequest
    {
        public static readonly Message<ForwardRequest> Value = Parsed<ForwardRequest>(Wire.Request.BA);
    }

    static class OfResponse
    {
        public static readonly Message<ForwardResponse> Value = Parsed<ForwardResponse>(Wire.Response.BA);
    }

    static class OfMixed
    {
        public static readonly Message<ForwardRequest> Value = Parsed<ForwardRequest>(Wire.Mixed.BA);
    }
}

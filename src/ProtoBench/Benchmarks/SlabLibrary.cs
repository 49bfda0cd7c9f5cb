using System.Buffers;
using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Formats;
using ProtoBench.Libraries;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Benchmarks;

/// <summary>Registers the slab codec.</summary>
static class SlabLibrary
{
    public static MeasuredLibrary Entry { get; } = new()
    {
        Cell = "Slab",
        Label = "slab codec",
        Order = 20,
        Colour = 2,
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW", "Pooled"],
        MemoryForms = ["A"],
        Package = "ProtoBench.Codec",
        Assembly = typeof(WireFormatException).Assembly,
        ColorGroups = SlabColors.Format,
        Codec = new(
            static wire => SlabMessages.Parsed<SlabProtobuf.ForwardRequest>(wire),
            static wire => SlabMessages.Parsed<SlabProtobuf.ForwardResponse>(wire),
            static message => message is Message<SlabProtobuf.ForwardRequest> request
            ? request.ToByteArray() : ((Message<SlabProtobuf.ForwardResponse>)message).ToByteArray(),
            static message => message switch
            {
                Message<SlabProtobuf.ForwardRequest> request => request.Value.Fingerprint(),
                Message<SlabProtobuf.ForwardResponse> response => response.Value.Fingerprint(),
                _ => null,
            })
        {
            Written = LibraryCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };
}

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

public partial class PackedBenchmarks
{
    Message<SlabProtobuf.PackedFloats> slabFloat;
    Message<SlabProtobuf.PackedDoubles> slabDouble;
    Message<SlabProtobuf.PackedInt32s> slabInt32;
    Message<SlabProtobuf.PackedInt32s> slabSmall;
    Message<SlabProtobuf.PackedSInt64s> slabSInt64;

    Message<SlabProtobuf.PackedFloats> SlabFloat =>
        slabFloat == default ? slabFloat = Read<SlabProtobuf.PackedFloats>(floats) : slabFloat;

    Message<SlabProtobuf.PackedDoubles> SlabDouble =>
        slabDouble == default ? slabDouble = Read<SlabProtobuf.PackedDoubles>(doubles) : slabDouble;

    Message<SlabProtobuf.PackedInt32s> SlabInt32 =>
        slabInt32 == default ? slabInt32 = Read<SlabProtobuf.PackedInt32s>(int32s) : slabInt32;

    Message<SlabProtobuf.PackedInt32s> SlabSmall =>
        slabSmall == default ? slabSmall = Read<SlabProtobuf.PackedInt32s>(smalls) : slabSmall;

    Message<SlabProtobuf.PackedSInt64s> SlabSInt64 =>
        slabSInt64 == default ? slabSInt64 = Read<SlabProtobuf.PackedSInt64s>(sInt64s) : slabSInt64;

    [Benchmark, BenchmarkCategory("DeserializePackedFloat")]
    public Message<SlabProtobuf.PackedFloats> DeserializePackedFloatSlab()
    {
        slabFloat.Dispose();
        slabFloat = SlabProtobuf.PackedFloats.Rent();
        slabFloat.Parse(floats);
        return slabFloat;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedFloat")]
    public Message<SlabProtobuf.PackedFloats> DeserializePackedFloatSlab_Alias()
    {
        slabFloat.Dispose();
        slabFloat = SlabProtobuf.PackedFloats.Rent();
        slabFloat.ParseAlias(floats);
        return slabFloat;
    }

    [Benchmark, BenchmarkCategory("SerializePackedFloat")]
    public long SerializePackedFloatSlab() { var to = Sink.BW; SlabFloat.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MeasureSerializePackedFloat")]
    public long MeasureSerializePackedFloatSlab() => SlabHive.MeasureSerialize(SlabFloat, Sink.BW);

    [Benchmark, BenchmarkCategory("DeserializePackedDouble")]
    public Message<SlabProtobuf.PackedDoubles> DeserializePackedDoubleSlab()
    {
        slabDouble.Dispose();
        slabDouble = SlabProtobuf.PackedDoubles.Rent();
        slabDouble.Parse(doubles);
        return slabDouble;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedDouble")]
    public Message<SlabProtobuf.PackedDoubles> DeserializePackedDoubleSlab_Alias()
    {
        slabDouble.Dispose();
        slabDouble = SlabProtobuf.PackedDoubles.Rent();
        slabDouble.ParseAlias(doubles);
        return slabDouble;
    }

    [Benchmark, BenchmarkCategory("SerializePackedDouble")]
    public long SerializePackedDoubleSlab() { var to = Sink.BW; SlabDouble.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MeasureSerializePackedDouble")]
    public long MeasureSerializePackedDoubleSlab() => SlabHive.MeasureSerialize(SlabDouble, Sink.BW);

    [Benchmark, BenchmarkCategory("DeserializePackedInt32")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedInt32Slab()
    {
        slabInt32.Dispose();
        slabInt32 = SlabProtobuf.PackedInt32s.Rent();
        slabInt32.Parse(int32s);
        return slabInt32;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedInt32")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedInt32Slab_Alias()
    {
        slabInt32.Dispose();
        slabInt32 = SlabProtobuf.PackedInt32s.Rent();
        slabInt32.ParseAlias(int32s);
        return slabInt32;
    }

    [Benchmark, BenchmarkCategory("SerializePackedInt32")]
    public long SerializePackedInt32Slab() { var to = Sink.BW; SlabInt32.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MeasureSerializePackedInt32")]
    public long MeasureSerializePackedInt32Slab() => SlabHive.MeasureSerialize(SlabInt32, Sink.BW);

    [Benchmark, BenchmarkCategory("DeserializePackedSmall")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedSmallSlab()
    {
        slabSmall.Dispose();
        slabSmall = SlabProtobuf.PackedInt32s.Rent();
        slabSmall.Parse(smalls);
        return slabSmall;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSmall")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedSmallSlab_Alias()
    {
        slabSmall.Dispose();
        slabSmall = SlabProtobuf.PackedInt32s.Rent();
        slabSmall.ParseAlias(smalls);
        return slabSmall;
    }

    [Benchmark, BenchmarkCategory("SerializePackedSmall")]
    public long SerializePackedSmallSlab() { var to = Sink.BW; SlabSmall.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MeasureSerializePackedSmall")]
    public long MeasureSerializePackedSmallSlab() => SlabHive.MeasureSerialize(SlabSmall, Sink.BW);

    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")]
    public Message<SlabProtobuf.PackedSInt64s> DeserializePackedSInt64Slab()
    {
        slabSInt64.Dispose();
        slabSInt64 = SlabProtobuf.PackedSInt64s.Rent();
        slabSInt64.Parse(sInt64s);
        return slabSInt64;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")]
    public Message<SlabProtobuf.PackedSInt64s> DeserializePackedSInt64Slab_Alias()
    {
        slabSInt64.Dispose();
        slabSInt64 = SlabProtobuf.PackedSInt64s.Rent();
        slabSInt64.ParseAlias(sInt64s);
        return slabSInt64;
    }

    [Benchmark, BenchmarkCategory("SerializePackedSInt64")]
    public long SerializePackedSInt64Slab() { var to = Sink.BW; SlabSInt64.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MeasureSerializePackedSInt64")]
    public long MeasureSerializePackedSInt64Slab() => SlabHive.MeasureSerialize(SlabSInt64, Sink.BW);

    static Message<T> Read<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        var message = Message<T>.Rent();
        message.Parse(wire);
        return message;
    }
}

public partial class FormatBenchmarks
{
    Message<SlabProtobuf.ColorGroup> last;

    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalBySlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("Marshal")] public byte[] MarshalBySlab_BA() => OfSlab.Message.ToByteArray();

    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Message<SlabProtobuf.ColorGroup> UnmarshalBySlab()
    {
        last.Dispose();
        last = SlabProtobuf.ColorGroup.Rent();
        last.Parse(OfSlab.Bytes);
        return last;
    }

    [Benchmark, BenchmarkCategory("Unmarshal")] public ColorRow UnmarshalBySlab_Strings() => SlabColors.Strings(OfSlab.Bytes);

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.ColorGroup> Message = SlabColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = SlabColors.Format.WriteOne(ColorRow.Reds);
    }
}

public partial class FormatListBenchmarks
{
    Message<SlabProtobuf.ColorGroups> slab;
    Message<SlabProtobuf.ColorGroups> last;

    [GlobalSetup(Targets = [nameof(MarshalManyBySlab), nameof(UnmarshalManyBySlab)])]
    public void SetupSlab() => (slab, bytes) = (SlabColors.From(Set.Rows), SlabColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyBySlab() { var to = Sink.BW; slab.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public Message<SlabProtobuf.ColorGroups> UnmarshalManyBySlab()
    {
        last.Dispose();
        last = SlabProtobuf.ColorGroups.Rent();
        last.Parse(bytes);
        return last;
    }
}

public partial class WideBenchmarks
{
    [Benchmark, BenchmarkCategory("ReadWide20")]
    public Message<SlabProtobuf.Wide20> ReadWide20Slab()
    {
        OfSlab20.Last.Dispose();
        OfSlab20.Last = SlabProtobuf.Wide20.Rent();
        OfSlab20.Last.Parse(wide20);
        return OfSlab20.Last;
    }

    [Benchmark, BenchmarkCategory("WriteWide20")]
    public long WriteWide20Slab() { var to = Sink.BW; OfSlab20.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ReadWide50")]
    public Message<SlabProtobuf.Wide50> ReadWide50Slab()
    {
        OfSlab50.Last.Dispose();
        OfSlab50.Last = SlabProtobuf.Wide50.Rent();
        OfSlab50.Last.Parse(wide50);
        return OfSlab50.Last;
    }

    [Benchmark, BenchmarkCategory("WriteWide50")]
    public long WriteWide50Slab() { var to = Sink.BW; OfSlab50.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ReadWide100")]
    public Message<SlabProtobuf.Wide100> ReadWide100Slab()
    {
        OfSlab100.Last.Dispose();
        OfSlab100.Last = SlabProtobuf.Wide100.Rent();
        OfSlab100.Last.Parse(wide100);
        return OfSlab100.Last;
    }

    [Benchmark, BenchmarkCategory("WriteWide100")]
    public long WriteWide100Slab() { var to = Sink.BW; OfSlab100.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ReadWide200")]
    public Message<SlabProtobuf.Wide200> ReadWide200Slab()
    {
        OfSlab200.Last.Dispose();
        OfSlab200.Last = SlabProtobuf.Wide200.Rent();
        OfSlab200.Last.Parse(wide200);
        return OfSlab200.Last;
    }

    [Benchmark, BenchmarkCategory("WriteWide200")]
    public long WriteWide200Slab() { var to = Sink.BW; OfSlab200.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    static class OfSlab20
    {
        public static readonly Message<SlabProtobuf.Wide20>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(20, set)))];
        public static Message<SlabProtobuf.Wide20> Last;

        static Message<SlabProtobuf.Wide20> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide20.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab50
    {
        public static readonly Message<SlabProtobuf.Wide50>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(50, set)))];
        public static Message<SlabProtobuf.Wide50> Last;

        static Message<SlabProtobuf.Wide50> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide50.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab100
    {
        public static readonly Message<SlabProtobuf.Wide100>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(100, set)))];
        public static Message<SlabProtobuf.Wide100> Last;

        static Message<SlabProtobuf.Wide100> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide100.Rent();
            message.Parse(wire);
            return message;
        }
    }

    static class OfSlab200
    {
        public static readonly Message<SlabProtobuf.Wide200>[] All =
            [.. Enum.GetValues<WideSet>().Select(set => Read(Wide.Message(200, set)))];
        public static Message<SlabProtobuf.Wide200> Last;

        static Message<SlabProtobuf.Wide200> Read(byte[] wire)
        {
            var message = SlabProtobuf.Wide200.Rent();
            message.Parse(wire);
            return message;
        }
    }
}

public partial class SmallBenchmarks
{
    Message<SlabProtobuf.Small> last;

    [Benchmark, BenchmarkCategory("ReadSmall")]
    public Message<SlabProtobuf.Small> ReadSmallSlab() { last.Dispose(); last = SlabProtobuf.Small.Rent(); last.Parse(wire); return last; }
    [Benchmark, BenchmarkCategory("SizeSmall")] public long SizeSmallSlab() => OfSlab.Message.CalculateSize();
    [Benchmark, BenchmarkCategory("WriteSmall")]
    public long WriteSmallSlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Small> Message = Read();

        static Message<SlabProtobuf.Small> Read()
        {
            var message = SlabProtobuf.Small.Rent();
            message.Parse(Wide.Small());
            return message;
        }
    }
}

public partial class DeepBenchmarks
{
    Message<SlabProtobuf.Animal> last;

    [Benchmark, BenchmarkCategory("ReadDeep")]
    public Message<SlabProtobuf.Animal> ReadDeepSlab() { last.Dispose(); last = SlabProtobuf.Animal.Rent(); last.Parse(wire); return last; }
    [Benchmark, BenchmarkCategory("SizeDeep")] public long SizeDeepSlab() => OfSlab.ByDepth[Depth].CalculateSize();
    [Benchmark, BenchmarkCategory("WriteDeep")]
    public long WriteDeepSlab() { var to = Sink.BW; OfSlab.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.Animal>[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Read(Deep.Message(depth)))];

        static Message<SlabProtobuf.Animal> Read(byte[] wire)
        {
            var message = SlabProtobuf.Animal.Rent();
            message.Parse(wire);
            return message;
        }
    }
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    Message<TSlab> last;

    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetSlab() { var to = To; content.Slab.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab() { Renew(); last.Parse(content.Wire); return last; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public Message<TSlab> DeserializeSetSlab_Alias() { Renew(); last.ParseAlias(content.Wire); return last; }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab() { Renew(); return TSet.Touch(last.Parse(content.Wire)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Alias() { Renew(); return TSet.Touch(last.ParseAlias(content.Wire)); }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetSlab_Strings() { Renew(); return TSet.Strings(last.Parse(content.Wire)); }

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    sealed partial class Content
    {
        public Message<TSlab> Slab
        {
            get
            {
                if (field == default)
                {
                    field = Message<TSlab>.Rent();
                    field.Parse(Wire);
                }

                return field;
            }
        }
    }
}

/// <summary>Groups of colors with the slab codec. A group has no object, and strings stay UTF-8 in the memory of the message.</summary>
static class SlabColors
{
    public static ColorFormat Format { get; } = new(
        "Slab",
        row => ToArray(From(row)),
        bytes =>
        {
            var message = ColorGroup.Rent();
            message.Parse(bytes);
            return message;
        },
        rows => ToArray(From(rows)),
        bytes =>
        {
            var message = ColorGroups.Rent();
            message.Parse(bytes);
            return message;
        },
        message => message switch
        {
            Message<ColorGroup> group => [RowOf(group.Value)],
            Message<ColorGroups> groups => RowsOf(groups.Value),
            ColorRow row => [row],
            _ => null,
        });

    public static Message<ColorGroup> From(ColorRow row)
    {
        var message = ColorGroup.Rent();
        Fill(message.Value, row);
        return message;
    }

    public static Message<ColorGroups> From(IEnumerable<ColorRow> rows)
    {
        var message = ColorGroups.Rent();
        foreach (var row in rows)
            Fill(message.Value.AddGroups(), row);
        return message;
    }

    /// <summary>Reads, and converts every text to a .NET string, as the other formats do.</summary>
    public static ColorRow Strings(byte[] bytes)
    {
        using var message = ColorGroup.Rent();
        return RowOf(message.Parse(bytes));
    }

    static void Fill(ColorGroup group, ColorRow row)
    {
        group.SetId(row.Id);
        group.SetName(row.Name);
        foreach (var color in row.Colors)
            group.AddColors(color);
    }

    static byte[] ToArray<T>(Message<T> message)
        where T : struct, ISlabMessage<T>
    {
        using (message)
        {
            var writer = new ArrayBufferWriter<byte>();
            message.WriteTo(writer);
            return writer.WrittenSpan.ToArray();
        }
    }

    static List<ColorRow> RowsOf(ColorGroups groups)
    {
        var rows = new List<ColorRow>();
        foreach (var group in groups.Groups)
            rows.Add(RowOf(group));
        return rows;
    }

    static ColorRow RowOf(ColorGroup group)
    {
        var colors = new string[group.Colors.Count];
        for (var i = 0; i < colors.Length; i++)
            colors[i] = group.Colors[i].ToString();
        return new(group.Id, group.Name.ToString(), colors);
    }
}

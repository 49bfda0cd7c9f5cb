using System.Buffers;
using System.Runtime.CompilerServices;
using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;
using ProtoBench.Harness;
using ProtoBench.Payloads;
using ProtoBench.SlabProtobuf;

namespace ProtoBench.Benchmarks;

static class SlabLibrary
{
    public static MeasuredLibrary Entry { get; } = new("Slab", "slab codec", Order: 20, Package: "ProtoBench.Codec")
    {
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW", "Pooled"],
        MemoryForms = ["A"],
        Assembly = typeof(WireFormatException).Assembly,
        ColorGroups = SlabColors.Format,
        Codec = new(
            static wire => SlabMessages.Parsed<ForwardRequest>(wire),
            static wire => SlabMessages.Parsed<ForwardResponse>(wire),
            static message => message is Message<ForwardRequest> request
            ? request.ToByteArray() : ((Message<ForwardResponse>)message).ToByteArray(),
            static message => message switch
            {
                Message<ForwardRequest> request => request.Value.Fingerprint(),
                Message<ForwardResponse> response => response.Value.Fingerprint(),
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
    // The message of the last operation, which the next one releases.
    Message<ForwardRequest> slabRequest = ForwardRequest.Rent();
    Message<ForwardResponse> slabResponse = ForwardResponse.Rent();

    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_ROM() => SlabMessages.Read(ref slabRequest, Wire.Request.ROM);
    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_MS() => SlabMessages.Read(ref slabRequest, Wire.Request.MS);
    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_CS() => SlabMessages.Read(ref slabRequest, Wire.Request.CS);
    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_ROS() => SlabMessages.Read(ref slabRequest, Wire.Request.ROS);

    [Benchmark]
    public Message<ForwardRequest> DeserializeRequestSlab_PR()
    {
        SlabMessages.Renew(ref slabRequest);
        _ = slabRequest.ParseAsync(Wire.Request.PR).Result;
        return slabRequest;
    }

    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_ROM_A() => SlabMessages.Alias(ref slabRequest, Wire.Request.ROM);
    [Benchmark] public Message<ForwardRequest> DeserializeRequestSlab_ROS_A() => SlabMessages.Alias(ref slabRequest, Wire.Request.ROS);

    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_ROM() => SlabMessages.Read(ref slabResponse, Wire.Response.ROM);
    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_MS() => SlabMessages.Read(ref slabResponse, Wire.Response.MS);
    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_CS() => SlabMessages.Read(ref slabResponse, Wire.Response.CS);
    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_ROS() => SlabMessages.Read(ref slabResponse, Wire.Response.ROS);

    [Benchmark]
    public Message<ForwardResponse> DeserializeResponseSlab_PR()
    {
        SlabMessages.Renew(ref slabResponse);
        _ = slabResponse.ParseAsync(Wire.Response.PR).Result;
        return slabResponse;
    }

    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_ROM_A() => SlabMessages.Alias(ref slabResponse, Wire.Response.ROM);
    [Benchmark] public Message<ForwardResponse> DeserializeResponseSlab_ROS_A() => SlabMessages.Alias(ref slabResponse, Wire.Response.ROS);

    [Benchmark] public Message<ForwardRequest> DeserializeMixedSlab_ROM() => SlabMessages.Read(ref slabRequest, Wire.Mixed.ROM);
    [Benchmark] public Message<ForwardRequest> DeserializeMixedSlab_ROS() => SlabMessages.Read(ref slabRequest, Wire.Mixed.ROS);
    [Benchmark] public Message<ForwardRequest> DeserializeMixedSlab_ROM_A() => SlabMessages.Alias(ref slabRequest, Wire.Mixed.ROM);
    [Benchmark] public Message<ForwardRequest> DeserializeMixedSlab_ROS_A() => SlabMessages.Alias(ref slabRequest, Wire.Mixed.ROS);
}

public partial class DeserializeTouchBenchmarks
{
    Message<ForwardRequest> request;
    Message<ForwardResponse> response;

    [Benchmark] public long DeserializeTouchRequestSlab_ROM() => SlabMessages.Read(ref request, Wire.Request.ROM).Value.ReadAll();
    [Benchmark] public long DeserializeTouchResponseSlab_ROM() => SlabMessages.Read(ref response, Wire.Response.ROM).Value.ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    // The texts of the message repeat with each message, as in a service that receives the same keys repeatedly.
    readonly Utf8StringPool strings = new();
    Message<ForwardRequest> request;
    Message<ForwardResponse> response;

    [Benchmark]
    public long DeserializeStringsRequestSlab_Pooled() => SlabMessages.Read(ref request, Wire.Request.ROM).Value.ReadAllStrings(strings);
    [Benchmark]
    public long DeserializeStringsMixedSlab_Pooled() => SlabMessages.Read(ref request, Wire.Mixed.ROM).Value.ReadAllStrings(strings);
    [Benchmark] public long DeserializeStringsRequestSlab_ROM() => SlabMessages.Read(ref request, Wire.Request.ROM).Value.ReadAllStrings();
    [Benchmark] public long DeserializeStringsRequestSlab_ROS() => SlabMessages.Read(ref request, Wire.Request.ROS).Value.ReadAllStrings();
    [Benchmark] public long DeserializeStringsResponseSlab_ROM() => SlabMessages.Read(ref response, Wire.Response.ROM).Value.ReadAll();
    [Benchmark] public long DeserializeStringsResponseSlab_ROS() => SlabMessages.Read(ref response, Wire.Response.ROS).Value.ReadAll();
    [Benchmark] public long DeserializeStringsMixedSlab_ROM() => SlabMessages.Read(ref request, Wire.Mixed.ROM).Value.ReadAllStrings();
    [Benchmark] public long DeserializeStringsMixedSlab_ROS() => SlabMessages.Read(ref request, Wire.Mixed.ROS).Value.ReadAllStrings();
}

/// <summary>Each message is created when a cell of this process first uses it.</summary>
static class SlabMessages
{
    public static Message<ForwardRequest> Request => field == default ? field = Parsed<ForwardRequest>(Wire.Request.BA) : field;

    public static Message<ForwardResponse> Response => field == default ? field = Parsed<ForwardResponse>(Wire.Response.BA) : field;

    public static Message<ForwardRequest> Mixed => field == default ? field = Parsed<ForwardRequest>(Wire.Mixed.BA) : field;

    /// <summary>Parses a message that is never released.</summary>
    public static Message<T> Parsed<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        var message = Message<T>.Rent();
        message.Parse(wire);
        return message;
    }

    // The life cycle of a message in a service. It is inlined into cells, as the functions below are.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Renew<T>(ref Message<T> last)
        where T : struct, ISlabMessage<T>
    {
        last.Dispose();
        last = Message<T>.Rent();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Read<T>(ref Message<T> last, ReadOnlySpan<byte> wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.Parse(wire);
        return last;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Read<T>(ref Message<T> last, ReadOnlyMemory<byte> wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.Parse(wire);
        return last;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Read<T>(ref Message<T> last, in ReadOnlySequence<byte> wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.Parse(wire);
        return last;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Read<T>(ref Message<T> last, Stream wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.Parse(wire);
        return last;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Alias<T>(ref Message<T> last, ReadOnlyMemory<byte> wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.ParseAlias(wire);
        return last;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Alias<T>(ref Message<T> last, in ReadOnlySequence<byte> wire)
        where T : struct, ISlabMessage<T>
    {
        Renew(ref last);
        last.ParseAlias(wire);
        return last;
    }
}

public partial class PackedBenchmarks
{
    Message<PackedFloats> slabFloat;
    Message<PackedDoubles> slabDouble;
    Message<PackedInt32s> slabInt32;
    Message<PackedInt32s> slabSmall;
    Message<PackedSInt64s> slabSInt64;

    Message<PackedFloats> SlabFloat =>
        slabFloat == default ? slabFloat = SlabMessages.Parsed<PackedFloats>(floats) : slabFloat;

    Message<PackedDoubles> SlabDouble =>
        slabDouble == default ? slabDouble = SlabMessages.Parsed<PackedDoubles>(doubles) : slabDouble;

    Message<PackedInt32s> SlabInt32 =>
        slabInt32 == default ? slabInt32 = SlabMessages.Parsed<PackedInt32s>(int32s) : slabInt32;

    Message<PackedInt32s> SlabSmall =>
        slabSmall == default ? slabSmall = SlabMessages.Parsed<PackedInt32s>(smalls) : slabSmall;

    Message<PackedSInt64s> SlabSInt64 =>
        slabSInt64 == default ? slabSInt64 = SlabMessages.Parsed<PackedSInt64s>(sInt64s) : slabSInt64;

    [Benchmark] public Message<PackedFloats> DeserializePackedFloatSlab() => SlabMessages.Read(ref slabFloat, floats);
    [Benchmark] public Message<PackedFloats> DeserializePackedFloatSlab_Alias() => SlabMessages.Alias(ref slabFloat, floats);
    [Benchmark] public long SerializePackedFloatSlab() { var to = Sink.BW; SlabFloat.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long MeasureSerializePackedFloatSlab() => SlabHive.MeasureSerialize(SlabFloat, Sink.BW);
    [Benchmark] public Message<PackedDoubles> DeserializePackedDoubleSlab() => SlabMessages.Read(ref slabDouble, doubles);
    [Benchmark] public Message<PackedDoubles> DeserializePackedDoubleSlab_Alias() => SlabMessages.Alias(ref slabDouble, doubles);
    [Benchmark] public long SerializePackedDoubleSlab() { var to = Sink.BW; SlabDouble.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long MeasureSerializePackedDoubleSlab() => SlabHive.MeasureSerialize(SlabDouble, Sink.BW);
    [Benchmark] public Message<PackedInt32s> DeserializePackedInt32Slab() => SlabMessages.Read(ref slabInt32, int32s);
    [Benchmark] public Message<PackedInt32s> DeserializePackedInt32Slab_Alias() => SlabMessages.Alias(ref slabInt32, int32s);
    [Benchmark] public long SerializePackedInt32Slab() { var to = Sink.BW; SlabInt32.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long MeasureSerializePackedInt32Slab() => SlabHive.MeasureSerialize(SlabInt32, Sink.BW);
    [Benchmark] public Message<PackedInt32s> DeserializePackedSmallSlab() => SlabMessages.Read(ref slabSmall, smalls);
    [Benchmark] public Message<PackedInt32s> DeserializePackedSmallSlab_Alias() => SlabMessages.Alias(ref slabSmall, smalls);
    [Benchmark] public long SerializePackedSmallSlab() { var to = Sink.BW; SlabSmall.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long MeasureSerializePackedSmallSlab() => SlabHive.MeasureSerialize(SlabSmall, Sink.BW);
    [Benchmark] public Message<PackedSInt64s> DeserializePackedSInt64Slab() => SlabMessages.Read(ref slabSInt64, sInt64s);
    [Benchmark] public Message<PackedSInt64s> DeserializePackedSInt64Slab_Alias() => SlabMessages.Alias(ref slabSInt64, sInt64s);
    [Benchmark] public long SerializePackedSInt64Slab() { var to = Sink.BW; SlabSInt64.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long MeasureSerializePackedSInt64Slab() => SlabHive.MeasureSerialize(SlabSInt64, Sink.BW);
}

public partial class FormatBenchmarks
{
    Message<ColorGroup> last;

    [Benchmark] public long MarshalBySlab() { var to = Sink.BW; SlabColors.Reds.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public byte[] MarshalBySlab_BA() => SlabColors.Reds.ToByteArray();
    [Benchmark] public Message<ColorGroup> UnmarshalBySlab() => SlabMessages.Read(ref last, SlabColors.RedsBytes);
    [Benchmark] public ColorRow UnmarshalBySlab_Strings() => SlabColors.Strings(SlabColors.RedsBytes);
}

public partial class FormatListBenchmarks
{
    Message<ColorGroups> slab;
    Message<ColorGroups> last;

    [GlobalSetup(Targets = [nameof(MarshalManyBySlab), nameof(UnmarshalManyBySlab)])]
    public void SetupSlab() => (slab, bytes) = (SlabColors.From(Set.Rows), SlabColors.Format.WriteMany(Set.Rows));

    [Benchmark] public long MarshalManyBySlab() { var to = Sink.BW; slab.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public Message<ColorGroups> UnmarshalManyBySlab() => SlabMessages.Read(ref last, bytes);
}

public partial class WideBenchmarks
{
    [Benchmark] public Message<Wide20> ReadWide20Slab() => SlabMessages.Read(ref OfSlab<Wide20>.Last, wide20);
    [Benchmark] public long WriteWide20Slab() { var to = Sink.BW; OfSlab<Wide20>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark] public Message<Wide50> ReadWide50Slab() => SlabMessages.Read(ref OfSlab<Wide50>.Last, wide50);
    [Benchmark] public long WriteWide50Slab() { var to = Sink.BW; OfSlab<Wide50>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark] public Message<Wide100> ReadWide100Slab() => SlabMessages.Read(ref OfSlab<Wide100>.Last, wide100);
    [Benchmark] public long WriteWide100Slab() { var to = Sink.BW; OfSlab<Wide100>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark] public Message<Wide200> ReadWide200Slab() => SlabMessages.Read(ref OfSlab<Wide200>.Last, wide200);
    [Benchmark] public long WriteWide200Slab() { var to = Sink.BW; OfSlab<Wide200>.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    // One class for each message, so that a process makes only the messages of its cell.
    static class OfSlab<T>
        where T : struct, ISlabMessage<T>
    {
        public static readonly Message<T>[] All =
        [
            .. Enum.GetValues<WideSet>().Select(set => SlabMessages.Parsed<T>(
                Wide.Message(int.Parse(typeof(T).Name["Wide".Length..]), set))),
        ];

        public static Message<T> Last;
    }
}

public partial class SmallBenchmarks
{
    Message<Small> last;

    [Benchmark] public Message<Small> ReadSmallSlab() => SlabMessages.Read(ref last, wire);
    [Benchmark] public Message<Small> ReadSmallSlab_Reused() { OfSlab.Reused.Parse(wire); return OfSlab.Reused; }
    [Benchmark] public long SizeSmallSlab() => OfSlab.Message.CalculateSize();
    [Benchmark] public long WriteSmallSlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }

    static class OfSlab
    {
        public static readonly Message<Small> Message = SlabMessages.Parsed<Small>(Wide.Small());

        // a message that is rented once and parsed again, as a connection or a queue may keep one
        public static readonly Message<Small> Reused = SlabMessages.Parsed<Small>(Wide.Small());
    }
}

public partial class ShapeBenchmarks
{
    Message<Shapes> last;
    Message<Shapes>? ofSlab;

    [Benchmark] public Message<Shapes> ReadShapeSlab() => SlabMessages.Read(ref last, wire);
    [Benchmark]
    public long WriteShapeSlab() { var to = Sink.BW; (ofSlab ??= SlabMessages.Parsed<Shapes>(wire)).WriteTo(to); return to.WrittenCount; }
}

public partial class DeepBenchmarks
{
    Message<Animal> last;

    [Benchmark] public Message<Animal> ReadDeepSlab() => SlabMessages.Read(ref last, wire);
    [Benchmark] public long SizeDeepSlab() => OfSlab.ByDepth[Depth].CalculateSize();
    [Benchmark] public long WriteDeepSlab() { var to = Sink.BW; OfSlab.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    static class OfSlab
    {
        public static readonly Message<Animal>[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => SlabMessages.Parsed<Animal>(Deep.Message(depth)))];
    }
}

/// <summary>Groups of colors with the slab codec. A group has no object, and strings stay UTF-8 in the memory of the message.</summary>
static class SlabColors
{
    public static readonly Message<ColorGroup> Reds = From(ColorRow.Reds);
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => new(
        "Slab",
        row => ToArray(From(row)),
        bytes => SlabMessages.Parsed<ColorGroup>(bytes),
        rows => ToArray(From(rows)),
        bytes => SlabMessages.Parsed<ColorGroups>(bytes),
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
            return message.ToByteArray();
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

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    // The message of the last operation. The next one releases it, as a service does.
    Message<TSlab> last;

    static ComparedLibrary ComparedSlab => new("Slab", ComparedLibrary.VersionOf("ProtoBench.Codec", typeof(Message<TSlab>)), bytes =>
    {
        using var message = Message<TSlab>.Rent();
        message.Parse(bytes);
        return message.ToByteArray();
    })
    {
        Works = Works(plain => BySlab(made => TSet.Make(made, plain)), plain => BySlab(made => TSet.MakeNew(made, plain)), bytes =>
        {
            using var request = Message<TSlab>.Rent();
            request.Parse(bytes);
            return BySlab(made => TSet.Reply(made, request.Value));
        }),
    };

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Slab")]
    public long SerializeSetSlab() { var to = To; content.Slab.Next.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Slab")]
    public Message<TSlab> DeserializeSetSlab() { Renew(); last.Parse(content.Wire.Next); return last; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Slab")]
    public Message<TSlab> DeserializeSetSlab_Alias() { Renew(); last.ParseAlias(content.Wire.Next); return last; }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab() { Renew(); return TSet.Touch(last.Parse(content.Wire.Next)); }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab_Alias() { Renew(); return TSet.Touch(last.ParseAlias(content.Wire.Next)); }

    // The slab codec makes .NET strings when they are asked for: here all of them are. The other libraries make them while they read.
    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Slab")]
    public long DeserializeTouchSetSlab_Strings() { Renew(); return TSet.Strings(last.Parse(content.Wire.Next)); }

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Slab")]
    public long MakeSetSlab()
    {
        using var made = Message<TSlab>.Rent();
        TSet.Make(made.Value, content.Source.Next);
        var to = To;
        made.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Slab")]
    public long MakeNewSetSlab()
    {
        using var made = Message<TSlab>.Rent();
        TSet.MakeNew(made.Value, content.Source.Next);
        var to = To;
        made.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Slab")]
    public long ForwardSetSlab() { Renew(); last.Parse(content.Wire.Next); var to = To; last.WriteTo(to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Slab")]
    public long ForwardSetSlab_Alias()
    {
        Renew();
        last.ParseAlias(content.Wire.Next);
        var to = To;
        last.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Slab")]
    public long ServeSetSlab()
    {
        Renew();
        var request = last.Parse(content.Wire.Next);
        var sum = TSet.TouchThird(request);
        using var reply = Message<TSlab>.Rent();
        TSet.Reply(reply.Value, request);
        reply.WriteTo(To);
        return sum;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Slab")]
    public long ServeSetSlab_Strings()
    {
        Renew();
        var request = last.Parse(content.Wire.Next);
        var sum = TSet.StringsThird(request);
        using var reply = Message<TSlab>.Rent();
        TSet.Reply(reply.Value, request);
        reply.WriteTo(To);
        return sum;
    }

    void Renew()
    {
        last.Dispose();
        last = Message<TSlab>.Rent();
    }

    static byte[] BySlab(Action<TSlab> make)
    {
        using var made = Message<TSlab>.Rent();
        make(made.Value);
        return made.ToByteArray();
    }

    sealed partial class Content
    {
        public Cycle<Message<TSlab>> Slab => field ??= new([.. Messages.Select(Parsed)]);

        static Message<TSlab> Parsed(byte[] bytes)
        {
            var message = Message<TSlab>.Rent();
            message.Parse(bytes);
            return message;
        }
    }
}

using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.Gpb;
using ProtoBench.Harness;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers Google.Protobuf. It is the reference, and the baseline of each category.</summary>
static class GoogleLibrary
{
    public static MeasuredLibrary Entry { get; } = new("Google", "Google.Protobuf", Order: 0, Package: "Google.Protobuf")
    {
        Buffers = ["BA", "MS", "CS", "ROM", "ROS", "PR", "BW", "PW"],
        MemoryForms = ["H", "A"],
        Assembly = typeof(MessageParser).Assembly,
        ColorGroups = GoogleColors.Format,
        Codec = new(
            Gpb.ForwardRequest.Parser.ParseFrom,
            Gpb.ForwardResponse.Parser.ParseFrom,
            static message => ((IMessage)message).ToByteArray(),
            static message => message switch
            {
                Gpb.ForwardRequest request => request.Fingerprint(),
                Gpb.ForwardResponse response => response.Fingerprint(),
                _ => null,
            })
        {
            Written = LibraryCodec.ProtobufWritten(MixedOrder.Regular),
        },
    };

    // The response has no itemId, so there is one Gpb.ForwardResponse for both schemas.
    public static MeasuredLibrary Bytes { get; } = Entry with
    {
        Cell = "GoogleBytes",
        Label = "Google.Protobuf, bytes for strings",
        Order = 1,
        Buffers = ["BA"],
        MemoryForms = [],
        ColorGroups = null,
        Codec = Entry.Codec! with
        {
            ParseRequest = GpbBytes.ForwardRequest.Parser.ParseFrom,
            FingerprintOf = static message => message is GpbBytes.ForwardRequest request
            ? request.Fingerprint() : Entry.Codec!.FingerprintOf(message),
        },
    };
}

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestGoogle_MS() { var to = Sink.MS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeRequestGoogle_CS() { var to = Sink.CS; GoogleMessages.Request.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeRequestGoogle_BA() => GoogleMessages.Request.ToByteArray();
    [Benchmark(Baseline = true)]
    public long SerializeRequestGoogle_BW() { var to = Sink.BW; GoogleMessages.Request.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestGoogle_PW() { var to = Sink.PW; GoogleMessages.Request.WriteTo(to); return to.UnflushedBytes; }
    [Benchmark]
    public long SerializeRequestGoogle_BW_Cold() { var to = Sink.BW; GoogleMessages.ColdRequest.Next.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public long SerializeRequestGoogle_MS_H() { var to = Sink.MS; GoogleMessages.RequestOnSlab.WriteTo(to); return to.Length; }

    [Benchmark] public long SerializeResponseGoogle_MS() { var to = Sink.MS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public long SerializeResponseGoogle_CS() { var to = Sink.CS; GoogleMessages.Response.WriteTo(to); return to.Length; }
    [Benchmark] public byte[] SerializeResponseGoogle_BA() => GoogleMessages.Response.ToByteArray();
    [Benchmark(Baseline = true)]
    public long SerializeResponseGoogle_BW() { var to = Sink.BW; GoogleMessages.Response.WriteTo(to); return to.WrittenCount; }
    [Benchmark]
    public long SerializeResponseGoogle_PW() { var to = Sink.PW; GoogleMessages.Response.WriteTo(to); return to.UnflushedBytes; }
    [Benchmark]
    public long SerializeResponseGoogle_MS_H() { var to = Sink.MS; GoogleMessages.ResponseOnSlab.WriteTo(to); return to.Length; }
    [Benchmark(Baseline = true)]
    public long SerializeMixedGoogle_BW() { var to = Sink.BW; GoogleMessages.Mixed.WriteTo(to); return to.WrittenCount; }
}

public partial class MeasureBenchmarks
{
    [Benchmark(Baseline = true)] public long MeasureRequestGoogle() => GoogleMessages.Request.CalculateSize();
    [Benchmark] public long MeasureRequestGoogle_Cold() => GoogleMessages.ColdRequest.Next.CalculateSize();

    [Benchmark(Baseline = true)] public long MeasureResponseGoogle() => GoogleMessages.Response.CalculateSize();
}

public partial class MeasureSerializeBenchmarks
{
    [Benchmark(Baseline = true)]
    public long MeasureSerializeRequestGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Request, Sink.BW);
    [Benchmark]
    public long MeasureSerializeRequestGoogle_BW_Cold() => GoogleHive.MeasureSerialize(GoogleMessages.ColdRequest.Next, Sink.BW);
    [Benchmark] public long MeasureSerializeRequestGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.RequestOnSlab, Sink.BW);

    [Benchmark(Baseline = true)]
    public long MeasureSerializeResponseGoogle_BW() => GoogleHive.MeasureSerialize(GoogleMessages.Response, Sink.BW);
    [Benchmark] public long MeasureSerializeResponseGoogle_BW_H() => GoogleHive.MeasureSerialize(GoogleMessages.ResponseOnSlab, Sink.BW);
}

public partial class DeserializeBenchmarks
{
    // A recycled cell holds the message of its last operation. Each operation releases that message first.
    readonly Arena arena = new();
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_MS() => ForwardRequest.Parser.ParseFrom(Wire.Request.MS);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_CS() => ForwardRequest.Parser.ParseFrom(Wire.Request.CS);
    [Benchmark(Baseline = true)]
    public ForwardRequest DeserializeRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span);
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_ROS() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROS);
    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_PR()
    {
        var from = Wire.Request.PR;
        from.TryRead(out var read);
        var message = ForwardRequest.Parser.ParseFrom(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next);
    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_BA_H() { arena.Reset(); return GoogleSlab.ParseRequest(Wire.Request.BA, arena); }
    [Benchmark]
    public ForwardRequest DeserializeRequestGoogle_MS_H() { arena.Reset(); return GoogleSlab.ParseRequest(Wire.Request.MS, arena); }
    [Benchmark] public ForwardRequest DeserializeRequestGoogle_BA_A() => GoogleSlab.AliasRequest(Wire.Request.BA);
    [Benchmark]
    public GpbBytes.ForwardRequest DeserializeRequestGoogleBytes_BA() => GpbBytes.ForwardRequest.Parser.ParseFrom(Wire.Request.BA);

    [Benchmark] public ForwardResponse DeserializeResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_MS() => ForwardResponse.Parser.ParseFrom(Wire.Response.MS);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_CS() => ForwardResponse.Parser.ParseFrom(Wire.Response.CS);
    [Benchmark(Baseline = true)]
    public ForwardResponse DeserializeResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span);
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_ROS() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROS);
    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_PR()
    {
        var from = Wire.Response.PR;
        from.TryRead(out var read);
        var message = ForwardResponse.Parser.ParseFrom(read.Buffer);
        from.AdvanceTo(read.Buffer.End);
        return message;
    }

    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_BA_H() { arena.Reset(); return GoogleSlab.ParseResponse(Wire.Response.BA, arena); }
    [Benchmark]
    public ForwardResponse DeserializeResponseGoogle_MS_H() { arena.Reset(); return GoogleSlab.ParseResponse(Wire.Response.MS, arena); }
    [Benchmark] public ForwardResponse DeserializeResponseGoogle_BA_A() => GoogleSlab.AliasResponse(Wire.Response.BA);

    [Benchmark] public ForwardRequest DeserializeMixedGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);
    [Benchmark(Baseline = true)] public ForwardRequest DeserializeMixedGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.ROM.Span);
}

public partial class DeserializeTouchBenchmarks
{
    readonly Lazy<Cold<byte[]>> cold = new(() => new(() => [.. Wire.Request.BA]));

    [Benchmark] public long DeserializeTouchRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA).ReadAll();
    [Benchmark(Baseline = true)]
    public long DeserializeTouchRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span).ReadAll();
    [Benchmark] public long DeserializeTouchRequestGoogle_BA_Cold() => ForwardRequest.Parser.ParseFrom(cold.Value.Next).ReadAll();

    [Benchmark] public long DeserializeTouchResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA).ReadAll();
    [Benchmark(Baseline = true)]
    public long DeserializeTouchResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span).ReadAll();
}

public partial class DeserializeStringsBenchmarks
{
    [Benchmark] public long DeserializeStringsRequestGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA).ReadAll();
    [Benchmark(Baseline = true)]
    public long DeserializeStringsRequestGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Request.ROM.Span).ReadAll();

    [Benchmark] public long DeserializeStringsResponseGoogle_BA() => ForwardResponse.Parser.ParseFrom(Wire.Response.BA).ReadAll();
    [Benchmark(Baseline = true)]
    public long DeserializeStringsResponseGoogle_ROM() => ForwardResponse.Parser.ParseFrom(Wire.Response.ROM.Span).ReadAll();

    [Benchmark] public long DeserializeStringsMixedGoogle_BA() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA).ReadAll();
    [Benchmark(Baseline = true)]
    public long DeserializeStringsMixedGoogle_ROM() => ForwardRequest.Parser.ParseFrom(Wire.Mixed.ROM.Span).ReadAll();
}

/// <summary>Each message is created when a cell of this process first uses it.</summary>
static class GoogleMessages
{
    public static ForwardRequest Request => field ??= ForwardRequest.Parser.ParseFrom(Wire.Request.BA);

    public static ForwardResponse Response => field ??= ForwardResponse.Parser.ParseFrom(Wire.Response.BA);

    public static ForwardRequest Mixed => field ??= ForwardRequest.Parser.ParseFrom(Wire.Mixed.BA);

    public static ForwardRequest RequestOnSlab => field ??= GoogleSlab.ParseRequest(Wire.Request.BA, new Arena());

    public static ForwardResponse ResponseOnSlab => field ??= GoogleSlab.ParseResponse(Wire.Response.BA, new Arena());

    public static Cold<ForwardRequest> ColdRequest => field ??= new(() => ForwardRequest.Parser.ParseFrom(Wire.Request.BA));
}

public partial class PackedBenchmarks
{
    // Each message is created when a cell first uses it, so that a process loads only the measured library.
    Gpb.PackedFloats GoogleFloat => field ??= Gpb.PackedFloats.Parser.ParseFrom(floats);

    Gpb.PackedDoubles GoogleDouble => field ??= Gpb.PackedDoubles.Parser.ParseFrom(doubles);

    Gpb.PackedInt32s GoogleInt32 => field ??= Gpb.PackedInt32s.Parser.ParseFrom(int32s);

    Gpb.PackedInt32s GoogleSmall => field ??= Gpb.PackedInt32s.Parser.ParseFrom(smalls);

    Gpb.PackedSInt64s GoogleSInt64 => field ??= Gpb.PackedSInt64s.Parser.ParseFrom(sInt64s);

    [Benchmark(Baseline = true)]
    public Gpb.PackedFloats DeserializePackedFloatGoogle() => Gpb.PackedFloats.Parser.ParseFrom(floats.AsSpan());
    [Benchmark(Baseline = true)]
    public long SerializePackedFloatGoogle() { var to = Sink.BW; GoogleFloat.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public long MeasureSerializePackedFloatGoogle() => GoogleHive.MeasureSerialize(GoogleFloat, Sink.BW);
    [Benchmark(Baseline = true)]
    public Gpb.PackedDoubles DeserializePackedDoubleGoogle() => Gpb.PackedDoubles.Parser.ParseFrom(doubles.AsSpan());
    [Benchmark(Baseline = true)]
    public long SerializePackedDoubleGoogle() { var to = Sink.BW; GoogleDouble.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public long MeasureSerializePackedDoubleGoogle() => GoogleHive.MeasureSerialize(GoogleDouble, Sink.BW);
    [Benchmark(Baseline = true)]
    public Gpb.PackedInt32s DeserializePackedInt32Google() => Gpb.PackedInt32s.Parser.ParseFrom(int32s.AsSpan());
    [Benchmark(Baseline = true)]
    public long SerializePackedInt32Google() { var to = Sink.BW; GoogleInt32.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public long MeasureSerializePackedInt32Google() => GoogleHive.MeasureSerialize(GoogleInt32, Sink.BW);
    [Benchmark(Baseline = true)]
    public Gpb.PackedInt32s DeserializePackedSmallGoogle() => Gpb.PackedInt32s.Parser.ParseFrom(smalls.AsSpan());
    [Benchmark(Baseline = true)]
    public long SerializePackedSmallGoogle() { var to = Sink.BW; GoogleSmall.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public long MeasureSerializePackedSmallGoogle() => GoogleHive.MeasureSerialize(GoogleSmall, Sink.BW);
    [Benchmark(Baseline = true)]
    public Gpb.PackedSInt64s DeserializePackedSInt64Google() => Gpb.PackedSInt64s.Parser.ParseFrom(sInt64s.AsSpan());
    [Benchmark(Baseline = true)]
    public long SerializePackedSInt64Google() { var to = Sink.BW; GoogleSInt64.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public long MeasureSerializePackedSInt64Google() => GoogleHive.MeasureSerialize(GoogleSInt64, Sink.BW);
}

public partial class FormatBenchmarks
{
    [Benchmark(Baseline = true)] public long MarshalByGoogle() { var to = Sink.BW; GoogleColors.Reds.WriteTo(to); return to.WrittenCount; }
    [Benchmark] public byte[] MarshalByGoogle_BA() => GoogleColors.Reds.ToByteArray();
    [Benchmark(Baseline = true)]
    public Gpb.ColorGroup UnmarshalByGoogle() => Gpb.ColorGroup.Parser.ParseFrom(GoogleColors.RedsBytes.AsSpan());
    [Benchmark] public Gpb.ColorGroup UnmarshalByGoogle_Reuse() => GoogleColors.Reuse(GoogleColors.Used, GoogleColors.RedsBytes);
}

public partial class FormatListBenchmarks
{
    Gpb.ColorGroups google = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByGoogle), nameof(UnmarshalManyByGoogle)])]
    public void SetupGoogle() => (google, bytes) = (GoogleColors.From(Set.Rows), GoogleColors.Format.WriteMany(Set.Rows));

    [Benchmark(Baseline = true)] public long MarshalManyByGoogle() { var to = Sink.BW; google.WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public Gpb.ColorGroups UnmarshalManyByGoogle() => Gpb.ColorGroups.Parser.ParseFrom(bytes.AsSpan());
}

public partial class WideBenchmarks
{
    [Benchmark(Baseline = true)] public Gpb.Wide20 ReadWide20Google() => Gpb.Wide20.Parser.ParseFrom(wide20.AsSpan());
    [Benchmark(Baseline = true)]
    public long WriteWide20Google() { var to = Sink.BW; OfGoogle<Gpb.Wide20>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public Gpb.Wide50 ReadWide50Google() => Gpb.Wide50.Parser.ParseFrom(wide50.AsSpan());
    [Benchmark(Baseline = true)]
    public long WriteWide50Google() { var to = Sink.BW; OfGoogle<Gpb.Wide50>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public Gpb.Wide100 ReadWide100Google() => Gpb.Wide100.Parser.ParseFrom(wide100.AsSpan());
    [Benchmark(Baseline = true)]
    public long WriteWide100Google() { var to = Sink.BW; OfGoogle<Gpb.Wide100>.All[(int)Set].WriteTo(to); return to.WrittenCount; }
    [Benchmark(Baseline = true)] public Gpb.Wide200 ReadWide200Google() => Gpb.Wide200.Parser.ParseFrom(wide200.AsSpan());
    [Benchmark(Baseline = true)]
    public long WriteWide200Google() { var to = Sink.BW; OfGoogle<Gpb.Wide200>.All[(int)Set].WriteTo(to); return to.WrittenCount; }

    // One class for each library, so that a process loads only the library that its cell measures.
    static class OfGoogle<T>
        where T : IMessage<T>, new()
    {
        public static readonly T[] All =
        [
            .. Enum.GetValues<WideSet>().Select(set => new MessageParser<T>(() => new()).ParseFrom(
                Wide.Message(int.Parse(typeof(T).Name["Wide".Length..]), set))),
        ];
    }
}

public partial class SmallBenchmarks
{
    [Benchmark(Baseline = true)] public Gpb.Small ReadSmallGoogle() => Gpb.Small.Parser.ParseFrom(wire.AsSpan());
    [Benchmark(Baseline = true)] public long SizeSmallGoogle() => OfGoogle.Message.CalculateSize();
    [Benchmark(Baseline = true)] public long WriteSmallGoogle() { var to = Sink.BW; OfGoogle.Message.WriteTo(to); return to.WrittenCount; }

    static class OfGoogle
    {
        public static readonly Gpb.Small Message = Gpb.Small.Parser.ParseFrom(Wide.Small());
    }
}

public partial class ShapeBenchmarks
{
    Gpb.Shapes OfGoogle => field ??= Gpb.Shapes.Parser.ParseFrom(wire);

    [Benchmark(Baseline = true)] public Gpb.Shapes ReadShapeGoogle() => Gpb.Shapes.Parser.ParseFrom(wire.AsSpan());
    [Benchmark(Baseline = true)] public long WriteShapeGoogle() { var to = Sink.BW; OfGoogle.WriteTo(to); return to.WrittenCount; }
}

public partial class DeepBenchmarks
{
    [Benchmark(Baseline = true)] public Gpb.Animal ReadDeepGoogle() => Gpb.Animal.Parser.ParseFrom(wire.AsSpan());
    [Benchmark(Baseline = true)] public long SizeDeepGoogle() => OfGoogle.ByDepth[Depth].CalculateSize();
    [Benchmark(Baseline = true)]
    public long WriteDeepGoogle() { var to = Sink.BW; OfGoogle.ByDepth[Depth].WriteTo(to); return to.WrittenCount; }

    static class OfGoogle
    {
        public static readonly Gpb.Animal[] ByDepth =
            [.. Enumerable.Range(0, 100).Select(depth => Gpb.Animal.Parser.ParseFrom(Deep.Message(depth)))];
    }
}

static class GoogleColors
{
    public static readonly Gpb.ColorGroup Reds = From(ColorRow.Reds);
    public static readonly Gpb.ColorGroup Used = From(ColorRow.Reds);
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => ColorFormat.Of(
        "Google",
        row => From(row).ToByteArray(),
        Gpb.ColorGroup.Parser.ParseFrom,
        rows => From(rows).ToByteArray(),
        Gpb.ColorGroups.Parser.ParseFrom,
        RowOf,
        groups => groups.Groups);

    public static Gpb.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = { row.Colors } };

    public static Gpb.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = { rows.Select(From) } };

    /// <summary>Reads into a used message. Google's messages have no Clear, so each field is cleared individually.</summary>
    public static Gpb.ColorGroup Reuse(Gpb.ColorGroup group, byte[] bytes)
    {
        group.Id = 0;
        group.Name = "";
        group.Colors.Clear();
        group.MergeFrom(bytes);
        return group;
    }

    static ColorRow RowOf(Gpb.ColorGroup group) => new(group.Id, group.Name, [.. group.Colors]);
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    static ComparedLibrary ComparedGoogle =>
        new("Google", ComparedLibrary.VersionOf("Google.Protobuf", typeof(IMessage)), bytes => TSet.Parser.ParseFrom(bytes).ToByteArray())
        {
            Works = Works(plain => TSet.MakeGoogle(plain).ToByteArray(), plain => TSet.MakeGoogleNew(plain).ToByteArray(),
                bytes => TSet.Reply(TSet.Parser.ParseFrom(bytes)).ToByteArray()),
        };

    [Benchmark(Baseline = true), BenchmarkCategory("SerializeSet"), Measures("Google")]
    public long SerializeSetGoogle() { var to = To; content.Google.Next.WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeSet"), Measures("Google")]
    public TGoogle DeserializeSetGoogle() => TSet.Parser.ParseFrom(content.Wire.Next.AsSpan());

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializeTouchSet"), Measures("Google")]
    public long DeserializeTouchSetGoogle() => TSet.Touch(TSet.Parser.ParseFrom(content.Wire.Next.AsSpan()));

    [Benchmark(Baseline = true), BenchmarkCategory("MakeSet"), Measures("Google")]
    public long MakeSetGoogle() { var to = To; TSet.MakeGoogle(content.Source.Next).WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("MakeNewSet"), Measures("Google")]
    public long MakeNewSetGoogle() { var to = To; TSet.MakeGoogleNew(content.Source.Next).WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("ForwardSet"), Measures("Google")]
    public long ForwardSetGoogle() { var to = To; TSet.Parser.ParseFrom(content.Wire.Next.AsSpan()).WriteTo(to); return to.WrittenCount; }

    [Benchmark(Baseline = true), BenchmarkCategory("ServeSet"), Measures("Google")]
    public long ServeSetGoogle()
    {
        var request = TSet.Parser.ParseFrom(content.Wire.Next.AsSpan());
        var sum = TSet.TouchThird(request);
        TSet.Reply(request).WriteTo(To);
        return sum;
    }

    sealed partial class Content
    {
        public Cycle<TGoogle> Google => field ??= new([.. Messages.Select(TSet.Parser.ParseFrom)]);
    }
}

using System.Buffers;
using System.Formats.Cbor;
using BenchmarkDotNet.Attributes;
using ProtoBench.Harness;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers the writer and the reader of System.Formats.Cbor, which has no serializer.</summary>
static class CborLibrary
{
    public static MeasuredLibrary Entry { get; } = new("Cbor", "System.Formats.Cbor", Order: 47,
        Package: "System.Formats.Cbor", HasOwnFormat: true, ColorGroups: CborColors.Format)
    {
        NeedsSchema = true,
    };
}

public partial class FormatBenchmarks
{
    [Benchmark] public long MarshalByCbor() => CborColors.CopyTo(Sink.BW, CborColors.Write(PlainColors.Reds));
    [Benchmark] public byte[] MarshalByCbor_BA() => CborColors.Write(PlainColors.Reds).Encode();
    [Benchmark]
    public PlainColorGroup UnmarshalByCbor() => ColorContracts.ReadCbor(CborColors.Of(CborColors.RedsBytes), new PlainColorGroup());
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByCbor), nameof(UnmarshalManyByCbor)])]
    public void SetupCbor() => SetupPlain(CborColors.Format);

    [Benchmark] public long MarshalManyByCbor() => CborColors.CopyTo(Sink.BW, CborColors.Write(plain));
    [Benchmark] public PlainColorGroups UnmarshalManyByCbor() => ColorContracts.ReadCbor(CborColors.Of(bytes));
}

static class CborColors
{
    static readonly CborWriter writer = new(CborConformanceMode.Lax);
    static readonly CborReader reader = new(default, CborConformanceMode.Lax);

    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => PlainColors.Format(
        "Cbor",
        group => Write(group).Encode(),
        bytes => ColorContracts.ReadCbor(Of(bytes), new PlainColorGroup()),
        groups => Write(groups).Encode(),
        bytes => ColorContracts.ReadCbor(Of(bytes)));

    public static CborWriter Write(PlainColorGroup group)
    {
        writer.Reset();
        ColorContracts.WriteCbor(writer, group);
        return writer;
    }

    public static CborWriter Write(PlainColorGroups groups)
    {
        writer.Reset();
        ColorContracts.WriteCbor(writer, groups);
        return writer;
    }

    public static long CopyTo(IBufferWriter<byte> to, CborWriter writer)
    {
        var length = writer.Encode(to.GetSpan(writer.BytesWritten));
        to.Advance(length);
        return length;
    }

    public static CborReader Of(byte[] bytes)
    {
        reader.Reset(bytes);
        return reader;
    }
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    CborWriter ForCbor => field ??= new(CborConformanceMode.Lax);

    CborReader OfCbor => field ??= new(default, CborConformanceMode.Lax);

    static ComparedLibrary ComparedCbor => OfOwnFormat("Cbor", "System.Formats.Cbor", typeof(CborWriter), EncodeCbor,
        bytes => TSet.ReadCbor(new CborReader(bytes, CborConformanceMode.Lax)));

    static byte[] EncodeCbor(TPlain plain)
    {
        var writer = new CborWriter(CborConformanceMode.Lax);
        TSet.WriteCbor(writer, plain);
        return writer.Encode();
    }

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Cbor")]
    public long SerializeSetCbor() => CborTo(content.Plain.Next);

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Cbor")]
    public TPlain DeserializeSetCbor()
    {
        OfCbor.Reset(content.Cbor.Next);
        return TSet.ReadCbor(OfCbor);
    }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Cbor")]
    public long DeserializeTouchSetCbor() => TSet.Touch(DeserializeSetCbor());

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Cbor")]
    public long MakeSetCbor() => CborTo(TSet.MakePlain(content.Source.Next));

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Cbor")]
    public long MakeNewSetCbor() => CborTo(TSet.MakePlainNew(content.Source.Next));

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Cbor")]
    public long ForwardSetCbor() => CborTo(DeserializeSetCbor());

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Cbor")]
    public long ServeSetCbor()
    {
        var request = DeserializeSetCbor();
        var sum = TSet.TouchThird(request);
        CborTo(TSet.Reply(request));
        return sum;
    }

    long CborTo(TPlain plain)
    {
        var (writer, to) = (ForCbor, To);
        writer.Reset();
        TSet.WriteCbor(writer, plain);
        var length = writer.Encode(to.GetSpan(writer.BytesWritten));
        to.Advance(length);
        return length;
    }

    sealed partial class Content
    {
        public Cycle<byte[]> Cbor => field ??= new([.. Messages.Select(one => EncodeCbor(ToPlain(one)))]);
    }
}

using BenchmarkDotNet.Attributes;
using Nerdbank.MessagePack;
using ProtoBench.Harness;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers Nerdbank.MessagePack, which writes the bytes that MessagePack writes.</summary>
static class NerdbankLibrary
{
    public static MeasuredLibrary Entry { get; } =
        new("Nerdbank", "Nerdbank.MessagePack", Order: 35, Package: "Nerdbank.MessagePack", ColorGroups: NerdbankColors.Format);
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByNerdbank()
    {
        var to = Sink.BW;
        NerdbankColors.Serializer.Serialize<PlainColorGroup, ColorContracts>(to, PlainColors.Reds);
        return to.WrittenCount;
    }

    [Benchmark]
    public byte[] MarshalByNerdbank_BA() => NerdbankColors.Serializer.Serialize<PlainColorGroup, ColorContracts>(PlainColors.Reds);
    [Benchmark]
    public PlainColorGroup UnmarshalByNerdbank() =>
        NerdbankColors.Serializer.Deserialize<PlainColorGroup, ColorContracts>(NerdbankColors.RedsBytes)!;
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByNerdbank), nameof(UnmarshalManyByNerdbank)])]
    public void SetupNerdbank() => SetupPlain(NerdbankColors.Format);

    [Benchmark]
    public long MarshalManyByNerdbank() { var to = Sink.BW; NerdbankColors.Serializer.Serialize(to, plain); return to.WrittenCount; }
    [Benchmark]
    public PlainColorGroups UnmarshalManyByNerdbank() => NerdbankColors.Serializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class NerdbankColors
{
    public static readonly MessagePackSerializer Serializer = new();
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => PlainColors.Format(
        "Nerdbank",
        group => Serializer.Serialize<PlainColorGroup, ColorContracts>(group),
        bytes => Serializer.Deserialize<PlainColorGroup, ColorContracts>(bytes)!,
        groups => Serializer.Serialize(groups),
        bytes => Serializer.Deserialize<PlainColorGroups>(bytes)!);
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    MessagePackSerializer ForNerdbank => field ??= OfNerdbank.Serializer;

    static ComparedLibrary ComparedNerdbank => OfOwnFormat("Nerdbank", "Nerdbank.MessagePack", typeof(MessagePackSerializer),
        plain => OfNerdbank.Serializer.Serialize(plain), bytes => OfNerdbank.Serializer.Deserialize<TPlain>(bytes)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Nerdbank")]
    public long SerializeSetNerdbank() { var to = To; ForNerdbank.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Nerdbank")]
    public TPlain DeserializeSetNerdbank() => ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Nerdbank")]
    public long DeserializeTouchSetNerdbank() => TSet.Touch(ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!);

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Nerdbank")]
    public long MakeSetNerdbank() { var to = To; ForNerdbank.Serialize(to, TSet.MakePlain(content.Source.Next)); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Nerdbank")]
    public long MakeNewSetNerdbank()
    {
        var to = To;
        ForNerdbank.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Nerdbank")]
    public long ForwardSetNerdbank()
    {
        var to = To;
        ForNerdbank.Serialize(to, ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Nerdbank")]
    public long ServeSetNerdbank()
    {
        var request = ForNerdbank.Deserialize<TPlain>(content.Nerdbank.Next)!;
        var sum = TSet.TouchThird(request);
        ForNerdbank.Serialize(To, TSet.Reply(request));
        return sum;
    }

    // in a class of its own, so that it is made in the process that measures it, and once
    static class OfNerdbank
    {
        public static readonly MessagePackSerializer Serializer = new();
    }

    sealed partial class Content
    {
        public Cycle<byte[]> Nerdbank => field ??= new([.. Messages.Select(one => OfNerdbank.Serializer.Serialize(ToPlain(one)))]);
    }
}

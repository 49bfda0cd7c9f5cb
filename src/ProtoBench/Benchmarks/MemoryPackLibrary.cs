using BenchmarkDotNet.Attributes;
using MemoryPack;
using ProtoBench.Harness;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

static class MemoryPackLibrary
{
    public static MeasuredLibrary Entry { get; } =
        new("MemoryPack", "MemoryPack", Order: 40, Package: "MemoryPack", HasOwnFormat: true, ColorGroups: MemoryPackColors.Format);
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByMemoryPack()
    {
        var to = Sink.BW;
        MemoryPackSerializer.Serialize(to, PlainColors.Reds);
        return to.WrittenCount;
    }

    [Benchmark] public byte[] MarshalByMemoryPack_BA() => MemoryPackSerializer.Serialize(PlainColors.Reds);
    [Benchmark]
    public PlainColorGroup UnmarshalByMemoryPack() => MemoryPackSerializer.Deserialize<PlainColorGroup>(MemoryPackColors.RedsBytes)!;
    [Benchmark]
    public PlainColorGroup UnmarshalByMemoryPack_Reuse() => MemoryPackColors.Reuse(MemoryPackColors.Used, MemoryPackColors.RedsBytes);
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByMemoryPack), nameof(UnmarshalManyByMemoryPack)])]
    public void SetupMemoryPack() => SetupPlain(MemoryPackColors.Format);

    [Benchmark]
    public long MarshalManyByMemoryPack() { var to = Sink.BW; MemoryPackSerializer.Serialize(to, plain); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByMemoryPack() => MemoryPackSerializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class MemoryPackColors
{
    public static readonly PlainColorGroup Used = PlainColors.From(ColorRow.Reds);
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => PlainColors.Format(
        "MemoryPack",
        group => MemoryPackSerializer.Serialize(group),
        bytes => MemoryPackSerializer.Deserialize<PlainColorGroup>(bytes)!,
        groups => MemoryPackSerializer.Serialize(groups),
        bytes => MemoryPackSerializer.Deserialize<PlainColorGroups>(bytes)!);

    public static PlainColorGroup Reuse(PlainColorGroup group, byte[] bytes)
    {
        MemoryPackSerializer.Deserialize(bytes, ref group!);
        return group;
    }
}

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    TPlain? overwritten;

    static ComparedLibrary ComparedMemoryPack => OfOwnFormat("MemoryPack", "MemoryPack", typeof(MemoryPackSerializer),
        plain => MemoryPackSerializer.Serialize(plain), bytes => MemoryPackSerializer.Deserialize<TPlain>(bytes)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("MemoryPack")]
    public long SerializeSetMemoryPack() { var to = To; MemoryPackSerializer.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MemoryPack")]
    public TPlain DeserializeSetMemoryPack() => MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MemoryPack")]
    public long DeserializeTouchSetMemoryPack() => TSet.Touch(MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!);

    // MemoryPack can overwrite an object, as the slab codec does.
    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MemoryPack")]
    public TPlain DeserializeSetMemoryPack_Overwrite()
    {
        MemoryPackSerializer.Deserialize(content.MemoryPack.Next, ref overwritten);
        return overwritten!;
    }

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MemoryPack")]
    public long DeserializeTouchSetMemoryPack_Overwrite() => TSet.Touch(DeserializeSetMemoryPack_Overwrite());

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("MemoryPack")]
    public long MakeSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, TSet.MakePlain(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("MemoryPack")]
    public long MakeNewSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("MemoryPack")]
    public long ForwardSetMemoryPack()
    {
        var to = To;
        MemoryPackSerializer.Serialize(to, MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("MemoryPack")]
    public long ServeSetMemoryPack()
    {
        var request = MemoryPackSerializer.Deserialize<TPlain>(content.MemoryPack.Next)!;
        var sum = TSet.TouchThird(request);
        MemoryPackSerializer.Serialize(To, TSet.Reply(request));
        return sum;
    }

    sealed partial class Content
    {
        public Cycle<byte[]> MemoryPack => field ??= new([.. Messages.Select(one => MemoryPackSerializer.Serialize(ToPlain(one)))]);
    }
}

using BenchmarkDotNet.Attributes;
using MemoryPack;
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

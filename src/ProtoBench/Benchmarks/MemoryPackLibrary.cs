using BenchmarkDotNet.Attributes;
using MemoryPack;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

static class MemoryPackLibrary
{
    public static MeasuredLibrary Entry { get; } = new()
    {
        Cell = "MemoryPack",
        Label = "MemoryPack",
        Order = 40,
        Package = "MemoryPack",
        HasOwnFormat = true,
        ColorGroups = MemoryPackColors.Format,
    };
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByMemoryPack()
    {
        var to = Sink.BW;
        MemoryPackSerializer.Serialize(to, OfMemoryPack.Message);
        return to.WrittenCount;
    }

    [Benchmark] public byte[] MarshalByMemoryPack_BA() => MemoryPackSerializer.Serialize(OfMemoryPack.Message);
    [Benchmark]
    public PlainColorGroup UnmarshalByMemoryPack() => MemoryPackSerializer.Deserialize<PlainColorGroup>(OfMemoryPack.Bytes)!;
    [Benchmark] public PlainColorGroup UnmarshalByMemoryPack_Reuse() => MemoryPackColors.Reuse(OfMemoryPack.Message, OfMemoryPack.Bytes);

    static class OfMemoryPack
    {
        public static readonly PlainColorGroup Message = PlainColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MemoryPackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    PlainColorGroups memoryPack = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByMemoryPack), nameof(UnmarshalManyByMemoryPack)])]
    public void SetupMemoryPack() => (memoryPack, bytes) = (PlainColors.From(Set.Rows), MemoryPackColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByMemoryPack() { var to = Sink.BW; MemoryPackSerializer.Serialize(to, memoryPack); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByMemoryPack() => MemoryPackSerializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class MemoryPackColors
{
    public static ColorFormat Format { get; } = PlainColors.Format(
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

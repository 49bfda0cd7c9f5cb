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
        Colour = 6,
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
    public MemPack.ColorGroup UnmarshalByMemoryPack() => MemoryPackSerializer.Deserialize<MemPack.ColorGroup>(OfMemoryPack.Bytes)!;
    [Benchmark] public MemPack.ColorGroup UnmarshalByMemoryPack_Reuse() => MemoryPackColors.Reuse(OfMemoryPack.Message, OfMemoryPack.Bytes);

    static class OfMemoryPack
    {
        public static readonly MemPack.ColorGroup Message = MemoryPackColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MemoryPackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    MemPack.ColorGroups memoryPack = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByMemoryPack), nameof(UnmarshalManyByMemoryPack)])]
    public void SetupMemoryPack() => (memoryPack, bytes) = (MemoryPackColors.From(Set.Rows), MemoryPackColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByMemoryPack() { var to = Sink.BW; MemoryPackSerializer.Serialize(to, memoryPack); return to.WrittenCount; }
    [Benchmark] public MemPack.ColorGroups UnmarshalManyByMemoryPack() => MemoryPackSerializer.Deserialize<MemPack.ColorGroups>(bytes)!;
}

static class MemoryPackColors
{
    public static ColorFormat Format { get; } = ColorFormat.Of(
        "MemoryPack",
        row => MemoryPackSerializer.Serialize(From(row)),
        bytes => MemoryPackSerializer.Deserialize<MemPack.ColorGroup>(bytes)!,
        rows => MemoryPackSerializer.Serialize(From(rows)),
        bytes => MemoryPackSerializer.Deserialize<MemPack.ColorGroups>(bytes)!,
        RowOf,
        groups => groups.Groups);

    public static MemPack.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static MemPack.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    public static MemPack.ColorGroup Reuse(MemPack.ColorGroup group, byte[] bytes)
    {
        MemoryPackSerializer.Deserialize(bytes, ref group!);
        return group;
    }

    static ColorRow RowOf(MemPack.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

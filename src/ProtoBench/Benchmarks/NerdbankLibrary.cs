using BenchmarkDotNet.Attributes;
using Nerdbank.MessagePack;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers Nerdbank.MessagePack, which writes the bytes that MessagePack writes.</summary>
static class NerdbankLibrary
{
    public static MeasuredLibrary Entry { get; } = new()
    {
        Cell = "Nerdbank",
        Label = "Nerdbank.MessagePack",
        Order = 35,
        Colour = 8,
        Package = "Nerdbank.MessagePack",
        ColorGroups = NerdbankColors.Format,
    };
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByNerdbank()
    {
        var to = Sink.BW;
        NerdbankColors.Serializer.Serialize(to, OfNerdbank.Message);
        return to.WrittenCount;
    }

    [Benchmark] public byte[] MarshalByNerdbank_BA() => NerdbankColors.Serializer.Serialize(OfNerdbank.Message);
    [Benchmark]
    public NerdPack.ColorGroup UnmarshalByNerdbank() => NerdbankColors.Serializer.Deserialize<NerdPack.ColorGroup>(OfNerdbank.Bytes)!;

    static class OfNerdbank
    {
        public static readonly NerdPack.ColorGroup Message = NerdbankColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = NerdbankColors.Serializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    NerdPack.ColorGroups nerdbank = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByNerdbank), nameof(UnmarshalManyByNerdbank)])]
    public void SetupNerdbank() => (nerdbank, bytes) = (NerdbankColors.From(Set.Rows), NerdbankColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByNerdbank() { var to = Sink.BW; NerdbankColors.Serializer.Serialize(to, nerdbank); return to.WrittenCount; }
    [Benchmark]
    public NerdPack.ColorGroups UnmarshalManyByNerdbank() => NerdbankColors.Serializer.Deserialize<NerdPack.ColorGroups>(bytes)!;
}

static class NerdbankColors
{
    public static readonly MessagePackSerializer Serializer = new();

    public static ColorFormat Format { get; } = ColorFormat.Of(
        "Nerdbank",
        row => Serializer.Serialize(From(row)),
        bytes => Serializer.Deserialize<NerdPack.ColorGroup>(bytes)!,
        rows => Serializer.Serialize(From(rows)),
        bytes => Serializer.Deserialize<NerdPack.ColorGroups>(bytes)!,
        RowOf,
        groups => groups.Groups);

    public static NerdPack.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static NerdPack.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    static ColorRow RowOf(NerdPack.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

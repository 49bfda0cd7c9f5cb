using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers the serializer of Orleans, without the rest of Orleans.</summary>
static class OrleansLibrary
{
    public static MeasuredLibrary Entry { get; } = new()
    {
        Cell = "Orleans",
        Label = "Orleans.Serialization",
        Order = 45,
        Colour = 9,
        Package = "Microsoft.Orleans.Serialization",
        HasOwnFormat = true,
        ColorGroups = OrleansColors.Format,
    };
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByOrleans() { var to = Sink.BW; OrleansColors.Group.Serialize(OfOrleans.Message, to); return to.WrittenCount; }
    [Benchmark] public byte[] MarshalByOrleans_BA() => OrleansColors.Group.SerializeToArray(OfOrleans.Message);
    [Benchmark]
    public OrleansTypes.ColorGroup UnmarshalByOrleans() => OrleansColors.Group.Deserialize((ReadOnlyMemory<byte>)OfOrleans.Bytes)!;

    static class OfOrleans
    {
        public static readonly OrleansTypes.ColorGroup Message = OrleansColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = OrleansColors.Group.SerializeToArray(Message);
    }
}

public partial class FormatListBenchmarks
{
    OrleansTypes.ColorGroups orleans = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByOrleans), nameof(UnmarshalManyByOrleans)])]
    public void SetupOrleans() => (orleans, bytes) = (OrleansColors.From(Set.Rows), OrleansColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByOrleans() { var to = Sink.BW; OrleansColors.Groups.Serialize(orleans, to); return to.WrittenCount; }
    [Benchmark] public OrleansTypes.ColorGroups UnmarshalManyByOrleans() => OrleansColors.Groups.Deserialize((ReadOnlyMemory<byte>)bytes)!;
}

static class OrleansColors
{
    static readonly ServiceProvider services = new ServiceCollection().AddSerializer().BuildServiceProvider();

    public static readonly Serializer<OrleansTypes.ColorGroup> Group =
        services.GetRequiredService<Serializer<OrleansTypes.ColorGroup>>();

    public static readonly Serializer<OrleansTypes.ColorGroups> Groups =
        services.GetRequiredService<Serializer<OrleansTypes.ColorGroups>>();

    public static ColorFormat Format { get; } = ColorFormat.Of(
        "Orleans",
        row => Group.SerializeToArray(From(row)),
        bytes => Group.Deserialize(bytes)!,
        rows => Groups.SerializeToArray(From(rows)),
        bytes => Groups.Deserialize(bytes)!,
        RowOf,
        groups => groups.Groups);

    public static OrleansTypes.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static OrleansTypes.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    static ColorRow RowOf(OrleansTypes.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

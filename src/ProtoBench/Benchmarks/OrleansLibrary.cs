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
    public PlainColorGroup UnmarshalByOrleans() => OrleansColors.Group.Deserialize((ReadOnlyMemory<byte>)OfOrleans.Bytes)!;

    static class OfOrleans
    {
        public static readonly PlainColorGroup Message = PlainColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = OrleansColors.Group.SerializeToArray(Message);
    }
}

public partial class FormatListBenchmarks
{
    PlainColorGroups orleans = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByOrleans), nameof(UnmarshalManyByOrleans)])]
    public void SetupOrleans() => (orleans, bytes) = (PlainColors.From(Set.Rows), OrleansColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByOrleans() { var to = Sink.BW; OrleansColors.Groups.Serialize(orleans, to); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByOrleans() => OrleansColors.Groups.Deserialize((ReadOnlyMemory<byte>)bytes)!;
}

static class OrleansColors
{
    static readonly ServiceProvider services = new ServiceCollection().AddSerializer().BuildServiceProvider();

    public static readonly Serializer<PlainColorGroup> Group =
        services.GetRequiredService<Serializer<PlainColorGroup>>();

    public static readonly Serializer<PlainColorGroups> Groups =
        services.GetRequiredService<Serializer<PlainColorGroups>>();

    public static ColorFormat Format { get; } = PlainColors.Format(
        "Orleans",
        group => Group.SerializeToArray(group),
        bytes => Group.Deserialize(bytes)!,
        groups => Groups.SerializeToArray(groups),
        bytes => Groups.Deserialize(bytes)!);
}

using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Registers the serializer of Orleans, without the rest of Orleans.</summary>
static class OrleansLibrary
{
    public static MeasuredLibrary Entry { get; } = new("Orleans", "Orleans.Serialization", Order: 45,
        Package: "Microsoft.Orleans.Serialization", HasOwnFormat: true, ColorGroups: OrleansColors.Format);
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByOrleans() { var to = Sink.BW; OrleansColors.Group.Serialize(PlainColors.Reds, to); return to.WrittenCount; }
    [Benchmark] public byte[] MarshalByOrleans_BA() => OrleansColors.Group.SerializeToArray(PlainColors.Reds);
    [Benchmark]
    public PlainColorGroup UnmarshalByOrleans() => OrleansColors.Group.Deserialize((ReadOnlyMemory<byte>)OrleansColors.RedsBytes)!;
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByOrleans), nameof(UnmarshalManyByOrleans)])]
    public void SetupOrleans() => SetupPlain(OrleansColors.Format);

    [Benchmark]
    public long MarshalManyByOrleans() { var to = Sink.BW; OrleansColors.Groups.Serialize(plain, to); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByOrleans() => OrleansColors.Groups.Deserialize((ReadOnlyMemory<byte>)bytes)!;
}

static class OrleansColors
{
    static readonly ServiceProvider services = new ServiceCollection().AddSerializer().BuildServiceProvider();

    public static readonly Serializer<PlainColorGroup> Group =
        services.GetRequiredService<Serializer<PlainColorGroup>>();

    public static readonly Serializer<PlainColorGroups> Groups =
        services.GetRequiredService<Serializer<PlainColorGroups>>();

    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => PlainColors.Format(
        "Orleans",
        group => Group.SerializeToArray(group),
        bytes => Group.Deserialize(bytes)!,
        groups => Groups.SerializeToArray(groups),
        bytes => Groups.Deserialize(bytes)!);
}

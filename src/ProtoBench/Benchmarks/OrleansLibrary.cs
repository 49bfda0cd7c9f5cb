using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;
using ProtoBench.Harness;
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

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    Serializer<TPlain> ForOrleans => field ??= OfOrleans.Serializer;

    static ComparedLibrary ComparedOrleans => OfOwnFormat("Orleans", "Orleans.Serialization", typeof(Serializer<>),
        plain => OfOrleans.Serializer.SerializeToArray(plain), bytes => OfOrleans.Serializer.Deserialize(bytes)!);

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("Orleans")]
    public long SerializeSetOrleans() { var to = To; ForOrleans.Serialize(content.Plain.Next, to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("Orleans")]
    public TPlain DeserializeSetOrleans() => ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!;

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("Orleans")]
    public long DeserializeTouchSetOrleans() => TSet.Touch(ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!);

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("Orleans")]
    public long MakeSetOrleans() { var to = To; ForOrleans.Serialize(TSet.MakePlain(content.Source.Next), to); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("Orleans")]
    public long MakeNewSetOrleans()
    {
        var to = To;
        ForOrleans.Serialize(TSet.MakePlainNew(content.Source.Next), to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("Orleans")]
    public long ForwardSetOrleans()
    {
        var to = To;
        ForOrleans.Serialize(ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!, to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("Orleans")]
    public long ServeSetOrleans()
    {
        var request = ForOrleans.Deserialize((ReadOnlyMemory<byte>)content.Orleans.Next)!;
        var sum = TSet.TouchThird(request);
        ForOrleans.Serialize(TSet.Reply(request), To);
        return sum;
    }

    // in a class of its own, so that it is made in the process that measures it, and once
    static class OfOrleans
    {
        public static readonly Serializer<TPlain> Serializer =
            new ServiceCollection().AddSerializer().BuildServiceProvider().GetRequiredService<Serializer<TPlain>>();
    }

    sealed partial class Content
    {
        public Cycle<byte[]> Orleans => field ??= new([.. Messages.Select(one => OfOrleans.Serializer.SerializeToArray(ToPlain(one)))]);
    }
}

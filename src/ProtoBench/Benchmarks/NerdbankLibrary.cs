using BenchmarkDotNet.Attributes;
using Nerdbank.MessagePack;
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

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
        NerdbankColors.Serializer.Serialize<PlainColorGroup, ColorContracts>(to, OfNerdbank.Message);
        return to.WrittenCount;
    }

    [Benchmark]
    public byte[] MarshalByNerdbank_BA() => NerdbankColors.Serializer.Serialize<PlainColorGroup, ColorContracts>(OfNerdbank.Message);
    [Benchmark]
    public PlainColorGroup UnmarshalByNerdbank() =>
        NerdbankColors.Serializer.Deserialize<PlainColorGroup, ColorContracts>(OfNerdbank.Bytes)!;

    static class OfNerdbank
    {
        public static readonly PlainColorGroup Message = PlainColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = NerdbankColors.Serializer.Serialize<PlainColorGroup, ColorContracts>(Message);
    }
}

public partial class FormatListBenchmarks
{
    PlainColorGroups nerdbank = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByNerdbank), nameof(UnmarshalManyByNerdbank)])]
    public void SetupNerdbank() => (nerdbank, bytes) = (PlainColors.From(Set.Rows), NerdbankColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByNerdbank() { var to = Sink.BW; NerdbankColors.Serializer.Serialize(to, nerdbank); return to.WrittenCount; }
    [Benchmark]
    public PlainColorGroups UnmarshalManyByNerdbank() => NerdbankColors.Serializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class NerdbankColors
{
    public static readonly MessagePackSerializer Serializer = new();

    public static ColorFormat Format { get; } = PlainColors.Format(
        "Nerdbank",
        group => Serializer.Serialize<PlainColorGroup, ColorContracts>(group),
        bytes => Serializer.Deserialize<PlainColorGroup, ColorContracts>(bytes)!,
        groups => Serializer.Serialize(groups),
        bytes => Serializer.Deserialize<PlainColorGroups>(bytes)!);
}

using BenchmarkDotNet.Attributes;
using MessagePack;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

static class MessagePackLibrary
{
    public static MeasuredLibrary Entry { get; } =
        new("MessagePack", "MessagePack", Order: 30, Package: "MessagePack", HasOwnFormat: true, ColorGroups: MessagePackColors.Format);
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByMessagePack()
    {
        var to = Sink.BW;
        MessagePackSerializer.Serialize(to, PlainColors.Reds);
        return to.WrittenCount;
    }

    [Benchmark] public byte[] MarshalByMessagePack_BA() => MessagePackSerializer.Serialize(PlainColors.Reds);
    [Benchmark]
    public PlainColorGroup UnmarshalByMessagePack() => MessagePackSerializer.Deserialize<PlainColorGroup>(MessagePackColors.RedsBytes)!;
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByMessagePack), nameof(UnmarshalManyByMessagePack)])]
    public void SetupMessagePack() => SetupPlain(MessagePackColors.Format);

    [Benchmark]
    public long MarshalManyByMessagePack() { var to = Sink.BW; MessagePackSerializer.Serialize(to, plain); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByMessagePack() => MessagePackSerializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class MessagePackColors
{
    public static readonly byte[] RedsBytes = Format.WriteOne(ColorRow.Reds);

    public static ColorFormat Format => PlainColors.Format(
        "MessagePack",
        group => MessagePackSerializer.Serialize(group),
        bytes => MessagePackSerializer.Deserialize<PlainColorGroup>(bytes)!,
        groups => MessagePackSerializer.Serialize(groups),
        bytes => MessagePackSerializer.Deserialize<PlainColorGroups>(bytes)!);
}

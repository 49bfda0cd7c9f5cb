using BenchmarkDotNet.Attributes;
using MessagePack;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

static class MessagePackLibrary
{
    public static MeasuredLibrary Entry { get; } = new()
    {
        Cell = "MessagePack",
        Label = "MessagePack",
        Order = 30,
        Package = "MessagePack",
        HasOwnFormat = true,
        ColorGroups = MessagePackColors.Format,
    };
}

public partial class FormatBenchmarks
{
    [Benchmark]
    public long MarshalByMessagePack()
    {
        var to = Sink.BW;
        MessagePackSerializer.Serialize(to, OfMessagePack.Message);
        return to.WrittenCount;
    }

    [Benchmark] public byte[] MarshalByMessagePack_BA() => MessagePackSerializer.Serialize(OfMessagePack.Message);
    [Benchmark]
    public PlainColorGroup UnmarshalByMessagePack() => MessagePackSerializer.Deserialize<PlainColorGroup>(OfMessagePack.Bytes)!;

    static class OfMessagePack
    {
        public static readonly PlainColorGroup Message = PlainColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MessagePackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    PlainColorGroups messagePack = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByMessagePack), nameof(UnmarshalManyByMessagePack)])]
    public void SetupMessagePack() =>
        (messagePack, bytes) = (PlainColors.From(Set.Rows), MessagePackColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByMessagePack() { var to = Sink.BW; MessagePackSerializer.Serialize(to, messagePack); return to.WrittenCount; }
    [Benchmark] public PlainColorGroups UnmarshalManyByMessagePack() => MessagePackSerializer.Deserialize<PlainColorGroups>(bytes)!;
}

static class MessagePackColors
{
    public static ColorFormat Format { get; } = PlainColors.Format(
        "MessagePack",
        group => MessagePackSerializer.Serialize(group),
        bytes => MessagePackSerializer.Deserialize<PlainColorGroup>(bytes)!,
        groups => MessagePackSerializer.Serialize(groups),
        bytes => MessagePackSerializer.Deserialize<PlainColorGroups>(bytes)!);
}

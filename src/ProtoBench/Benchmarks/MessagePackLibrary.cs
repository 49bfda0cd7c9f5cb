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
        Colour = 5,
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
    public MsgPack.ColorGroup UnmarshalByMessagePack() => MessagePackSerializer.Deserialize<MsgPack.ColorGroup>(OfMessagePack.Bytes)!;

    static class OfMessagePack
    {
        public static readonly MsgPack.ColorGroup Message = MessagePackColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MessagePackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    MsgPack.ColorGroups messagePack = new();

    [GlobalSetup(Targets = [nameof(MarshalManyByMessagePack), nameof(UnmarshalManyByMessagePack)])]
    public void SetupMessagePack() =>
        (messagePack, bytes) = (MessagePackColors.From(Set.Rows), MessagePackColors.Format.WriteMany(Set.Rows));

    [Benchmark]
    public long MarshalManyByMessagePack() { var to = Sink.BW; MessagePackSerializer.Serialize(to, messagePack); return to.WrittenCount; }
    [Benchmark] public MsgPack.ColorGroups UnmarshalManyByMessagePack() => MessagePackSerializer.Deserialize<MsgPack.ColorGroups>(bytes)!;
}

static class MessagePackColors
{
    public static ColorFormat Format { get; } = ColorFormat.Of(
        "MessagePack",
        row => MessagePackSerializer.Serialize(From(row)),
        bytes => MessagePackSerializer.Deserialize<MsgPack.ColorGroup>(bytes)!,
        rows => MessagePackSerializer.Serialize(From(rows)),
        bytes => MessagePackSerializer.Deserialize<MsgPack.ColorGroups>(bytes)!,
        RowOf,
        groups => groups.Groups);

    public static MsgPack.ColorGroup From(ColorRow row) => new() { Id = row.Id, Name = row.Name, Colors = [.. row.Colors] };

    public static MsgPack.ColorGroups From(IEnumerable<ColorRow> rows) => new() { Groups = [.. rows.Select(From)] };

    static ColorRow RowOf(MsgPack.ColorGroup group) => new(group.Id, group.Name, group.Colors);
}

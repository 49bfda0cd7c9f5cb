using BenchmarkDotNet.Attributes;
using MessagePack;
using ProtoBench.Harness;
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

public abstract partial class DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
{
    static ComparedLibrary ComparedMessagePack => OfOwnFormat("MessagePack", "MessagePack", typeof(MessagePackSerializer),
        plain => MessagePackSerializer.Serialize(plain), bytes => MessagePackSerializer.Deserialize<TPlain>(bytes));

    [Benchmark, BenchmarkCategory("SerializeSet"), Measures("MessagePack")]
    public long SerializeSetMessagePack() { var to = To; MessagePackSerializer.Serialize(to, content.Plain.Next); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("DeserializeSet"), Measures("MessagePack")]
    public TPlain DeserializeSetMessagePack() => MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next);

    [Benchmark, BenchmarkCategory("DeserializeTouchSet"), Measures("MessagePack")]
    public long DeserializeTouchSetMessagePack() => TSet.Touch(MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next));

    [Benchmark, BenchmarkCategory("MakeSet"), Measures("MessagePack")]
    public long MakeSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, TSet.MakePlain(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MakeNewSet"), Measures("MessagePack")]
    public long MakeNewSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, TSet.MakePlainNew(content.Source.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ForwardSet"), Measures("MessagePack")]
    public long ForwardSetMessagePack()
    {
        var to = To;
        MessagePackSerializer.Serialize(to, MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next));
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ServeSet"), Measures("MessagePack")]
    public long ServeSetMessagePack()
    {
        var request = MessagePackSerializer.Deserialize<TPlain>(content.MessagePack.Next);
        var sum = TSet.TouchThird(request);
        MessagePackSerializer.Serialize(To, TSet.Reply(request));
        return sum;
    }

    sealed partial class Content
    {
        public Cycle<byte[]> MessagePack => field ??= new([.. Messages.Select(one => MessagePackSerializer.Serialize(ToPlain(one)))]);
    }
}

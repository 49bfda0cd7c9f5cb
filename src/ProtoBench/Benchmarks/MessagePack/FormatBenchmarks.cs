using BenchmarkDotNet.Attributes;
using MessagePack;
using ProtoBench.Buffers;
using ProtoBench.Formats;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

public partial class FormatBenchmarks
{
    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalByMessagePack()
    {
        var to = Sink.BW;
        MessagePackSerializer.Serialize(to, OfMessagePack.Message);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("Marshal")]
    public byte[] MarshalByMessagePack_BA() => MessagePackSerializer.Serialize(OfMessagePack.Message);

    [Benchmark, BenchmarkCategory("Unmarshal")]
    public MsgPack.ColorGroup UnmarshalByMessagePack() => MessagePackSerializer.Deserialize<MsgPack.ColorGroup>(OfMessagePack.Bytes)!;

    static class OfMessagePack
    {
        public static readonly MsgPack.ColorGroup Message = MessagePackColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MessagePackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByMessagePack), nameof(UnmarshalManyByMessagePack)])]
    public void SetupMessagePack() => (message, bytes) = (MessagePackColors.From(Set.Rows), MessagePackColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyByMessagePack()
    {
        var to = Sink.BW;
        MessagePackSerializer.Serialize(to, (MsgPack.ColorGroups)message);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public MsgPack.ColorGroups UnmarshalManyByMessagePack() => MessagePackSerializer.Deserialize<MsgPack.ColorGroups>(bytes)!;
}

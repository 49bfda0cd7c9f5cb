using BenchmarkDotNet.Attributes;
using MemoryPack;
using ProtoBench.Buffers;
using ProtoBench.Formats;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

public partial class FormatBenchmarks
{
    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalByMemoryPack()
    {
        var to = Sink.BW;
        MemoryPackSerializer.Serialize(to, OfMemoryPack.Message);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("Marshal")]
    public byte[] MarshalByMemoryPack_BA() => MemoryPackSerializer.Serialize(OfMemoryPack.Message);

    [Benchmark, BenchmarkCategory("Unmarshal")]
    public MemPack.ColorGroup UnmarshalByMemoryPack() => MemoryPackSerializer.Deserialize<MemPack.ColorGroup>(OfMemoryPack.Bytes)!;
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public MemPack.ColorGroup UnmarshalByMemoryPack_Reuse() => MemoryPackColors.Reuse(OfMemoryPack.Message, OfMemoryPack.Bytes);

    static class OfMemoryPack
    {
        public static readonly MemPack.ColorGroup Message = MemoryPackColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = MemoryPackSerializer.Serialize(Message);
    }
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByMemoryPack), nameof(UnmarshalManyByMemoryPack)])]
    public void SetupMemoryPack() => (message, bytes) = (MemoryPackColors.From(Set.Rows), MemoryPackColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyByMemoryPack()
    {
        var to = Sink.BW;
        MemoryPackSerializer.Serialize(to, (MemPack.ColorGroups)message);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public MemPack.ColorGroups UnmarshalManyByMemoryPack() => MemoryPackSerializer.Deserialize<MemPack.ColorGroups>(bytes)!;
}

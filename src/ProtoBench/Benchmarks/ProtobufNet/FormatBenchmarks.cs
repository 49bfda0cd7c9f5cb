using BenchmarkDotNet.Attributes;
using ProtoBench.Buffers;
using ProtoBench.Formats;
using ProtoBench.Payloads;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

public partial class FormatBenchmarks
{
    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalByPBN() { var to = Sink.BW; Serializer.Serialize(to, OfProtobufNet.Message); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Pbn.ColorGroup UnmarshalByPBN() => Serializer.Deserialize<Pbn.ColorGroup>((ReadOnlyMemory<byte>)OfProtobufNet.Bytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Pbn.ColorGroup UnmarshalByPBN_Reuse() => ProtobufNetColors.Reuse(OfProtobufNet.Message, OfProtobufNet.Bytes);

    static class OfProtobufNet
    {
        public static readonly Pbn.ColorGroup Message = ProtobufNetColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = ProtobufNetColors.Format.WriteOne(ColorRow.Reds);
    }
}

public partial class FormatListBenchmarks
{
    [GlobalSetup(Targets = [nameof(MarshalManyByPBN), nameof(UnmarshalManyByPBN)])]
    public void SetupProtobufNet() => (message, bytes) = (ProtobufNetColors.From(Set.Rows), ProtobufNetColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyByPBN() { var to = Sink.BW; Serializer.Serialize(to, (Pbn.ColorGroups)message); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public Pbn.ColorGroups UnmarshalManyByPBN() => Serializer.Deserialize<Pbn.ColorGroups>((ReadOnlyMemory<byte>)bytes);
}

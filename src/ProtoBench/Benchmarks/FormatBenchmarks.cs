using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using MemoryPack;
using MessagePack;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Formats;
using ProtoBench.Payloads;
using ProtoBench.Running;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

/// <summary>
/// Converts one group of colors to bytes and back, with the usual types of each format. Cells write to a presized and reused writer, and
/// read into a new object. Marshal cells return the number of bytes or the array, Unmarshal cells the object.
/// </summary>
[CostColumns]
public class FormatBenchmarks : ISizedCells
{
    Message<SlabProtobuf.ColorGroup> last;

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => ColorFormats.Of(cell).WriteOne(ColorRow.Reds).Length;

    [Benchmark(Baseline = true), BenchmarkCategory("Marshal")]
    public long MarshalByGoogle() { var to = Sink.BW; OfGoogle.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("Marshal")] public byte[] MarshalByGoogle_BA() => OfGoogle.Message.ToByteArray();
    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalBySlab() { var to = Sink.BW; OfSlab.Message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("Marshal")] public byte[] MarshalBySlab_BA() => OfSlab.Message.ToByteArray();
    [Benchmark, BenchmarkCategory("Marshal")]
    public long MarshalBySystemTextJson()
    {
        var to = Sink.BW;
        JsonSerializer.Serialize(SystemTextJsonColors.Writer(to), OfJson.Message, Json.GeneratedJson.Default.ColorGroup);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("Marshal")]
    public byte[] MarshalBySystemTextJson_BA() =>
        JsonSerializer.SerializeToUtf8Bytes(OfJson.Message, Json.GeneratedJson.Default.ColorGroup);
    [Benchmark, BenchmarkCategory("Marshal")] public long MarshalBySchema() => OfSchema.Message.Write(Sink.BW);
    [Benchmark, BenchmarkCategory("Marshal")] public byte[] MarshalBySchema_BA() => OfSchema.Message.ToArray();

    [Benchmark(Baseline = true), BenchmarkCategory("Unmarshal")]
    public Gpb.ColorGroup UnmarshalByGoogle() => Gpb.ColorGroup.Parser.ParseFrom(OfGoogle.Bytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Gpb.ColorGroup UnmarshalByGoogle_Reuse() => GoogleColors.Reuse(OfGoogle.Message, OfGoogle.Bytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Message<SlabProtobuf.ColorGroup> UnmarshalBySlab()
    {
        last.Dispose();
        last = SlabProtobuf.ColorGroup.Rent();
        last.Parse(OfSlab.Bytes);
        return last;
    }

    [Benchmark, BenchmarkCategory("Unmarshal")] public ColorRow UnmarshalBySlab_Strings() => SlabColors.Strings(OfSlab.Bytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Json.ColorGroup UnmarshalBySystemTextJson() => JsonSerializer.Deserialize(OfJson.Bytes, Json.GeneratedJson.Default.ColorGroup)!;
    [Benchmark, BenchmarkCategory("Unmarshal")] public Schema.ColorGroup UnmarshalBySchema() => Schema.ColorGroup.Parse(OfSchema.Bytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Schema.ColorGroup UnmarshalBySchema_Reuse() => SchemaColors.Reuse(OfSchema.Message, OfSchema.Bytes);

    // One class for each format, so that a process loads only the format that its cell measures.
    static class OfGoogle
    {
        public static readonly Gpb.ColorGroup Message = GoogleColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = Message.ToByteArray();
    }

    static class OfSlab
    {
        public static readonly Message<SlabProtobuf.ColorGroup> Message = SlabColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = SlabColors.Format.WriteOne(ColorRow.Reds);
    }

    static class OfJson
    {
        public static readonly Json.ColorGroup Message = SystemTextJsonColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = JsonSerializer.SerializeToUtf8Bytes(Message, Json.GeneratedJson.Default.ColorGroup);
    }

    static class OfSchema
    {
        public static readonly Schema.ColorGroup Message = SchemaColors.From(ColorRow.Reds);
        public static readonly byte[] Bytes = Message.ToArray();
    }

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

/// <summary>Measures many groups of colors in one message, and names with non-ASCII characters, with the cells of <see
/// cref="FormatBenchmarks"/>.</summary>
[CostColumns]
public class FormatListBenchmarks : ISizedCells
{
    [ParamsSource(nameof(Sets))]
    public ColorSet Set { get; set; } = new(1, true);

    public static IEnumerable<ColorSet> Sets => [new(100, true), new(100, false), new(10_000, true), new(10_000, false)];

    public Sink Sink { get; } = new(4 << 20);

    Message<SlabProtobuf.ColorGroups> last;
    object message = new();
    byte[] bytes = [];

    public long WireBytes(string cell) => ColorFormats.Of(cell).WriteMany(Set.Rows).Length;

    [GlobalSetup(Targets = [nameof(MarshalManyByGoogle), nameof(UnmarshalManyByGoogle)])]
    public void SetupGoogle() => (message, bytes) = (GoogleColors.From(Set.Rows), GoogleColors.Format.WriteMany(Set.Rows));
    [GlobalSetup(Targets = [nameof(MarshalManyBySlab), nameof(UnmarshalManyBySlab)])]
    public void SetupSlab() => (message, bytes) = (SlabColors.From(Set.Rows), SlabColors.Format.WriteMany(Set.Rows));
    [GlobalSetup(Targets = [nameof(MarshalManyBySystemTextJson), nameof(UnmarshalManyBySystemTextJson)])]
    public void SetupJson() => (message, bytes) = (SystemTextJsonColors.From(Set.Rows), SystemTextJsonColors.Format.WriteMany(Set.Rows));
    [GlobalSetup(Targets = [nameof(MarshalManyBySchema), nameof(UnmarshalManyBySchema)])]
    public void SetupSchema() => (message, bytes) = (SchemaColors.From(Set.Rows), SchemaColors.Format.WriteMany(Set.Rows));

    [Benchmark(Baseline = true), BenchmarkCategory("MarshalMany")]
    public long MarshalManyByGoogle() { var to = Sink.BW; ((Gpb.ColorGroups)message).WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyBySlab() { var to = Sink.BW; ((Message<SlabProtobuf.ColorGroups>)message).WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyBySystemTextJson()
    {
        var to = Sink.BW;
        JsonSerializer.Serialize(SystemTextJsonColors.Writer(to), (Json.ColorGroups)message, Json.GeneratedJson.Default.ColorGroups);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("MarshalMany")] public long MarshalManyBySchema() => ((Schema.ColorGroups)message).Write(Sink.BW);

    [Benchmark(Baseline = true), BenchmarkCategory("UnmarshalMany")]
    public Gpb.ColorGroups UnmarshalManyByGoogle() => Gpb.ColorGroups.Parser.ParseFrom(bytes);
    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public Message<SlabProtobuf.ColorGroups> UnmarshalManyBySlab()
    {
        last.Dispose();
        last = SlabProtobuf.ColorGroups.Rent();
        last.Parse(bytes);
        return last;
    }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public Json.ColorGroups UnmarshalManyBySystemTextJson() => JsonSerializer.Deserialize(bytes, Json.GeneratedJson.Default.ColorGroups)!;
    [Benchmark, BenchmarkCategory("UnmarshalMany")] public Schema.ColorGroups UnmarshalManyBySchema() => Schema.ColorGroups.Parse(bytes);

    [GlobalSetup(Targets = [nameof(MarshalManyByPBN), nameof(UnmarshalManyByPBN)])]
    public void SetupProtobufNet() => (message, bytes) = (ProtobufNetColors.From(Set.Rows), ProtobufNetColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")]
    public long MarshalManyByPBN() { var to = Sink.BW; Serializer.Serialize(to, (Pbn.ColorGroups)message); return to.WrittenCount; }

    [Benchmark, BenchmarkCategory("UnmarshalMany")]
    public Pbn.ColorGroups UnmarshalManyByPBN() => Serializer.Deserialize<Pbn.ColorGroups>((ReadOnlyMemory<byte>)bytes);

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

using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Formats;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>
/// One group of colors to bytes and back, each format in its users' own types. Into a writer that is presized and reused; out of bytes into
/// a fresh object. Marshal cells return the bytes written or the array, Unmarshal cells the object.
/// </summary>
[CostColumns]
public partial class FormatBenchmarks : ISizedCells
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

    // A class each, so that a process loads only the format that its cell measures.
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
}

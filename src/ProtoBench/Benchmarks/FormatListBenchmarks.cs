using System.Text.Json;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Formats;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>Many groups of colors in one message, and names beyond ASCII. The cells are those of <see cref="FormatBenchmarks"/>.</summary>
[CostColumns]
public partial class FormatListBenchmarks : ISizedCells
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
}

using BenchmarkDotNet.Attributes;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Converts one group of colors to bytes and back, with the usual types of each format. Cells write to a presized and reused
/// writer, and read into a new object. Marshal cells return the number of bytes or the array, Unmarshal cells the object.</summary>
[CostColumns]
public partial class FormatBenchmarks : ISizedCells
{
    public Sink Sink { get; } = new();

    public long WireBytes(string cell) => ColorFormats.Of(cell).WriteOne(ColorRow.Reds).Length;

    [Benchmark, BenchmarkCategory("Marshal")] public long MarshalBySchema() => SchemaColors.Reds.Write(Sink.BW);
    [Benchmark, BenchmarkCategory("Marshal")] public byte[] MarshalBySchema_BA() => SchemaColors.Reds.ToArray();
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Positional.ColorGroup UnmarshalBySchema() => Positional.ColorGroup.Parse(SchemaColors.RedsBytes);
    [Benchmark, BenchmarkCategory("Unmarshal")]
    public Positional.ColorGroup UnmarshalBySchema_Reuse() => SchemaColors.Reuse(SchemaColors.Used, SchemaColors.RedsBytes);
}

/// <summary>The cells of <see cref="FormatBenchmarks"/> with many groups in one message, and with non-ASCII names.</summary>
[CostColumns]
public partial class FormatListBenchmarks : ISizedCells
{
    [ParamsSource(nameof(Sets))]
    public ColorSet Set { get; set; } = new(1, true);

    public static IEnumerable<ColorSet> Sets => [new(100, true), new(100, false), new(10_000, true), new(10_000, false)];

    public Sink Sink { get; } = new(4 << 20);

    byte[] bytes = [];
    PlainColorGroups plain = new();
    Positional.ColorGroups schema = new();

    public long WireBytes(string cell) => ColorFormats.Of(cell).WriteMany(Set.Rows).Length;

    [GlobalSetup(Targets = [nameof(MarshalManyBySchema), nameof(UnmarshalManyBySchema)])]
    public void SetupSchema() => (schema, bytes) = (SchemaColors.From(Set.Rows), SchemaColors.Format.WriteMany(Set.Rows));

    [Benchmark, BenchmarkCategory("MarshalMany")] public long MarshalManyBySchema() => schema.Write(Sink.BW);
    [Benchmark, BenchmarkCategory("UnmarshalMany")] public Positional.ColorGroups UnmarshalManyBySchema() => Positional.ColorGroups.Parse(bytes);

    void SetupPlain(ColorFormat format) => (plain, bytes) = (PlainColors.From(Set.Rows), format.WriteMany(Set.Rows));
}

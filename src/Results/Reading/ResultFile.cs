using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

public sealed record ResultFile
{
    // the member that shows whose file it is
    static readonly string[] kinds = ["Benchmarks", "variants", "duets"];

    public required string Path { get; init; }

    /// <summary>Every cell in every unit. A value is a sample: the median of the iterations of one launch, or one round.</summary>
    public required IReadOnlyList<Cell> Cells { get; init; }

    public IReadOnlyList<CellName> Failed { get; init; } = [];

    /// <summary>Facts that should be equal for two files that are compared (machine, runtime, settings, versions), by name.</summary>
    public required IReadOnlyDictionary<string, string> Facts { get; init; }

    public IReadOnlyList<LibraryFacts> Libraries { get; init; } = [];

    /// <summary>The commit, with "+" if the tree had other changes; null if the file does not have it.</summary>
    public string? Commit { get; init; }

    public string? Command { get; init; }

    /// <summary>The load result from which the cells were created; null for benchmarks.</summary>
    public LoadResult? Load { get; init; }

    /// <summary>The duet result with its ratios, without cells; null for benchmarks and load runs.</summary>
    public DuetResult? Duet { get; init; }

    /// <summary>The table of a file that has nothing else, and so nothing to compare; null for other files.</summary>
    public SavedTable? Table { get; init; }

    public IReadOnlyList<string> Warnings { get; init; } = [];

    public static ResultFile Read(string path) => Parse(ResultText.Read(path), path);

    public static ResultFile Parse(string json, string path)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            var root = document.RootElement;
            var kind = Array.Find(kinds, Has);
            // other results have figures of a form that only their program knows, in which null is a load that failed
            if (kind is null && SavedTable.IsIn(root))
                return new() { Path = path, Cells = [], Facts = new Dictionary<string, string>(), Table = SavedTable.Of(root, path) };
            // a reader of benchmarks names the cell that has a figure which is not finite
            if (JsonFaults.First(root, figures: false) is { } fault)
                throw DamagedFileException.Of(path, $"damaged: {fault}");
            if (kind == "Benchmarks")
                return BenchmarkDotNetFile.Parse(json, path);
            if (kind == "variants")
                return LoadCells.Of(LoadResultFile.Parse(json, path), path);
            if (kind == "duets")
                return DuetFacts.Of(DuetResultFile.Parse(json, path), path);

            bool Has(string name) => root.ValueKind == JsonValueKind.Object && root.TryGetProperty(name, out _);
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "not JSON, or cut short: " + e.Message, e);
        }

        throw DamagedFileException.Of(path, "neither BenchmarkDotNet's full JSON (--exporters json) nor a load or duet result");
    }
}

public sealed record Cell(CellName Name, Unit Unit, IReadOnlyList<double> Values, string Sample)
{
    /// <summary>They show the variation within a process, which is no basis for a verdict.</summary>
    public IReadOnlyList<double> Iterations { get; init; } = [];

    /// <summary>The number of sub-items of the message that one operation handles; null if the file does not have it.</summary>
    public int? Items { get; init; }

    /// <summary>Whether no launch of the values is reliable, because its iterations were far shorter than requested, or it was still
    /// warming up. Such values are compared only if a side has no others, and no verdict is based on them.</summary>
    public bool Doubtful { get; init; }

    /// <summary>False if the run is INVALID. Its figures are shown, and no verdict is based on them.</summary>
    public bool Valid { get; init; } = true;
}

/// <param name="Name">The name in tables, for example <c>ns/op</c> or <c>service p99</c>.</param>
public sealed record Unit(string Name, Scale Scale)
{
    /// <summary>The order of the blocks of a table. Other units follow, by name.</summary>
    static readonly string[] order = ["ns/op", "B/op", "objects/op", "calls/s", "failed/call", "response", "service", "client", "server"];

    public bool HigherIsBetter { get; init; }

    /// <summary>Whether the same program always gives the same figure, as for bytes, counts and sizes. Two such figures are compared
    /// without a test. A figure that differs between launches by more than the tolerance is tested like a time.</summary>
    public bool Exact { get; init; }

    /// <summary>The relative difference up to which exact figures are equal. For a figure of 0 only <see cref="Floor"/> applies.</summary>
    public double Tolerance { get; init; }

    /// <summary>The absolute difference up to which exact figures are equal. For other figures, the smallest change for a verdict in
    /// addition to the threshold. In the unit itself.</summary>
    public double Floor { get; init; }

    /// <summary>Gets the unit of the bytes that an operation allocates. They are an average over the operations of a run, which also
    /// includes allocations of the program: 770,802 to 770,805 B for the same build, or 1 B for an operation that allocates nothing. The
    /// floor is below 24 B, the size of the smallest object, so that one more object in each operation is always found.</summary>
    public static Unit BytesPerOperation { get; } = new("B/op", Scale.Bytes) { Exact = true, Tolerance = 0.001, Floor = 16 };

    /// <summary>Whether figures follow from another unit of the same cell, as MB/s follows from the time, or only describe the measurement,
    /// as the share of the processor. They are shown and never tested, because a cell must not be counted twice.</summary>
    public bool Derived { get; init; }

    internal (int, string) Order =>
        (Array.FindIndex(order, first => Name.StartsWith(first, StringComparison.Ordinal)) is >= 0 and var i ? i : order.Length, Name);

    public override string ToString() => Name;
}

public enum Scale
{
    Plain,

    Nanoseconds,

    Microseconds,

    Bytes,
}

/// <param name="Colour">The number of its colour: 1 to 7, or 0 for the grey of lower bounds.</param>
public sealed record LibraryFacts(
    [property: JsonPropertyName("name")] string Name,
    [property: JsonPropertyName("label")] string Label,
    [property: JsonPropertyName("colour")] int Colour);

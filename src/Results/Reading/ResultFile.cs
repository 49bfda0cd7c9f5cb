using System.Text.Json;

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

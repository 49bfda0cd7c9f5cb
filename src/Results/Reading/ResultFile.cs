using System.Text.Json;

namespace ProtoBench.Results;

/// <summary>What one file says, whatever its kind: cells with their samples, and the facts about how they came about.</summary>
public sealed record ResultFile
{
    /// <summary>The file.</summary>
    public required string Path { get; init; }

    /// <summary>Every cell in every unit. A value is a sample: the median of one launch's iterations, or one round.</summary>
    public required IReadOnlyList<Cell> Cells { get; init; }

    /// <summary>Cells that were to be measured and failed.</summary>
    public IReadOnlyList<CellName> Failed { get; init; } = [];

    /// <summary>What should agree between two files that are compared (machine, runtime, settings, versions), by name.</summary>
    public required IReadOnlyDictionary<string, string> Facts { get; init; }

    /// <summary>How pages show the libraries, where the file says it.</summary>
    public IReadOnlyList<LibraryFacts> Libraries { get; init; } = [];

    /// <summary>The commit, where the file says it, and "+" after it when the tree had other changes.</summary>
    public string? Commit { get; init; }

    /// <summary>The arguments with which the program was started, where the file says it.</summary>
    public string? Command { get; init; }

    /// <summary>The load result behind the cells; null for benchmarks.</summary>
    public LoadResult? Load { get; init; }

    /// <summary>The duet result whose ratios are ready made, with no cells beside it; null for benchmarks and load runs.</summary>
    public DuetResult? Duet { get; init; }

    /// <summary>What a reader must know before the figures, one sentence each.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Reads a file of any kind that this program knows.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="DamagedFileException">It cannot be read, is damaged, or is of another kind.</exception>
    public static ResultFile Read(string path) => Parse(ResultText.Read(path), path);

    /// <summary>Reads the text of a file of any kind that this program knows.</summary>
    /// <param name="json">The text.</param>
    /// <param name="path">Where it comes from.</param>
    /// <exception cref="DamagedFileException">It is damaged, or of another kind.</exception>
    public static ResultFile Parse(string json, string path)
    {
        try
        {
            using var document = JsonDocument.Parse(json);
            var root = document.RootElement;
            if (JsonFaults.NullElement(root) is { } fault)
                throw DamagedFileException.Of(path, $"damaged: {fault}");
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("Benchmarks", out _))
                return BenchmarkDotNetFile.Parse(json, path);
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("variants", out _))
                return LoadCells.Of(LoadResultFile.Parse(json, path), path);
            if (root.ValueKind == JsonValueKind.Object && root.TryGetProperty("duets", out _))
                return DuetFacts.Of(JsonFaults.NotFinite(root) is { } figure
                    ? throw DamagedFileException.Of(path, $"damaged: {figure}") : DuetResultFile.Parse(json, path), path);
        }
        catch (JsonException e)
        {
            throw DamagedFileException.Of(path, "not JSON, or cut short: " + e.Message, e);
        }

        throw DamagedFileException.Of(path, "neither BenchmarkDotNet's full JSON (--exporters json) nor a load or duet result");
    }
}

/// <summary>One cell in one unit.</summary>
/// <param name="Name">The cell.</param>
/// <param name="Unit">The unit of its values.</param>
/// <param name="Values">One value for each sample.</param>
/// <param name="Sample">What a sample is: "launch" or "round".</param>
public sealed record Cell(CellName Name, Unit Unit, IReadOnlyList<double> Values, string Sample)
{
    /// <summary>The iterations behind the samples, where there are any: how far
    /// figures scatter within a process, which is no basis for a verdict.</summary>
    public IReadOnlyList<double> Iterations { get; init; } = [];

    /// <summary>True when no launch behind the values can be believed: its iterations were far shorter than asked for, or it was still
    /// warming up. Such values are compared only where a side has no others, and no verdict is based on them.</summary>
    public bool Doubtful { get; init; }

    /// <summary>False when the run said of itself that it is INVALID: its figures are shown, and no verdict is based on them.</summary>
    public bool Valid { get; init; } = true;
}

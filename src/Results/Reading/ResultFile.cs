using System.Text.Json;
using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>Represents the content of a result file of any kind: cells with their samples, and the facts of the run.</summary>
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
    /// <exception cref="DamagedFileException">It cannot be read, is damaged, or is of another kind.</exception>
    public static ResultFile Read(string path) => Parse(ResultText.Read(path), path);

    /// <summary>Reads the text of a file of any kind that this program knows.</summary>
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
                return DuetFacts.Of(DuetResultFile.Parse(json, path), path);
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

    /// <summary>Sub-items of the message that one operation handles; null where the file does not say it.</summary>
    public int? Items { get; init; }

    /// <summary>True when no launch behind the values can be believed: its iterations were far shorter than asked for, or it was still
    /// warming up. Such values are compared only where a side has no others, and no verdict is based on them.</summary>
    public bool Doubtful { get; init; }

    /// <summary>False when the run said of itself that it is INVALID: its figures are shown, and no verdict is based on them.</summary>
    public bool Valid { get; init; } = true;
}

/// <summary>What a figure is measured in.</summary>
/// <param name="Name">As tables print it, for example <c>ns/op</c> or <c>service p99</c>.</param>
/// <param name="Scale">How its figures are written.</param>
public sealed record Unit(string Name, Scale Scale)
{
    /// <summary>The order of the blocks of a table; what is not here comes after, by name.</summary>
    static readonly string[] order = ["ns/op", "B/op", "objects/op", "calls/s", "failed/call", "response", "service", "client", "server"];

    /// <summary>True for rates: more is better.</summary>
    public bool HigherIsBetter { get; init; }

    /// <summary>True for bytes, counts and sizes: the same program gives the same figure, so that two figures are compared without a test.
    /// A figure that varies between launches by more than the tolerance is tested like a time.</summary>
    public bool Exact { get; init; }

    /// <summary>The relative difference of an exact figure up to which it is the same: 0, or more
    /// where it is an average or an estimate. Of a figure of 0 no share can be taken, so only <see cref="Floor"/> counts.</summary>
    public double Tolerance { get; init; }

    /// <summary>The absolute difference up to which an exact figure is the same; of other figures the change that a verdict needs beside
    /// the threshold. In the unit itself.</summary>
    public double Floor { get; init; }

    /// <summary>Bytes that an operation allocates. They are an average over the operations of a run, in which the program around
    /// them allocates too: 770,802 to 770,805 B on the same build, or 1 B for an operation that allocates nothing. The floor is
    /// below the 24 B of
    /// the smallest object, so that one object more in each operation is always seen.</summary>
    public static Unit BytesPerOperation { get; } = new("B/op", Scale.Bytes) { Exact = true, Tolerance = 0.001, Floor = 16 };

    /// <summary>True for figures that follow from another unit of the same cell, as MB/s follows from the time, or that only describe how
    /// it was measured, as the share of the processor: they are shown, and never tested, or each cell would be counted twice.</summary>
    public bool Derived { get; init; }

    /// <summary>Where a block of this unit stands in a table.</summary>
    internal (int, string) Order =>
        (Array.FindIndex(order, first => Name.StartsWith(first, StringComparison.Ordinal)) is >= 0 and var i ? i : order.Length, Name);

    /// <inheritdoc/>
    public override string ToString() => Name;
}

/// <summary>How figures of a unit are written.</summary>
public enum Scale
{
    /// <summary>As a number.</summary>
    Plain,

    /// <summary>Nanoseconds, written in the unit that fits.</summary>
    Nanoseconds,

    /// <summary>Microseconds, written in the unit that fits.</summary>
    Microseconds,

    /// <summary>Bytes.</summary>
    Bytes,
}

/// <summary>How a page shows a library, as the program that measured it has registered it.</summary>
/// <param name="Name">The library in the names of its cells: Google, PBN.</param>
/// <param name="Label">The library in texts.</param>
/// <param name="Colour">The number of its colour: 1 to 7, or 0 for the grey of lower bounds.</param>
public sealed record LibraryFacts(
    [property: JsonPropertyName("name")] string Name,
    [property: JsonPropertyName("label")] string Label,
    [property: JsonPropertyName("colour")] int Colour);

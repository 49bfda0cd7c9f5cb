using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Represents the comparison of a program with itself. Every difference in it is noise.</summary>
public sealed record NoiseReport
{
    static readonly double[] steps = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1];

    /// <summary>The rows with their absolute relative changes, smallest first.</summary>
    public required IReadOnlyList<(string Row, double Change)> Changes { get; init; }

    /// <summary>The number of rows that were tested.</summary>
    public required int Tests { get; init; }

    /// <summary>The number of tested rows whose uncorrected p-value claims a difference.</summary>
    public required int RawFalsePositives { get; init; }

    /// <summary>The number of rows whose verdict claims a difference, including exact figures that differ.</summary>
    public required int FalsePositives { get; init; }

    /// <summary>The expected number of raw false positives for samples of these sizes.</summary>
    public required double Expected { get; init; }

    /// <summary>Gets a threshold with which this run would have claimed nothing: its largest change, rounded up. Null if nothing was
    /// compared, or if it is above 100 %.</summary>
    public double? Threshold => Changes.Count == 0 ? null : steps.Cast<double?>().FirstOrDefault(step => step >= Changes[^1].Change);

    /// <summary>Creates the report from a comparison whose two columns are the same program.</summary>
    public static NoiseReport Of(Comparison comparison)
    {
        var rows = comparison.Blocks
            .Where(Measured)
            .SelectMany(block =>
                block.Rows.Select(row => (Name: comparison.Blocks.Count(Measured) > 1 ? $"{row.Name}, {block.Unit}" : row.Name, Row: row)))
            .Where(row => row.Row.Changes[^1]?.Ratio != null)
            .ToArray();
        var tested = rows.Where(row => row.Row.Changes[^1]!.P != null).Select(row => row.Row).ToArray();
        return new NoiseReport
        {
            Changes = [.. rows.Select(row => (row.Name, Math.Exp(Math.Abs(Math.Log(row.Row.Changes[^1]!.Ratio!.Value.Value))) - 1))
                .OrderBy(row => row.Item2)],
            Tests = tested.Length,
            RawFalsePositives = tested.Count(row => row.Changes[^1]!.P <= comparison.Alpha),
            FalsePositives = comparison.Changes().Count(change => change.Verdict is Verdict.Better or Verdict.Worse),
            Expected = tested.Sum(row => MannWhitney.Size(row.Samples[0]!.N, row.Samples[^1]!.N, comparison.Alpha)),
        };

        // Figures that follow from the time repeat its noise.
        static bool Measured(Block block) => block.Unit is { Exact: false, Derived: false };
    }

    /// <summary>Writes the report.</summary>
    public void Write(TextWriter writer)
    {
        if (Changes.Count == 0)
        {
            writer.Write("noise floor: no row could be compared\n");
            return;
        }

        var middle = Median.Middle([.. Changes.Select(change => change.Change)]);
        writer.Write(
            $"noise floor: the change of a row is {Figures.Share(middle)} in the median, {Figures.Share(Changes[^1].Change)} at most "
                + $"({Changes[^1].Row})\n");
        writer.Write(Tests == 0
            ? "false positives: none possible, n is too small for a test\n"
            : string.Create(CultureInfo.InvariantCulture,
                $"false positives: {RawFalsePositives} of {Tests} by p alone ({Expected:0.#} expected), {FalsePositives} as a table "
                    + $"claims them\n"));
        writer.Write(Threshold is { } threshold
            ? $"suggested: --threshold {Figures.Share(threshold)}\n"
            : "suggested: none, the noise is larger than 100%; measure on a quieter machine\n");
    }
}

using System.Globalization;

namespace ProtoBench.Results;

/// <summary>What a program compared with itself says about the measuring: every difference in it is noise.</summary>
public sealed record NoiseReport
{
    static readonly double[] steps = [0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1];

    /// <summary>The relative change of each row that has one, without its sign, and the row; smallest first.</summary>
    public required IReadOnlyList<(string Row, double Change)> Changes { get; init; }

    /// <summary>Rows that were tested.</summary>
    public required int Tests { get; init; }

    /// <summary>Tested rows whose raw p claims a difference.</summary>
    public required int RawFalsePositives { get; init; }

    /// <summary>Rows of the table whose verdict claims a difference, as a comparison
    /// would print it. An exact figure that differs is one of them.</summary>
    public required int FalsePositives { get; init; }

    /// <summary>How many raw false positives samples of these sizes give in the mean.</summary>
    public required double Expected { get; init; }

    /// <summary>A threshold under which this run would have claimed nothing: its largest change,
    /// rounded up. Null when nothing could be compared, or it is beyond 100 %.</summary>
    public double? Threshold => Changes.Count == 0 ? null : steps.Cast<double?>().FirstOrDefault(step => step >= Changes[^1].Change);

    /// <summary>Of a comparison whose two columns are the same program.</summary>
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

        // What follows from the time is the same noise once more.
        static bool Measured(Block block) => block.Unit is { Exact: false, Derived: false };
    }

    /// <summary>The report in a few lines.</summary>
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

namespace ProtoBench.Results;

/// <summary>A finished comparison: everything that a table shows, as data.</summary>
public sealed record Comparison
{
    /// <summary>The schema of this as JSON.</summary>
    public int SchemaVersion { get; init; } = 1;

    /// <summary>Where each figure comes from, one for each side.</summary>
    public required IReadOnlyList<SideSummary> Sides { get; init; }

    /// <summary>The heads of the columns; every other one is compared with the first.</summary>
    public required IReadOnlyList<string> Columns { get; init; }

    /// <summary>What must be known before the figures: mismatches, invalid runs, damaged settings.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    /// <summary>The chance of a false claim that the verdicts allow.</summary>
    public required double Alpha { get; init; }

    /// <summary>The relative change that a verdict needs; 0 when every one counts.</summary>
    public required double Threshold { get; init; }

    /// <summary>The absolute change of a time, in nanoseconds, that a verdict needs; 0 when every one counts.</summary>
    public double Floor { get; init; }

    /// <summary>Whether p was corrected over the table by Holm's method.</summary>
    public required bool Corrected { get; init; }

    /// <summary>The number of tests in the whole table, over which p was corrected.</summary>
    public required int Tests { get; init; }

    /// <summary>The test behind every p.</summary>
    public string Test { get; init; } = "Mann-Whitney";

    /// <summary>What the ratios are.</summary>
    public string Estimate { get; init; } = "Hodges-Lehmann ratio";

    /// <summary>How many samples a side would let every row of this table be called better or worse; null where each of them can.</summary>
    public int? SamplesNeeded { get; init; }

    /// <summary>What would let every row be judged, as a sentence; null where each of them can.</summary>
    public string? Remedy { get; init; }

    /// <summary>How many changes of the whole table have each verdict, also where <see cref="Blocks"/> shows only some rows.</summary>
    public required IReadOnlyDictionary<Verdict, int> Verdicts { get; init; }

    /// <summary>How many rows of the table <see cref="Blocks"/> leaves out, because the reader asked for some only.</summary>
    public int HiddenRows { get; init; }

    /// <summary>One block for each unit.</summary>
    public required IReadOnlyList<Block> Blocks { get; init; }

    /// <summary>Rows that failed, and in which column.</summary>
    public required IReadOnlyList<Missing> Failed { get; init; }

    /// <summary>Rows that are not in every column, and in which they are.</summary>
    public required IReadOnlyList<Missing> Unmatched { get; init; }

    /// <summary>Every change of the table.</summary>
    public IEnumerable<Change> Changes() => Blocks.SelectMany(block => block.Rows).SelectMany(row => row.Changes).OfType<Change>();

    /// <summary>Returns whether a row changed in the way that is asked for. <see cref="Guard"/> also tells when there were too few samples
    /// to show it.</summary>
    /// <param name="on">What it fails on.</param>
    public bool Fails(FailOn on) => on switch
    {
        FailOn.Worse =>
            Failed.Any(missing => missing.Columns.Any(column => column != Columns[0])) || Verdicts.GetValueOrDefault(Verdict.Worse) > 0,
        FailOn.Any =>
            Failed.Count > 0 || Unmatched.Count > 0
            || Verdicts.GetValueOrDefault(Verdict.Worse) + Verdicts.GetValueOrDefault(Verdict.Better) > 0,
        _ => false,
    };

    /// <summary>The answer to a guard. Call it before rows are hidden.</summary>
    /// <param name="on">What the guard fails on.</param>
    public GuardAnswer Guard(FailOn on)
    {
        if (Fails(on))
            return GuardAnswer.Failed;
        if (!Changes().Any() || (on != FailOn.Never && Unmatched.Any(row => row.Columns.Contains(Columns[0]))))
            return GuardAnswer.Incomplete;
        return on != FailOn.Never && Changes().Any(change => !change.Judgeable) ? GuardAnswer.CannotJudge : GuardAnswer.Passed;
    }
}

/// <summary>What a comparison answers to a guard.</summary>
public enum GuardAnswer
{
    /// <summary>Every row was judged, and none is as the guard forbids.</summary>
    Passed,

    /// <summary>A row is as the guard forbids.</summary>
    Failed,

    /// <summary>There are rows of which no change, however large, could
    /// have been called worse: too few launches, or invalid runs.</summary>
    CannotJudge,

    /// <summary>Nothing was compared, or rows of the first column are missing in another one.</summary>
    Incomplete,
}

/// <summary>What a comparison fails on.</summary>
public enum FailOn
{
    /// <summary>On nothing.</summary>
    Never,

    /// <summary>On a row that became worse, or that failed in a later column.</summary>
    Worse,

    /// <summary>On every change, better or worse, and on rows that are not in every column.</summary>
    Any,
}

/// <summary>Where the figures of a side come from.</summary>
/// <param name="Label">The side.</param>
/// <param name="Files">How many files it pools.</param>
/// <param name="Commits">The commits that they name, "+" after one whose tree had other changes.</param>
/// <param name="Environment">Machine and runtime, for the heading.</param>
public sealed record SideSummary(string Label, int Files, IReadOnlyList<string> Commits, string Environment);

/// <summary>A row that is not everywhere.</summary>
/// <param name="Row">The row.</param>
/// <param name="Columns">The columns that it is about.</param>
public sealed record Missing(string Row, IReadOnlyList<string> Columns);

/// <summary>The rows of one unit.</summary>
/// <param name="Unit">The unit.</param>
/// <param name="Rows">The rows, in natural order of their names.</param>
/// <param name="Geomean">The geometric mean of the medians in each column, over the rows
/// that are in all columns and above 0 there; null where there is no such row.</param>
/// <param name="GeomeanRows">How many rows that are.</param>
public sealed record Block(Unit Unit, IReadOnlyList<Row> Rows, IReadOnlyList<double?> Geomean, int GeomeanRows)
{
    /// <summary>In each column the geometric mean of those rows' ratios to the first column,
    /// with its interval; null in the first, and where there is no such row.</summary>
    public required IReadOnlyList<RatioEstimate?> GeomeanChange { get; init; }
}

/// <summary>One row: a figure in each column.</summary>
/// <param name="Name">The row.</param>
/// <param name="Samples">In each column the sample, or null where the row is not.</param>
/// <param name="Changes">In each column the change from the first one; null in the first, and where one of the two is not.</param>
public sealed record Row(string Name, IReadOnlyList<SampleSummary?> Samples, IReadOnlyList<Change?> Changes);

/// <summary>A sample in brief.</summary>
/// <param name="N">The number of launches or rounds.</param>
/// <param name="Median">Their median with its interval.</param>
public sealed record SampleSummary(int N, Median Median)
{
    /// <summary>Whether the samples, or the iterations behind them, fall into
    /// two groups, so that the median may lie between two states.</summary>
    public bool Bimodal { get; init; }
}

/// <summary>A change from the first column to another.</summary>
public sealed record Change
{
    /// <summary>What it comes to.</summary>
    public required Verdict Verdict { get; init; }

    /// <summary>New by old: Hodges-Lehmann, the quotient of exact figures, or a ratio that was measured as such. Null where a figure is not
    /// above 0. Its interval is for this row alone, at 1 - alpha.</summary>
    public RatioEstimate? Ratio { get; init; }

    /// <summary>The p of this row alone; null where there was no test.</summary>
    public double? P { get; init; }

    /// <summary>The p over the whole table; null where there was no test or no correction.</summary>
    public double? CorrectedP { get; init; }

    /// <summary>The smallest relative change that these samples could have shown as
    /// significant in this table; null where none, or without a test.</summary>
    public double? Sees { get; init; }

    /// <summary>The relative change that a verdict on this row needed: the threshold,
    /// or what the floor comes to in this row; 0 where every change counts.</summary>
    public double Limit { get; init; }

    /// <summary>False where no change, however large, could have been called better or worse: too
    /// few launches for the table, or a run that said of itself that it is invalid.</summary>
    public bool Judgeable { get; init; } = true;

    /// <summary>Why there is no more to say.</summary>
    public string? Note { get; init; }

    /// <summary>Whether the whole interval lies within the limit, so that the change is surely smaller.</summary>
    internal bool SurelyBelow => Ratio is { } ratio && ratio.High < 1 + Limit && ratio.Low > 1 / (1 + Limit);
}

/// <summary>What a change comes to.</summary>
public enum Verdict
{
    /// <summary>Cannot say: not significant, or no test was possible. Printed as <c>~</c>.</summary>
    Unclear,

    /// <summary>Exact figures that are the same. Printed as <c>~</c>.</summary>
    Equal,

    /// <summary>Significant, but surely or possibly smaller than the threshold or the floor.</summary>
    Small,

    /// <summary>Significant, beyond the threshold, and in the good direction of its unit.</summary>
    Better,

    /// <summary>Significant, beyond the threshold, and in the bad direction of its unit.</summary>
    Worse,

    /// <summary>A figure that follows from another unit: shown, and not judged a second time.</summary>
    Untested,
}

namespace ProtoBench.Results;

public sealed record Comparison
{
    public int SchemaVersion { get; init; } = 1;

    public required IReadOnlyList<SideSummary> Sides { get; init; }

    /// <summary>The headings of the columns. All other columns are compared with the first.</summary>
    public required IReadOnlyList<string> Columns { get; init; }

    public required IReadOnlyList<string> Warnings { get; init; }

    public required double Alpha { get; init; }

    public required double Threshold { get; init; }

    /// <summary>The number of tests in the whole table, over which p was corrected by Holm's method.</summary>
    public required int Tests { get; init; }

    public string Test { get; init; } = "Mann-Whitney";

    public string Estimate { get; init; } = "Hodges-Lehmann ratio";

    public string Spread { get; init; } = "95% interval of the median (the range where n < 6)";

    /// <summary>What an interval of this table does not contain; null if the intervals need no explanation.</summary>
    public string? Scope { get; init; }

    /// <summary>The number of samples on each side with which every row could be called better or worse; null if every row can.</summary>
    public int? SamplesNeeded { get; init; }

    public string? Remedy { get; init; }

    /// <summary>In the whole table, including rows that <see cref="Blocks"/> does not show.</summary>
    public required IReadOnlyDictionary<Verdict, int> Verdicts { get; init; }

    public int HiddenRows { get; init; }

    public required IReadOnlyList<Block> Blocks { get; init; }

    public required IReadOnlyList<Missing> Failed { get; init; }

    public required IReadOnlyList<Missing> Unmatched { get; init; }

    public IEnumerable<Change> Changes() => Blocks.SelectMany(block => block.Rows).SelectMany(row => row.Changes).OfType<Change>();

    /// <summary>Leaves the rows that are better or worse in some column. The others were compared, and are counted.</summary>
    public Comparison OnlyChanged()
    {
        Block[] blocks =
        [
            .. Blocks.Select(block => block with
            {
                Rows = [.. block.Rows.Where(row => row.Changes.Any(change => change?.Verdict is Verdict.Better or Verdict.Worse))],
            }),
        ];
        return this with
        {
            Blocks = [.. blocks.Where(block => block.Rows.Count > 0)],
            HiddenRows = Blocks.Sum(block => block.Rows.Count) - blocks.Sum(block => block.Rows.Count),
        };
    }

    /// <summary><see cref="Guard"/> also reports rows with too few samples.</summary>
    public bool Fails(FailOn on) => on switch
    {
        FailOn.Worse =>
            Failed.Any(missing => missing.Columns.Any(column => column != Columns[0])) || Verdicts.GetValueOrDefault(Verdict.Worse) > 0,
        FailOn.Any =>
            Failed.Count > 0 || Unmatched.Count > 0
            || Verdicts.GetValueOrDefault(Verdict.Worse) + Verdicts.GetValueOrDefault(Verdict.Better) > 0,
        _ => false,
    };

    /// <summary>Returns the result of a guard. It must be called before rows are hidden.</summary>
    /// <returns><see cref="ExitCode.Done"/> if every row was judged, and none has the forbidden change. <see cref="ExitCode.Invalid"/> if no
    /// change of some rows could have been called worse, because there are too few launches or the runs are invalid. <see
    /// cref="ExitCode.Incomplete"/> if nothing was compared, or rows of the first column are missing in another one.</returns>
    public int Guard(FailOn on)
    {
        if (Fails(on))
            return ExitCode.Failed;
        if (!Changes().Any() || (on != FailOn.Never && Unmatched.Any(row => row.Columns.Contains(Columns[0]))))
            return ExitCode.Incomplete;
        return on != FailOn.Never && Changes().Any(change => !change.Judgeable) ? ExitCode.Invalid : ExitCode.Done;
    }
}

public enum FailOn
{
    Never,

    Worse,

    /// <summary>A row became better or worse, or is not in every column.</summary>
    Any,
}

/// <param name="Commits">The commits in the files, with "+" if the tree had other changes.</param>
public sealed record SideSummary(string Label, int Files, IReadOnlyList<string> Commits, string Environment);

public sealed record Missing(string Row, IReadOnlyList<string> Columns);

/// <param name="Geomean">Of the medians in each column, over the rows that are above 0 and judged in all columns; null without one.</param>
/// <param name="GeomeanChange">Of the ratios of those rows to the first column, with its interval; null for that column, and without a
/// row.</param>
public sealed record Block(
    Unit Unit, IReadOnlyList<Row> Rows, IReadOnlyList<double?> Geomean, int GeomeanRows, IReadOnlyList<RatioEstimate?> GeomeanChange);

/// <param name="Samples">For each column the sample; null if the column does not have the row.</param>
/// <param name="Changes">From the first column; null for the first, and if either of the two does not have the row.</param>
public sealed record Row(string Name, IReadOnlyList<SampleSummary?> Samples, IReadOnlyList<Change?> Changes);

/// <param name="Bimodal">Whether the samples, or their iterations, fall into two groups, so that the median may lie between two
/// states.</param>
public sealed record SampleSummary(int N, Median Median, bool Bimodal);

/// <param name="Ratio">New by old: the Hodges-Lehmann estimate, the quotient of exact figures, or a measured ratio. Null if a figure is not
/// above 0. The interval is for this row alone, at level 1 - alpha.</param>
/// <param name="P">The p-value of this row alone; null without a test.</param>
/// <param name="CorrectedP">The p-value corrected over the whole table; null without a test.</param>
/// <param name="Sees">The smallest relative change that these samples could have shown as significant in this table; null for none.</param>
/// <param name="Limit">For a verdict on this row: the threshold, or the floor of the unit as a share of this row; 0 if every change counts.</param>
/// <param name="Judgeable">False if no verdict is possible: too few launches for the table, or a run is invalid.</param>
/// <param name="Note">The reason why there is no verdict.</param>
public sealed record Change(
    Verdict Verdict, RatioEstimate? Ratio = null, double? P = null, double? CorrectedP = null, double? Sees = null, double Limit = 0,
    bool Judgeable = true, string? Note = null)
{
    internal bool SurelyBelow => Ratio is { } ratio && ratio.High < 1 + Limit && ratio.Low > 1 / (1 + Limit);
}

public enum Verdict
{
    /// <summary>Not significant, or no test was possible. Printed as <c>~</c>.</summary>
    Unclear,

    /// <summary>Equal exact figures. Printed as <c>~</c>.</summary>
    Equal,

    /// <summary>Significant, but the change is smaller than the threshold, or may be smaller.</summary>
    Small,

    /// <summary>Significant, larger than the threshold, and better for this unit.</summary>
    Better,

    /// <summary>Significant, larger than the threshold, and worse for this unit.</summary>
    Worse,

    /// <summary>A figure that follows from another unit. It is shown and not judged again.</summary>
    Untested,
}

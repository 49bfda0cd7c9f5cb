namespace ProtoBench.Results;

/// <summary>Represents the rows of a comparison to show, and their order. Hidden rows were compared and are counted.</summary>
public sealed record RowSelection
{
    /// <summary>Whether only rows that are better or worse in some column are shown.</summary>
    public bool ChangedOnly { get; init; }

    /// <summary>Whether the rows with the largest change for the worse come first. Otherwise rows are sorted by name.</summary>
    public bool ByChange { get; init; }

    /// <summary>The number of rows of each unit: those with the largest changes in either direction; null for all.</summary>
    public int? Top { get; init; }

    /// <summary>Returns the comparison with the selected rows.</summary>
    public Comparison Of(Comparison comparison)
    {
        Block[] blocks = [.. comparison.Blocks.Select(block => block with { Rows = Rows(block) })];
        return comparison with
        {
            Blocks = [.. blocks.Where(block => block.Rows.Count > 0)],
            HiddenRows = Count(comparison.Blocks) - Count(blocks)
        };
        static int Count(IEnumerable<Block> blocks) => blocks.Sum(block => block.Rows.Count);
    }

    IReadOnlyList<Row> Rows(Block block)
    {
        IEnumerable<Row> rows = block.Rows;
        if (ChangedOnly)
            rows = rows.Where(row => row.Changes.Any(change => change?.Verdict is Verdict.Better or Verdict.Worse));
        if (Top is { } top)
            rows = rows.OrderByDescending(row => row.Changes.Select(change => Math.Abs(Worse(block.Unit, change))).Max()).Take(top)
                .ToHashSet() is var largest ? block.Rows.Where(largest.Contains) : [];
        return [.. ByChange
            ? rows.OrderByDescending(row => row.Changes.Select(change => Worse(block.Unit, change)).MaxBy(Math.Abs)) : rows];
    }

    // How much worse a row is, on a logarithmic scale. A row without a ratio is first if it has a verdict, and last if it has none.
    static double Worse(Unit unit, Change? change) => change switch
    {
        { Ratio: { } ratio } when ratio.Value > 0 => Math.Log(ratio.Value) * (unit.HigherIsBetter ? -1 : 1),
        { Verdict: Verdict.Worse } => double.PositiveInfinity,
        { Verdict: Verdict.Better } => double.NegativeInfinity,
        _ => 0,
    };
}

namespace ProtoBench.Results;

/// <summary>Which rows of a finished comparison are shown, and in which
/// order. What is hidden was compared, and counts, all the same.</summary>
public sealed record RowSelection
{
    /// <summary>Only rows that are better or worse in some column.</summary>
    public bool ChangedOnly { get; init; }

    /// <summary>Rows with the largest change for the worse first; otherwise by name.</summary>
    public bool ByChange { get; init; }

    /// <summary>Only so many rows of each unit: those with the largest changes in either direction; null for all.</summary>
    public int? Top { get; init; }

    /// <summary>The comparison with the chosen rows only.</summary>
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

    // How much worse, on the scale on which a factor and its inverse are equally far from no
    // change. A row without a ratio is first where it has a verdict, and last where it has none.
    static double Worse(Unit unit, Change? change) => change switch
    {
        { Ratio: { } ratio } when ratio.Value > 0 => Math.Log(ratio.Value) * (unit.HigherIsBetter ? -1 : 1),
        { Verdict: Verdict.Worse } => double.PositiveInfinity,
        { Verdict: Verdict.Better } => double.NegativeInfinity,
        _ => 0,
    };
}

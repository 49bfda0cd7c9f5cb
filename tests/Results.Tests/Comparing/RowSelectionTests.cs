namespace ProtoBench.Results.Tests;

public class RowSelectionTests
{
    static readonly Comparison comparison = Comparer.Compare([Side("old", _ => 1), Side("new", factor => factor)], new ComparisonOptions());

    [Fact]
    public void Everything_by_name_is_the_default() => Assert.Equal(["Half", "Much", "Same", "Some", "Twice"], Rows(new RowSelection()));

    [Fact]
    public void Only_rows_with_a_verdict_are_changed() =>
        Assert.Equal(["Half", "Much", "Some", "Twice"], Rows(new RowSelection { ChangedOnly = true }));

    [Fact]
    public void The_worst_comes_first() =>
        Assert.Equal(["Much", "Twice", "Some", "Same", "Half"], Rows(new RowSelection { ByChange = true }));

    // Half is as far from no change as Twice.
    [Fact]
    public void The_largest_changes_in_either_direction_are_the_top() =>
        Assert.Equal(["Half", "Much", "Twice"], Rows(new RowSelection { Top = 3 }));

    [Fact]
    public void What_is_hidden_counts_all_the_same()
    {
        var shown = new RowSelection { Top = 1, ChangedOnly = true }.Of(comparison);
        Assert.Equal((4, GuardAnswer.Failed), (shown.HiddenRows, shown.Guard(FailOn.Worse)));
        Assert.Contains("4 rows are not shown", RowText.Missing(shown));
        Assert.StartsWith("1 better, 3 worse, 0 equal, 1 undecided; 5 tests", RowText.Legend(shown).First(), StringComparison.Ordinal);
    }

    static IEnumerable<string> Rows(RowSelection selection) => selection.Of(comparison).Blocks.Single().Rows.Select(row => row.Name);

    static Side Side(string label, Func<double, double> factor) => Made.Side(
        label,
        [
            .. new[] { ("Same", 1.0), ("Half", 0.499), ("Twice", 2), ("Much", 50), ("Some", 1.2) }
                .Select(cell => Made.Cell(cell.Item1, Made.Time, [.. Enumerable.Range(0, 7).Select(i => (100 + i) * factor(cell.Item2))])),
        ]);
}

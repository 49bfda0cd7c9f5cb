namespace ProtoBench.Results.Tests;

public class ComparisonTests
{
    static readonly Comparison comparison = Comparer.Compare([Side("old", _ => 1), Side("new", factor => factor)], new ComparisonOptions());

    [Fact]
    public void Rows_are_shown_by_name() => Assert.Equal(["Half", "Much", "Same", "Some", "Twice"], Rows(comparison));

    [Fact]
    public void Only_rows_with_a_verdict_are_changed() => Assert.Equal(["Half", "Much", "Some", "Twice"], Rows(comparison.OnlyChanged()));

    [Fact]
    public void What_is_hidden_counts_all_the_same()
    {
        var shown = comparison.OnlyChanged();
        Assert.Equal((1, ExitCode.Failed), (shown.HiddenRows, shown.Guard(FailOn.Worse)));
        Assert.Contains("1 row is not shown", RowText.Missing(shown));
        Assert.StartsWith("1 better, 3 worse, 0 equal, 1 undecided; 5 tests", RowText.Legend(shown).First(), StringComparison.Ordinal);
    }

    static IEnumerable<string> Rows(Comparison comparison) => comparison.Blocks.Single().Rows.Select(row => row.Name);

    static Side Side(string label, Func<double, double> factor) => Made.Side(
        label,
        [
            .. new[] { ("Same", 1.0), ("Half", 0.499), ("Twice", 2), ("Much", 50), ("Some", 1.2) }
                .Select(cell => Made.Cell(cell.Item1, Made.Time, [.. Enumerable.Range(0, 7).Select(i => (100 + i) * factor(cell.Item2))])),
        ]);
}

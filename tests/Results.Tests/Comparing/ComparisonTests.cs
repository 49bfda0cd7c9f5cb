namespace ProtoBench.Results.Tests;

public class NoiseReportTests
{
    [Fact]
    public void It_tells_the_floor_the_false_claims_and_a_threshold()
    {
        double[] times = [100, 101, 102, 103, 104];
        var comparison = Comparer.Compare(
            [
                Made.Side("a", Made.Cell("Quiet", Made.Time, times), Made.Cell("Moved", Made.Time, times),
                    Made.Cell("Quiet", Made.Bytes, 24)),
                Made.Side("b", Made.Cell("Quiet", Made.Time, times), Made.Cell("Moved", Made.Time, [.. times.Select(time => time * 1.06)]),
                    Made.Cell("Quiet", Made.Bytes, 24)),
            ],
            new ComparisonOptions());
        var report = NoiseReport.Of(comparison);
        Assert.Equal(["Quiet", "Moved"], report.Changes.Select(change => change.Row));
        Assert.Equal(0.06, report.Changes[1].Change, 1e-9);
        Assert.Equal((2, 1, 1, 0.075), (report.Tests, report.RawFalsePositives, report.FalsePositives, report.Threshold));
        Assert.Equal(2 * 8.0 / 252, report.Expected, 1e-12);
        using var writer = new StringWriter();
        report.Write(writer);
        Assert.Equal(
            "noise floor: the change of a row is 3% in the median, 6% at most (Moved)\nfalse positives: 1 of 2 by p alone (0.1 "
                + "expected), 1 as a table claims them\nsuggested: --threshold 7.5%\n",
            writer.ToString());
    }

    [Fact]
    public void A_change_downwards_is_as_much_noise_as_one_upwards()
    {
        var comparison =
            Comparer.Compare([Made.Side("a", Made.Cell("A", Made.Time, 106)), Made.Side("b", Made.Cell("A", Made.Time, 100))],
                new ComparisonOptions());
        Assert.Equal(0.06, NoiseReport.Of(comparison).Changes.Single().Change, 1e-9);
    }

    [Fact]
    public void Too_few_launches_are_said_and_still_have_a_floor()
    {
        var comparison =
            Comparer.Compare([Made.Side("a", Made.Cell("A", Made.Time, 100, 101)), Made.Side("b", Made.Cell("A", Made.Time, 104, 105))],
                new ComparisonOptions());
        using var writer = new StringWriter();
        NoiseReport.Of(comparison).Write(writer);
        Assert.Contains("none possible, n is too small for a test", writer.ToString(), StringComparison.Ordinal);
        Assert.Contains("--threshold 5%", writer.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Noise_beyond_every_threshold_and_nothing_at_all_are_said()
    {
        Assert.Null(NoiseReport.Of(
            Comparer.Compare([Made.Side("a", Made.Cell("A", Made.Time, 1)), Made.Side("b", Made.Cell("A", Made.Time, 3))],
                new ComparisonOptions())).Threshold);
        Assert.Null(NoiseReport.Of(
            Comparer.Compare([Made.Side("a", Made.Cell("A", Made.Time, 1)), Made.Side("b", Made.Cell("B", Made.Time, 3))],
                new ComparisonOptions())).Threshold);
    }
}

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

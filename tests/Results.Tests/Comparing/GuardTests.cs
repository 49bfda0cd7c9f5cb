using System.Text.Json.Nodes;

namespace ProtoBench.Results.Tests;

/// <summary>What a pull request relies on: a regression never passes, and an unchanged build never fails.</summary>
public class GuardTests
{
    static readonly Unit rate = new("MB/s", Scale.Plain) { HigherIsBetter = true, Derived = true };
    static readonly Unit bytes = new("B/op", Scale.Bytes) { Exact = true, Tolerance = 0.001 };

    [Fact]
    public void A_derived_figure_is_shown_and_counts_for_nothing()
    {
        var comparison = Hive(factor: 10, cells: 3, n: 5);
        Assert.Equal(3, comparison.Tests);
        Assert.All(comparison.Blocks.Single(block => block.Unit.Derived).Rows,
            row => Assert.Equal((Verdict.Untested, (double?)null), (row.Changes[1]!.Verdict, row.Changes[1]!.P)));
        Assert.Equal((3, 3), (comparison.Verdicts[Verdict.Worse], comparison.Verdicts[Verdict.Untested]));
        Assert.Equal(ExitCode.Failed, comparison.Guard(FailOn.Worse));
    }

    // 24 tests at 0.05 need p = 0.0021, and five a side show 2/252 = 0.0079 at best; seven show 2/3432.
    [Fact]
    public void A_table_in_which_nothing_could_be_significant_does_not_pass()
    {
        var comparison = Hive(factor: 10, cells: 24, n: 5);
        Assert.Equal((ExitCode.Invalid, 7), (comparison.Guard(FailOn.Worse), comparison.SamplesNeeded));
        Assert.Equal(ExitCode.Invalid, Hive(factor: 1, cells: 24, n: 5).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Done, comparison.Guard(FailOn.Never));

        Assert.Equal((ExitCode.Failed, (int?)null),
            (Hive(factor: 10, cells: 24, n: 7).Guard(FailOn.Worse), Hive(factor: 10, cells: 24, n: 7).SamplesNeeded));
        Assert.Equal(ExitCode.Done, Hive(factor: 1, cells: 24, n: 7).Guard(FailOn.Worse));
    }

    [Theory]
    [InlineData(1, 4)]
    [InlineData(3, 4)]
    public void Few_launches_say_how_many_it_takes(int n, int needed) =>
        Assert.Equal((ExitCode.Invalid, needed), (Hive(10, cells: 1, n).Guard(FailOn.Worse), Hive(10, cells: 1, n).SamplesNeeded));

    [Fact]
    public void One_row_that_cannot_be_judged_is_enough()
    {
        Cell[] Cells(double factor) => [.. Enumerable.Range(0, 5).Select(i => Time($"Cell{i}", 1, 7)), Time("Slow", factor, 3)];
        var comparison = Compare(Cells(1), Cells(10));
        Assert.Equal((ExitCode.Invalid, 1),
            (comparison.Guard(FailOn.Worse), comparison.Changes().Count(change => !change.Judgeable)));
    }

    [Fact]
    public void An_invalid_run_does_not_pass() =>
        Assert.Equal(ExitCode.Invalid, Compare([Time("A", 1, 6)], [Time("A", 10, 6) with { Valid = false }]).Guard(FailOn.Worse));

    [Fact]
    public void What_is_worse_is_said_before_what_cannot_be_judged() => Assert.Equal(
        ExitCode.Failed,
            Compare([Made.Cell("A", bytes, 100), Time("A", 1, 1)], [Made.Cell("A", bytes, 200), Time("A", 1, 1)]).Guard(FailOn.Worse));

    [Fact]
    public void Cells_that_are_missing_do_not_pass()
    {
        Assert.Equal(ExitCode.Incomplete, Compare([Time("A", 1, 6)], [Time("B", 1, 6)]).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Incomplete, Compare([Time("A", 1, 6)], [Time("B", 1, 6)]).Guard(FailOn.Never));
        Assert.Equal(ExitCode.Incomplete, Compare([Time("A", 1, 6), Time("B", 1, 6)], [Time("A", 1, 6)]).Guard(FailOn.Worse));
        Assert.Equal(ExitCode.Done, Compare([Time("A", 1, 6), Time("B", 1, 6)], [Time("A", 1, 6)]).Guard(FailOn.Never));
        Assert.Equal(ExitCode.Done, Compare([Time("A", 1, 6)], [Time("A", 1, 6), Time("B", 1, 6)]).Guard(FailOn.Worse));
    }

    [Theory]
    [InlineData(770_802, 770_805, Verdict.Equal)]
    [InlineData(770_805, 770_802, Verdict.Equal)]
    [InlineData(592_943, 592_939, Verdict.Equal)]
    [InlineData(420_000, 420_001, Verdict.Equal)]
    [InlineData(770_802, 775_000, Verdict.Worse)]
    [InlineData(24, 25, Verdict.Worse)]
    [InlineData(24, 32, Verdict.Worse)]
    [InlineData(0, 1, Verdict.Worse)]
    [InlineData(1, 0, Verdict.Better)]
    public void Allocated_bytes_of_one_build_are_the_same(double old, double @new, Verdict verdict)
    {
        Assert.Equal(verdict, Compare([Made.Cell("A", bytes, old)], [Made.Cell("A", bytes, @new)]).Changes().Single().Verdict);
        Assert.Equal(verdict, Compare([Made.Cell("A", bytes, old, old)], [Made.Cell("A", bytes, @new, @new)]).Changes().Single().Verdict);
    }

    [Fact]
    public void A_file_says_how_exact_its_bytes_are()
    {
        Side Read(string label, int allocated)
        {
            var json = JsonNode.Parse(File.ReadAllText(Data.PathOf("as-written.json")))!;
            json["Benchmarks"]![0]!["Memory"]!["BytesAllocatedPerOperation"] = allocated;
            return new(label, [ResultFile.Parse(json.ToJsonString(), label + ".json")]);
        }

        var comparison = Comparer.Compare([Read("old", 770_802), Read("new", 770_805)], new ComparisonOptions { Filters = ["unit=B/op"] });
        Assert.Equal(770_805, comparison.Blocks.Single().Rows[0].Samples[1]!.Median.Value);
        Assert.Equal(ExitCode.Done, comparison.Guard(FailOn.Any));
    }

    // The estimate of these is beyond 5 %, and the interval reaches far below.
    [Fact]
    public void A_threshold_holds_for_the_whole_interval()
    {
        double[] old = [100, 101, 102, 103, 104, 105], @new = [103, 105.2, 109, 110.5, 112, 114];
        var change = Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)],
            new ComparisonOptions { Threshold = 0.05 }).Changes().Single();
        Assert.True(change.P <= 0.05 && change.Ratio!.Value.Value > 1.05 && change.Ratio.Value.Low < 1.05, $"{change.P} {change.Ratio}");
        Assert.Equal((Verdict.Small, false), (change.Verdict, change.SurelyBelow));
        Assert.Equal(Verdict.Worse,
            Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)]).Changes().Single().Verdict);
        Assert.Equal(Verdict.Worse,
            Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, [.. @new.Select(value => value * 1.1)])],
                new ComparisonOptions { Threshold = 0.05 }).Changes().Single().Verdict);
        Assert.True(Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)], new ComparisonOptions { Threshold = 0.3 })
            .Changes().Single().SurelyBelow);
    }

    // A verdict beyond the threshold is exactly an interval beyond it, where nothing is corrected.
    [Fact]
    public void A_verdict_and_the_interval_agree()
    {
        var random = new Random(31);
        var seen = new HashSet<Verdict>();
        for (var i = 0; i < 1_000; i++)
        {
            var threshold = random.NextDouble() * 0.2;
            var shift = 1 + (0.4 * random.NextDouble());
            double[] Draw(double factor) =>
                [.. Enumerable.Range(0, random.Next(4, 10)).Select(_ => factor * (1 + (0.2 * random.NextDouble())))];
            var (a, b) = random.Next(2) == 0 ? (1, shift) : (shift, 1.0);
            var change = Compare([Made.Cell("A", Made.Time, Draw(a))], [Made.Cell("A", Made.Time, Draw(b))],
                new ComparisonOptions { Threshold = threshold }).Changes().Single();
            var ratio = change.Ratio!.Value;
            var expected = ratio.Low > 1 + threshold ? Verdict.Worse : ratio.High < 1 / (1 + threshold) ? Verdict.Better : ratio.Low > 1
                || ratio.High < 1 ? Verdict.Small : Verdict.Unclear;
            Assert.True(expected == change.Verdict, $"run {i} of seed 31: {change.Verdict} at {threshold} for {ratio}");
            seen.Add(change.Verdict);
        }

        Assert.Equal(4, seen.Count);
    }

    // Old and new differ by exactly the threshold: a claim is false, and may be made in at most 5 % of the tables, here of five rows each.
    [Fact]
    public void A_change_that_is_no_larger_than_the_threshold_is_rarely_claimed()
    {
        const int runs = 1_000;
        var random = new Random(32);
        var claimed = 0;
        for (var i = 0; i < runs; i++)
        {
            Cell[] Rows(double factor) =>
                [.. Enumerable.Range(0, 5)
                    .Select(row =>
                        Made.Cell($"Cell{row}", Made.Time,
                            [.. Enumerable.Range(0, 8).Select(_ => factor * (100 - (20 * Math.Log(random.NextDouble()))))]))];
            claimed += Compare(Rows(1), Rows(1.05), new ComparisonOptions { Threshold = 0.05 }).Fails(FailOn.Any) ? 1 : 0;
        }

        Assert.InRange((double)claimed / runs, 0, 0.05 + Binomial.Bound(0.05, runs));
    }

    // such as the bytes of a call under load
    [Fact]
    public void A_change_below_the_floor_of_its_unit_is_small()
    {
        var unit = new Unit("B/call", Scale.Bytes) { Floor = 64 };
        Cell[] Cells(double factor) => [Made.Cell("Small", unit, Values(0.1 * factor)), Made.Cell("Large", unit, Values(100 * factor))];
        var changes = Compare(Cells(1), Cells(1.3), new()).Blocks.SelectMany(block => block.Rows)
            .ToDictionary(row => row.Name, row => row.Changes[1]!);
        Assert.Equal((Verdict.Worse, Verdict.Small), (changes["Large"].Verdict, changes["Small"].Verdict));
        Assert.Equal("below the floor", RowText.Word(changes["Small"], 0));
    }

    static double[] Values(double factor) => [.. Enumerable.Range(0, 7).Select(i => (100 + i) * factor)];

    static Cell Time(string name, double factor, int n) =>
        Made.Cell(name, Made.Time, [.. Enumerable.Range(0, n).Select(i => (100 + i) * factor)]);

    static Comparison Hive(double factor, int cells, int n)
    {
        Cell[] Cells(double scale) =>
            [.. Enumerable.Range(0, cells)
                .SelectMany(i => new[] { Time($"Cell{i}", scale, n), Time($"Cell{i}", 1 / scale, n) with { Unit = rate } })];
        return Compare(Cells(1), Cells(factor));
    }

    static Comparison Compare(Cell[] old, Cell[] @new, ComparisonOptions? options = null) =>
        Comparer.Compare([Made.Side("old", old), Made.Side("new", @new)], options ?? new ComparisonOptions());
}

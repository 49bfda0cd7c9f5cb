namespace ProtoBench.Results.Tests;

public class ComparerTests
{
    static readonly double[] slow = [110, 111, 112, 113, 114];
    static readonly double[] fast = [100, 101, 102, 103, 104];
    static readonly ComparisonOptions plain = new();

    [Fact]
    public void Ten_percent_less_time_is_better_and_ten_percent_fewer_calls_are_worse()
    {
        var comparison =
            Compare([Made.Cell("A", Made.Time, slow), Made.Cell("A", Made.Rate, slow)],
                [Made.Cell("A", Made.Time, fast), Made.Cell("A", Made.Rate, fast)]);
        Assert.Equal([Verdict.Better, Verdict.Worse], comparison.Changes().Select(change => change.Verdict));
        Assert.All(comparison.Changes(), change => Assert.Equal(2.0 / 252, change.P!.Value, 1e-12));
        Assert.All(comparison.Changes(), change => Assert.Equal(4.0 / 252, change.CorrectedP!.Value, 1e-12));
        Assert.All(comparison.Changes(), change => Assert.InRange(change.Ratio!.Value.Value, 0.90, 0.92));
    }

    [Fact]
    public void A_pair_of_two_machines_has_no_verdict()
    {
        var pair = plain with { Pairs = ["Google=Slab"] };
        Cell[] cells = [Made.Cell("ReadGoogle", Made.Time, slow) with { Shard = 1 }, Made.Cell("ReadSlab", Made.Time, fast) with { Shard = 2 },
            Made.Cell("WriteGoogle", Made.Time, slow) with { Shard = 2 }, Made.Cell("WriteSlab", Made.Time, fast) with { Shard = 2 }];
        var comparison = Comparer.Compare([Made.Side("a", cells)], pair);
        Assert.Equal([Verdict.Unclear, Verdict.Better], comparison.Changes().Select(change => change.Verdict));
        Assert.Contains(comparison.Warnings, warning => warning.StartsWith(
            "--pair: the two cells of 1 row are of different shards, which may be of different machines, so it has no verdict: ", StringComparison.Ordinal));
        Assert.DoesNotContain(Comparer.Compare([Made.Side("a", [.. cells.Select(cell => cell with { Shard = null })])], pair).Warnings,
            warning => warning.Contains("shard", StringComparison.Ordinal));
    }

    [Fact]
    public void One_launch_on_a_side_gives_no_verdict_however_large_the_change()
    {
        foreach (var (old, @new) in new[] { (slow[..1], fast[..1]), (slow, fast[..1]), (slow[..1], fast) })
        {
            var change = Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)]).Changes().Single();
            Assert.Equal((Verdict.Unclear, "one process per side: effects of code layout are not included", (double?)null),
                (change.Verdict, change.Note, change.P));
        }
    }

    [Fact]
    public void Three_a_side_say_what_they_could_have_shown()
    {
        var change = Compare([Made.Cell("A", Made.Time, slow[..3])], [Made.Cell("A", Made.Time, fast[..3])]).Changes().Single();
        Assert.Equal((Verdict.Unclear, "n too small: the smallest p it could show is 0.1; 4 a side would do"),
            (change.Verdict, change.Note));
    }

    [Fact]
    public void In_a_long_table_five_a_side_say_that_they_are_too_few_for_it()
    {
        Cell[] Rows(double[] values) => [.. Enumerable.Range(0, 10).Select(i => Made.Cell($"Cell{i}", Made.Time, values))];
        var changes = Compare(Rows(slow), Rows(fast)).Changes().ToArray();
        Assert.All(changes, change => Assert.Equal(
            (Verdict.Unclear, "n too small for 10 tests: the smallest corrected p it could show is 0.079; 6 a side would do",
                (double?)null),
            (change.Verdict, change.Note, change.Sees)));
        Assert.All(changes, change => Assert.InRange(change.P!.Value, 0, 0.05));
    }

    [Fact]
    public void A_significant_change_below_the_threshold_is_small_in_both_directions()
    {
        foreach (var (old, @new) in new[] { (slow, fast), (fast, slow) })
        {
            Assert.Equal(Verdict.Small,
                Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)], plain with { Threshold = 0.11 }).Changes()
                    .Single().Verdict);
            Assert.NotEqual(Verdict.Small,
                Compare([Made.Cell("A", Made.Time, old)], [Made.Cell("A", Made.Time, @new)], plain with { Threshold = 0.05 }).Changes()
                    .Single().Verdict);
        }
    }

    [Theory]
    [InlineData(new double[] { 24 }, new double[] { 24 }, Verdict.Equal, 1.0)]
    [InlineData(new double[] { 24 }, new double[] { 25 }, Verdict.Worse, 25.0 / 24)]
    [InlineData(new double[] { 24 }, new double[] { 0 }, Verdict.Better, 0.0)]
    [InlineData(new double[] { 0 }, new double[] { 24 }, Verdict.Worse, null)]
    [InlineData(new double[] { 0, 0 }, new double[] { 0 }, Verdict.Equal, null)]
    public void Exact_units_are_compared_without_a_test(double[] old, double[] @new, Verdict verdict, double? ratio)
    {
        var change = Compare([Made.Cell("A", Made.Bytes, old)], [Made.Cell("A", Made.Bytes, @new)]).Changes().Single();
        Assert.Equal((verdict, ratio, (double?)null), (change.Verdict, change.Ratio?.Value, change.P));
    }

    // Of four values two are the larger ones by chance in one of three runs, so that ranges that lie apart prove nothing.
    [Fact]
    public void An_exact_figure_that_varies_is_tested()
    {
        var few = Compare([Made.Cell("A", Made.Bytes, 24, 26)], [Made.Cell("A", Made.Bytes, 27, 29)]).Changes().Single();
        Assert.Equal((Verdict.Unclear, false), (few.Verdict, few.Judgeable));
        var many = Compare([Made.Cell("A", Made.Bytes, 24, 26, 25, 24, 26)], [Made.Cell("A", Made.Bytes, 27, 29, 28, 27, 29)]).Changes()
            .Single();
        Assert.Equal((Verdict.Worse, "varies between launches, so it is tested"), (many.Verdict, many.Note));
        Assert.Equal(2.0 / 252, many.P!.Value, 1e-12);
    }

    [Fact]
    public void Estimated_counts_within_their_tolerance_are_equal()
    {
        var objects = new Unit("objects/op", Scale.Plain) { Exact = true, Tolerance = 0.01 };
        Assert.Equal(Verdict.Equal,
            Compare([Made.Cell("A", objects, 10_502, 10_511)], [Made.Cell("A", objects, 10_520, 10_560)]).Changes().Single().Verdict);
        Assert.Equal(Verdict.Better,
            Compare([Made.Cell("A", objects, 10_502, 10_511)], [Made.Cell("A", objects, 10_000, 10_010)]).Changes().Single().Verdict);
    }

    // 1 B of an operation is what the runtime allocates beside it. The smallest object has 24 B.
    [Theory]
    [InlineData(1, 2, Verdict.Equal)]
    [InlineData(0, 1, Verdict.Equal)]
    [InlineData(100, 116, Verdict.Equal)]
    [InlineData(100, 117, Verdict.Worse)]
    [InlineData(0, 24, Verdict.Worse)]
    [InlineData(24, 0, Verdict.Better)]
    [InlineData(100_000, 100_100, Verdict.Equal)]
    [InlineData(100_000, 100_101, Verdict.Worse)]
    public void Bytes_of_an_operation_have_a_floor_below_one_object(long old, long @new, Verdict verdict)
    {
        static ResultFile File(long bytes) => ResultFile.Parse($$"""
            { "Benchmarks": [ { "Type": "T", "Method": "A", "FullName": "T.A", "Statistics": { "OriginalValues": [1] },
              "Memory": { "BytesAllocatedPerOperation": {{bytes}} } } ] }
            """, "made.json");
        var comparison = Comparer.Compare([new("old", [File(old)]), new("new", [File(@new)])], new() { Filters = ["unit=B/op"] });
        Assert.Equal(verdict, Assert.Single(comparison.Changes()).Verdict);
        Assert.Equal(verdict == Verdict.Worse ? ExitCode.Failed : ExitCode.Done, comparison.Guard(FailOn.Worse));
    }

    // Rounds of 10,000 calls differ by what the connection and the timers of the process allocate.
    [Theory]
    [InlineData(30, Verdict.Small)]
    [InlineData(100, Verdict.Worse)]
    public void Bytes_of_a_call_have_a_floor(int more, Verdict verdict)
    {
        LoadResult Load(double bytes)
        {
            var (load, round) = (Samples.Load(), Samples.Load().Variants[0].Rounds[0]);
            return load with
            {
                Variants =
                [
                    load.Variants[0] with
                    {
                        Rounds = [.. Enumerable.Range(0, 10).Select(i => round with
                        {
                            Server = round.Server! with { AllocatedBytes = (long)((bytes + (0.1 * i)) * round.Server!.Calls) },
                        })],
                    },
                ],
            };
        }

        Side Loaded(string label, double bytes) =>
            new(label, [ResultFile.Parse(LoadResultFile.ToJson(Load(bytes)), label)]);
        var change = Assert.Single(Comparer.Compare([Loaded("old", 1_000), Loaded("new", 1_000 + more)],
            new() { Filters = ["unit=server B/call"] }).Changes());
        Assert.Equal(verdict, change.Verdict);
    }

    [Fact]
    public void Zeros_are_tested_without_a_ratio()
    {
        var change = Compare([Made.Cell("A", Made.Time, 0, 0, 0, 0, 0)], [Made.Cell("A", Made.Time, 1, 2, 3, 4, 5)]).Changes().Single();
        Assert.Equal((Verdict.Worse, null), (change.Verdict, change.Ratio));
        Assert.Equal(Verdict.Better,
            Compare([Made.Cell("A", Made.Time, 1, 2, 3, 4, 5)], [Made.Cell("A", Made.Time, 0, 0, 0, 0, 0)]).Changes().Single().Verdict);
    }

    [Fact]
    public void An_invalid_run_has_no_verdict()
    {
        var comparison = Compare([Made.Cell("A", Made.Time, slow) with { Valid = false }], [Made.Cell("A", Made.Time, fast)]);
        Assert.Equal((Verdict.Unclear, "an INVALID run: no verdict", 0),
            (comparison.Changes().Single().Verdict, comparison.Changes().Single().Note, comparison.Tests));
    }

    [Fact]
    public void Files_of_a_side_are_pooled()
    {
        Side[] sides = [Pooled("old", slow), Pooled("new", fast)];
        var row = Comparer.Compare(sides, plain).Blocks.Single().Rows.Single();
        Assert.Equal([5, 5], row.Samples.Select(sample => sample!.N));
        Assert.Equal(Verdict.Better, row.Changes[1]!.Verdict);
        static Side Pooled(string label, double[] values) =>
            new(label, [.. values.Select(value => Made.File(Made.Cell("A", Made.Time, value)))]);
    }

    [Fact]
    public void More_than_two_sides_are_compared_with_the_first()
    {
        var comparison =
            Comparer.Compare(
                [Made.Side("a", Made.Cell("A", Made.Time, slow)), Made.Side("b", Made.Cell("A", Made.Time, slow)),
                    Made.Side("c", Made.Cell("A", Made.Time, fast))], plain);
        Assert.Equal([null, Verdict.Unclear, Verdict.Better],
            comparison.Blocks.Single().Rows.Single().Changes.Select(change => change?.Verdict));
    }

    [Fact]
    public void A_row_on_one_side_only_is_listed_and_never_in_the_geomean()
    {
        var comparison =
            Compare([Made.Cell("A", Made.Time, fast), Made.Cell("B", Made.Time, slow)],
                [Made.Cell("A", Made.Time, fast), Made.Cell("C", Made.Time, slow)]);
        var block = comparison.Blocks.Single();
        Assert.All(block.Geomean, mean => Assert.Equal(Median.Of(fast).Value, mean!.Value, 9));
        Assert.Equal(1, block.GeomeanRows);
        Assert.Equal([("B", "old"), ("C", "new")], comparison.Unmatched.Select(row => (row.Row, row.Columns.Single())));
    }

    // one launch of B, and a rate that follows from the time
    [Fact]
    public void Rows_without_a_verdict_are_never_in_the_geomean()
    {
        var rate = new Unit("MB/s", Scale.Plain) { Derived = true };
        Cell[] cells = [Made.Cell("A", Made.Time, fast), Made.Cell("B", Made.Time, 10_000), Made.Cell("A", rate, fast)];
        var blocks = Compare(cells, cells).Blocks;
        Assert.Equal([1, 0], blocks.Select(block => block.GeomeanRows));
        Assert.All(blocks[0].Geomean, mean => Assert.Equal(Median.Of(fast).Value, mean!.Value, 9));
        Assert.All(blocks[1].Geomean, Assert.Null);
    }

    [Fact]
    public void Guards_fail_on_what_they_were_asked_to()
    {
        var worse = Compare([Made.Cell("A", Made.Time, fast)], [Made.Cell("A", Made.Time, slow)]);
        var better = Compare([Made.Cell("A", Made.Time, slow)], [Made.Cell("A", Made.Time, fast)]);
        var same = Compare([Made.Cell("A", Made.Time, fast)], [Made.Cell("A", Made.Time, fast)]);
        var gone = Compare([Made.Cell("A", Made.Time, fast), Made.Cell("B", Made.Time, fast)], [Made.Cell("A", Made.Time, fast)]);
        var broken = Comparer.Compare(
            [Made.Side("old", Made.Cell("A", Made.Time, fast)), new Side("new", [Made.File() with { Failed = [Made.Name("A")] }])], plain);
        Assert.Equal([true, false, false, false, true],
            new[] { worse, better, same, gone, broken }.Select(comparison => comparison.Fails(FailOn.Worse)));
        Assert.Equal([true, true, false, true, true],
            new[] { worse, better, same, gone, broken }.Select(comparison => comparison.Fails(FailOn.Any)));
        Assert.All(new[] { worse, better, same, gone, broken }, comparison => Assert.False(comparison.Fails(FailOn.Never)));
        Assert.Equal(("A", "new"), (broken.Failed.Single().Row, broken.Failed.Single().Columns.Single()));
        Assert.Empty(broken.Unmatched);
    }

    [Fact]
    public void Mismatches_and_what_the_files_say_come_first()
    {
        var old = Made.File(Made.Cell("A", Made.Time, 1)) with
        {
            Facts =
            new Dictionary<string, string> { ["processor"] = "one", ["runtime"] = "same" },
            Commit = "abc"
        };
        var @new = Made.File(Made.Cell("A", Made.Time, 1)) with
        {
            Facts =
            new Dictionary<string, string> { ["processor"] = "another", ["runtime"] = "same" },
            Warnings = ["x.json: careful"]
        };
        var comparison = Comparer.Compare([new Side("old", [old, old with { Commit = "def+" }]), new Side("new", [@new])], plain);
        Assert.Equal(
            ["processor differs: old has one; new has another", "old pools files of different commits: abc and def+", "x.json: careful"],
                comparison.Warnings);
    }

    [Fact]
    public void Nothing_left_by_the_filter_is_said() => Assert.Equal(
        "no cell passes --filter",
        Assert.Throws<UsageException>(() =>
            Compare([Made.Cell("A", Made.Time, 1)], [Made.Cell("A", Made.Time, 1)], plain with { Filters = ["B*"] })).Message);

    static Comparison Compare(Cell[] old, Cell[] @new, ComparisonOptions? options = null) =>
        Comparer.Compare([Made.Side("old", old), Made.Side("new", @new)], options ?? plain);
}

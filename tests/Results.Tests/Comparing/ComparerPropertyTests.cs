namespace ProtoBench.Results.Tests;

public class ComparerPropertyTests
{
    [Theory, InlineData(1, 1), InlineData(2, 3), InlineData(3, 5), InlineData(4, 8)]
    public void A_side_against_itself_shows_no_change(int seed, int n)
    {
        var side = Made.Random("x", new Random(seed), rows: 30, n);
        var comparison = Comparer.Compare([side, side with { Label = "y" }], new ComparisonOptions());
        Assert.All(comparison.Changes(), change => Assert.True(change.Verdict is Verdict.Unclear or Verdict.Equal));
        Assert.All(comparison.Blocks.SelectMany(block => block.Rows), row => Assert.Equal("~", RowText.Percent(Made.Time, row.Changes[1])));
        Assert.All(comparison.Blocks, block => Assert.Equal(block.Geomean[0], block.Geomean[1]));
        Assert.Empty(comparison.Unmatched);
        Assert.False(comparison.Fails(FailOn.Any));
    }

    [Theory, InlineData(1, 4), InlineData(2, 5), InlineData(3, 8), InlineData(4, 9)]
    public void Swapping_the_sides_inverts_every_change(int seed, int n)
    {
        var random = new Random(seed);
        Side[] sides = [Made.Random("x", random, rows: 20, n), Made.Random("y", random, rows: 20, n + seed)];
        var options = new ComparisonOptions { Threshold = 0.02, Alpha = 0.5 };
        var there = Comparer.Compare(sides, options).Changes().ToArray();
        var back = Comparer.Compare([sides[1], sides[0]], options).Changes().ToArray();
        Assert.Contains(there, change => change.Verdict == Verdict.Better);
        foreach (var (a, b) in there.Zip(back))
        {
            Assert.Equal(a.Verdict,
                b.Verdict switch { Verdict.Better => Verdict.Worse, Verdict.Worse => Verdict.Better, var same => same });
            Assert.Equal((a.P ?? 0) * 1e6, (b.P ?? 0) * 1e6, 1e-6);
            if (a.Ratio is { Value: > 0 } x && b.Ratio is { Value: > 0 } y)
            {
                Assert.Equal(x.Value, 1 / y.Value, 1e-12);
                Assert.Equal(x.Low, 1 / y.High, 1e-12);
            }
        }
    }

    [Theory, InlineData(1), InlineData(2)]
    public void The_order_of_rows_and_samples_does_not_matter(int seed)
    {
        var random = new Random(seed);
        Side[] sides = [Made.Random("x", random, rows: 20, n: 5), Made.Random("y", random, rows: 20, n: 5)];
        Side[] shuffled =
        [
            .. sides.Select(side =>
                Made.Side(side.Label,
                    [.. side.Files[0].Cells.OrderBy(_ => random.Next())
                        .Select(cell => cell with { Values = [.. cell.Values.OrderBy(_ => random.Next())] })])),
        ];
        Assert.Equal(Text(sides), Text(shuffled));
        static string Text(Side[] sides)
        {
            using var writer = new StringWriter();
            TextTable.Write(Comparer.Compare(sides, new ComparisonOptions()), writer);
            JsonTable.Write(Comparer.Compare(sides, new ComparisonOptions()), writer);
            return writer.ToString();
        }
    }

    [Theory, InlineData(1), InlineData(2)]
    public void Adding_a_row_to_one_side_never_moves_the_geomean(int seed)
    {
        var random = new Random(seed);
        Side[] sides = [Made.Random("x", random, rows: 20, n: 5), Made.Random("y", random, rows: 20, n: 5)];
        var before = Comparer.Compare(sides, new ComparisonOptions());
        foreach (var i in (int[])[0, 1])
        {
            var more = sides.ToArray();
            more[i] = Made.Side(sides[i].Label,
                [.. sides[i].Files[0].Cells, Made.Cell("Another", Made.Time, 1e9), Made.Cell("Another", Made.Bytes, 0)]);
            var after = Comparer.Compare(more, new ComparisonOptions());
            Assert.Equal(before.Blocks.Select(block => block.Geomean), after.Blocks.Select(block => block.Geomean));
            Assert.Equal("Another", after.Unmatched.Single().Row);
        }
    }

    [Fact]
    public void Ten_thousand_rows_are_all_tested_and_all_printed()
    {
        var random = new Random(7);
        var comparison = Comparer.Compare([Wide("x"), Wide("y")], new ComparisonOptions());
        Assert.Equal(10_000, comparison.Tests);
        var table = new StringWriter();
        TextTable.Write(comparison, table);
        var printed =
            table.ToString().Split('\n').Where(line => line.StartsWith("Cell", StringComparison.Ordinal))
                .Select(line => line.Split(' ')[0]);
        Assert.Equal(Enumerable.Range(0, 10_000).Select(row => $"Cell{row}"), printed);
        Side Wide(string label) => Made.Side(
            label, [.. Enumerable.Range(0, 10_000)
                .Select(row => Made.Cell($"Cell{row}", Made.Time, [.. Enumerable.Range(0, 10).Select(_ => 100 + random.NextDouble())]))]);
    }
}

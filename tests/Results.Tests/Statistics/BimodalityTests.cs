namespace ProtoBench.Results.Tests;

public class BimodalityTests
{
    // Two states of one process, as measured: iterations at 21.2 and at 45.1 μs.
    [Fact]
    public void Two_states_are_seen()
    {
        var random = new Random(41);
        foreach (var n in new[] { 6, 8, 15, 75 })
            Assert.True(Bimodality.Of(
                [.. Enumerable.Range(0, n).Select(i => (i % 3 == 0 ? 45.1 : 21.2) * (1 + (0.03 * random.NextDouble())))]));
    }

    [Fact]
    public void One_state_with_an_outlier_is_one_state() => Assert.False(Bimodality.Of([100, 101, 102, 103, 104, 105, 106, 107, 108, 500]));

    [Fact]
    public void Two_states_that_hardly_differ_are_one() => Assert.False(Bimodality.Of([100, 100.1, 100.2, 102, 102.1, 102.2]));

    [Fact]
    public void Equal_values_and_few_values_are_one_state()
    {
        Assert.False(Bimodality.Of([7, 7, 7, 7, 7, 7]));
        Assert.False(Bimodality.Of([1, 1, 2, 2, 2]));
        Assert.False(Bimodality.Of([]));
    }

    [Theory]
    [InlineData("normal")]
    [InlineData("uniform")]
    [InlineData("exponential")]
    public void Samples_of_one_state_are_rarely_marked(string kind)
    {
        const int runs = 4_000;
        var random = new Random(42);
        foreach (var n in new[] { 6, 8, 10, 15, 20, 50, 75 })
        {
            var marked = 0;
            for (var i = 0; i < runs; i++)
                marked += Bimodality.Of([.. Enumerable.Range(0, n).Select(_ => 10 + Draw())]) ? 1 : 0;
            Assert.True(marked <= runs * 0.04, $"seed 42: {marked} of {runs} {kind} samples of {n} are marked");
        }

        double Draw() => kind switch
        {
            "normal" => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble()),
            "uniform" => random.NextDouble() * 4,
            _ => -Math.Log(1 - random.NextDouble()),
        };
    }

    [Fact]
    public void A_table_marks_them()
    {
        double[] two = [21, 21.1, 21.2, 45, 45.1, 45.2, 45.3];
        var comparison =
            Comparer.Compare(
                [Made.Side("old", Made.Cell("A", Made.Time, two)), Made.Side("new", Made.Cell("A", Made.Time, 21, 22, 23, 24))],
                    new ComparisonOptions());
        Assert.Equal([true, false], comparison.Blocks.Single().Rows.Single().Samples.Select(sample => sample!.Bimodal));
        using var writer = new StringWriter();
        TextTable.Write(comparison, writer);
        Assert.Contains("%‡", writer.ToString(), StringComparison.Ordinal);
        Assert.Contains("‡: the values fall into two groups", writer.ToString(), StringComparison.Ordinal);
    }
}

namespace ProtoBench.Results.Tests;

/// <summary>A program against itself: how often is a difference claimed? Exactly as often as the test's attainable size for that n, which
/// is counted, not measured: 2 x (subsets up to the critical U) / C(2n, n).</summary>
public class FalsePositiveTests
{
    [Theory]
    [InlineData(5, 8.0 / 252)]
    [InlineData(10, 7_992.0 / 184_756)]
    [InlineData(15, 7_032_082.0 / 155_117_520)]
    public void A_difference_is_claimed_as_often_as_the_exact_size_says(int n, double size)
    {
        const int runs = 10_000;
        var random = new Random(100 + n);
        var claimed = 0;
        for (var i = 0; i < runs; i++)
            claimed += MannWhitney.Test(Draw(), Draw()).P <= 0.05 ? 1 : 0;
        Assert.InRange((double)claimed / runs, size - Binomial.Bound(size, runs), size + Binomial.Bound(size, runs));

        // times of a program: a floor, and a long tail above it
        double[] Draw() => [.. Enumerable.Range(0, n).Select(_ => 100 - (20 * Math.Log(random.NextDouble())))];
    }

    [Fact]
    public void With_ties_it_is_never_claimed_more_often_than_alpha()
    {
        const int runs = 10_000;
        var random = new Random(99);
        var claimed = 0;
        for (var i = 0; i < runs; i++)
            claimed += MannWhitney.Test(Draw(6), Draw(5)).P <= 0.05 ? 1 : 0;
        Assert.InRange((double)claimed / runs, 0.005, 0.05 + Binomial.Bound(0.05, runs));
        double[] Draw(int n) => [.. Enumerable.Range(0, n).Select(_ => (double)random.Next(5))];
    }
}

namespace ProtoBench.Results.Tests;

public class HolmTests
{
    // R: p.adjust(p, "holm"). The second is the example of Wikipedia's article on
    // the Holm-Bonferroni method, which rejects the first and the last at 0.05.
    [Theory]
    [InlineData(new[] { 0.01, 0.02, 0.03, 0.04, 0.05 }, new[] { 0.05, 0.08, 0.09, 0.09, 0.09 })]
    [InlineData(new[] { 0.01, 0.04, 0.03, 0.005 }, new[] { 0.03, 0.06, 0.06, 0.02 })]
    [InlineData(new[] { 0.6, 0.9 }, new[] { 1.0, 1.0 })]
    [InlineData(new[] { 0.04 }, new[] { 0.04 })]
    [InlineData(new double[0], new double[0])]
    public void It_gives_the_published_values(double[] p, double[] corrected) =>
        Assert.Equal(corrected, Holm.Correct(p).Select(value => Math.Round(value, 12)));

    [Fact]
    public void A_table_without_a_change_shows_one_in_at_most_alpha_of_all_runs()
    {
        var random = new Random(31);
        const int tables = 2_000;
        const int rows = 10;
        var wrong = 0;
        for (var i = 0; i < tables; i++)
            wrong += Holm.Correct([.. Enumerable.Range(0, rows).Select(_ => random.NextDouble())]).Any(p => p <= 0.05) ? 1 : 0;
        Assert.InRange((double)wrong / tables, 0.05 - Binomial.Bound(0.05, tables) - 0.0025, 0.05 + Binomial.Bound(0.05, tables));
    }
}

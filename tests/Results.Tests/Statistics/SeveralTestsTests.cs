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

public class LooksTests
{
    const int comparisons = 4_000;

    [Theory]
    [InlineData(10, new[] { 5, 10, 20, 40 })]
    [InlineData(3, new[] { 3, 6, 12 })]
    [InlineData(4, new[] { 3, 4, 8, 16 })]
    public void The_looks(int processes, int[] looks) => Assert.Equal(looks, Looks.Of(processes));

    [Theory]
    [InlineData(3, new[] { 3, 8 })]
    [InlineData(4, new[] { 4, 8 })]
    [InlineData(10, new[] { 10, 20 })]
    public void Twice_as_many(int processes, int[] looks) => Assert.Equal(looks, Looks.Twice(processes));

    // At a deviation at which most first intervals are wide, the few narrow ones are often wrong.
    [Theory]
    [InlineData(3, 0.15)]
    [InlineData(4, 0.03)]
    [InlineData(4, 0.15)]
    [InlineData(10, 0.2)]
    public void A_second_look_because_of_the_width_keeps_it_with_a_smaller_divisor(int processes, double deviation)
    {
        const int runs = 10_000;
        var claimed = Run(runs, 44, Looks.Twice(processes), 0.05 / Looks.ByWidth, mean => mean.HalfWidth <= 0.15, deviation);
        Assert.InRange((double)claimed / runs, 0.02, 0.05 + Binomial.Bound(0.05, runs));
    }

    [Fact]
    public void Without_a_divisor_it_would_not_keep_it()
    {
        const int runs = 10_000;
        var claimed = Run(runs, 45, Looks.Twice(4), 0.05, mean => mean.HalfWidth <= 0.15, 0.15);
        Assert.InRange((double)claimed / runs, 0.055, 0.08);
    }

    // Processes of equal programs, 2 % apart by layout. Whoever stops when the interval is narrow enough is wrong in at most 5 %.
    [Theory]
    [InlineData(0.01)]
    [InlineData(0.02)]
    [InlineData(0.03)]
    public void Stopping_at_a_look_keeps_the_rate_of_false_claims(double until)
    {
        var looks = Looks.Of(10);
        var claimed = Run(comparisons, 41, looks, 0.05 / looks.Count, mean => mean.HalfWidth <= until);
        Assert.InRange((double)claimed / comparisons, 0, 0.05 + Binomial.Bound(0.05, comparisons));
    }

    [Fact]
    public void Stopping_as_soon_as_something_can_be_claimed_keeps_it_too()
    {
        var looks = Looks.Of(10);
        var greedy = Run(comparisons, 42, looks, 0.05 / looks.Count, mean => mean.P <= 0.05 / looks.Count);
        Assert.InRange((double)greedy / comparisons, 0.01, 0.05 + Binomial.Bound(0.05, comparisons));
    }

    // The rule that this replaces: look after every process, at the full alpha.
    [Fact]
    public void Looking_after_each_process_would_not_keep_it()
    {
        var claimed = Run(2_000, 43, [.. Enumerable.Range(3, 38)], 0.05, mean => mean.P <= 0.05);
        Assert.InRange(claimed / 2_000.0, 0.15, 1);
    }

    static int Run(int runs, int seed, IReadOnlyList<int> looks, double alpha, Func<ProcessMean, bool> stops, double deviation = 0.03)
    {
        var random = new Random(seed);
        return Enumerable.Range(0, runs).Count(_ =>
        {
            double[] ratios = [.. Enumerable.Range(0, looks[^1]).Select(_ => Math.Exp(deviation * Normal()))];
            var at = looks.Cast<int?>().FirstOrDefault(look => stops(ProcessMean.Of(ratios[..look!.Value], alpha))) ?? looks[^1];
            return ProcessMean.Of(ratios[..at], alpha).P <= alpha;
        });

        double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
    }
}

namespace ProtoBench.Results.Tests;

public class MannWhitneyTests
{
    [Fact]
    public void The_example_of_Hollander_and_Wolfe_and_of_R()
    {
        var test = MannWhitney.Test(Published.AtTerm, Published.AtHalfTerm);
        Assert.Equal(35, test.U);
        Assert.Equal(764.0 / 3003, test.P, 1e-12);              // 2 x 0.1272
    }

    // The example of SciPy's documentation of mannwhitneyu (ages at diagnosis of diabetes): U = 17, exact p = 0.1111111111111111.
    [Fact]
    public void The_example_of_SciPy()
    {
        var test = MannWhitney.Test([19, 22, 16, 29, 24], [20, 11, 17, 12]);
        Assert.Equal(17, test.U);
        Assert.Equal(1.0 / 9, test.P, 1e-12);
    }

    // golang/perf internal/stats/utest_test.go: U, and p of "differs". For {1,1,1,1,1} that test has 0, where enumeration gives 12 of 126.
    [Theory]
    [InlineData(new double[] { 2, 1, 3, 5 }, new double[] { 12, 11, 13, 15 }, 0, 0.028571428571428577)]
    [InlineData(new double[] { 2, 1, 3, 5 }, new double[] { 0, 4, 6, 7 }, 5, 0.485714285714285770)]
    [InlineData(new double[] { 2, 1, 3, 5 }, new double[] { 2, 1, 3, 5 }, 8, 1)]
    [InlineData(new double[] { 2, 1, 3, 5 }, new double[] { 2, 2, 2, 2 }, 10, 0.7142857142857143)]
    [InlineData(new double[] { 2, 1, 3, 5 }, new double[] { 1, 1, 1, 1, 1 }, 17.5, 12.0 / 126)]
    [InlineData(new double[] { 2, 2, 2, 2 }, new double[] { 2, 2, 2, 2 }, 8, 1)]
    // issue19634: p=0.008 n=5
    [InlineData(new double[] { 115, 114, 115, 115, 115 }, new double[] { 78.8, 78.8, 78.8, 78.8, 78.8 }, 25, 2.0 / 252)]
    // where Perfolizer 0.3.17 has 0.1508
    [InlineData(new double[] { 1, 2, 2, 3, 4 }, new double[] { 2, 3, 4, 4, 5 }, 5.5, 56.0 / 252)]
    [InlineData(new double[] { 1 }, new double[] { 2 }, 0, 1)]
    [InlineData(new double[] { 1, 2, 3 }, new double[] { 4, 5, 6 }, 0, 0.1)]
    public void Small_samples_with_and_without_ties(double[] x, double[] y, double u, double p)
    {
        Assert.Equal(u, MannWhitney.Test(x, y).U);
        Assert.Equal(p, MannWhitney.Test(x, y).P, 1e-12);
    }

    [Fact]
    public void Ten_a_side_from_benchstats_own_data()
    {
        Assert.Equal(2.0 / 184_756, MannWhitney.Test(Published.OldJson, Published.NewJson).P, 1e-12);
        Assert.Equal("0.446", MannWhitney.Test(Published.OldGob, Published.NewGob).P.ToString("F3", null));
    }

    // golang/perf internal/stats/utest_test.go, whose figures are those of R's wilcox.test
    // for the same numbers: beyond LargestExact, without ties, all tied, and with 30 ties.
    [Fact]
    public void Large_samples_by_the_normal_approximation()
    {
        double[] l1 = [.. Enumerable.Range(0, 500).Select(i => i * 2.0)];
        double[] l2 = [.. Enumerable.Range(0, 600).Select(i => (i * 2.0) - 41)];
        double[] l3 = [.. l1[..30], .. l2[30..]];
        Assert.Equal(0.0049335360814172224, MannWhitney.Test(l1, l2).P, 1e-12);
        Assert.Equal(1, MannWhitney.Test(l1, l1).P);
        Assert.Equal(0.0038703814239617884, MannWhitney.Test(l1, l3).P, 1e-12);
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public void Every_small_size_equals_the_enumeration_of_all_subsets(int seed)
    {
        var random = new Random(seed);
        for (var n = 1; n <= 7; n++)
        {
            for (var m = 1; m <= 7; m++)
            {
                foreach (var distinct in (int[])[2, 4, 1_000_000])
                {
                    var (x, y) = (Draw(n), Draw(m));
                    Assert.True(
                        Math.Abs(Enumerated(x, y) - MannWhitney.Test(x, y).P) < 1e-12,
                        $"seed {seed}: {string.Join(' ', x)} v {string.Join(' ', y)}: {Enumerated(x, y)} by enumeration");
                    double[] Draw(int count) => [.. Enumerable.Range(0, count).Select(_ => (double)random.Next(distinct))];
                }
            }
        }
    }

    // Every U that sizes up to 6 can have, without ties: n low values of which some change places.
    [Fact]
    public void Every_rank_sum_of_every_small_size_equals_the_enumeration()
    {
        for (var n = 1; n <= 5; n++)
        {
            for (var m = 1; m <= 5; m++)
            {
                for (var subset = 0; subset < 1 << (n + m); subset++)
                {
                    if (int.PopCount(subset) != n)
                        continue;
                    double[] x = [.. Enumerable.Range(0, n + m).Where(i => (subset >> i & 1) == 1).Select(i => i + 0.5)];
                    double[] y = [.. Enumerable.Range(0, n + m).Where(i => (subset >> i & 1) == 0).Select(i => i + 0.5)];
                    Assert.Equal(Enumerated(x, y), MannWhitney.Test(x, y).P, 1e-12);
                }
            }
        }
    }

    [Fact]
    public void Swapping_the_sides_or_scaling_both_changes_nothing()
    {
        var random = new Random(5);
        for (var i = 0; i < 200; i++)
        {
            double[] x = [.. Enumerable.Range(0, random.Next(1, 20)).Select(_ => (double)random.Next(30))];
            double[] y = [.. Enumerable.Range(0, random.Next(1, 20)).Select(_ => (double)random.Next(30))];
            var p = MannWhitney.Test(x, y).P;
            Assert.Equal(p, MannWhitney.Test(y, x).P, 1e-12);
            Assert.Equal(p, MannWhitney.Test([.. x.Select(v => v * 1e-9)], [.. y.Select(v => v * 1e-9)]).P, 1e-12);
        }
    }

    // Two-sided 5 % points as every textbook prints them, for example S. Siegel and N.
    // J. Castellan, Nonparametric Statistics for the Behavioral Sciences, table J.
    [Theory, InlineData(3, -1), InlineData(4, 0), InlineData(5, 2), InlineData(6, 5), InlineData(7, 8), InlineData(8, 13),
        InlineData(9, 17), InlineData(10, 23), InlineData(15, 64), InlineData(20, 127)]
    public void Critical_values_are_those_of_the_printed_tables(int n, int critical) =>
        Assert.Equal(critical, MannWhitney.CriticalU(n, n, 0.05));

    [Fact]
    public void The_critical_value_of_large_samples_is_the_last_that_is_rejected()
    {
        var critical = MannWhitney.CriticalU(60, 70, 0.05);
        Assert.True(P(critical) <= 0.05 && P(critical + 1) > 0.05);

        // x are the values 1..60 in steps, so that `u` pairs have x above y
        static double P(int u)
        {
            double[] y = [.. Enumerable.Range(0, 70).Select(i => 1000.0 + i)];
            double[] x = [.. Enumerable.Range(0, 60)
                .Select(i => i + Math.Clamp(u - (i * 70), 0, 70) switch { 0 => 0.0, var above => 1000 + above - 0.5 - i + (i * 1e-6) })];
            Assert.Equal(u, MannWhitney.Test(x, y).U);
            return MannWhitney.Test(x, y).P;
        }
    }

    [Theory, InlineData(1, 1, 1), InlineData(2, 2, 1.0 / 3), InlineData(3, 3, 0.1), InlineData(4, 4, 2.0 / 70), InlineData(5, 5, 2.0 / 252),
        InlineData(5, 3, 2.0 / 56)]
    public void The_smallest_p_is_that_of_samples_that_lie_apart(int n, int m, double p)
    {
        Assert.Equal(p, MannWhitney.SmallestP(n, m), 1e-12);
        Assert.Equal(p,
            MannWhitney.Test([.. Enumerable.Range(0, n).Select(i => (double)i)], [.. Enumerable.Range(100, m).Select(i => (double)i)]).P,
                1e-12);
    }

    [Fact]
    public void Nothing_and_what_is_no_number_are_refused()
    {
        Assert.Throws<ArgumentException>(() => MannWhitney.Test([], [1]));
        Assert.Throws<ArgumentException>(() => MannWhitney.Test([1], []));
        Assert.Throws<ArgumentException>(() => MannWhitney.Test([1], [double.NaN]));
        Assert.Throws<ArgumentException>(() => MannWhitney.Test([double.PositiveInfinity], [1]));
    }

    // By the definition: mid-ranks, and every subset of the pooled values as likely as the one that was seen.
    static double Enumerated(double[] x, double[] y)
    {
        double[] pooled = [.. x, .. y];
        var ranks = pooled.Select(value => pooled.Count(other => other < value) + ((pooled.Count(other => other == value) + 1) / 2.0))
            .ToArray();
        var seen = ranks[..x.Length].Sum();
        var (all, below, above) = (0, 0, 0);
        for (var subset = 0; subset < 1 << pooled.Length; subset++)
        {
            if (int.PopCount(subset) != x.Length)
                continue;
            var sum = 0.0;
            for (var i = 0; i < pooled.Length; i++)
                sum += (subset >> i & 1) * ranks[i];
            all++;
            below += sum <= seen ? 1 : 0;
            above += sum >= seen ? 1 : 0;
        }

        return Math.Min(1, 2.0 * Math.Min(below, above) / all);
    }
}

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

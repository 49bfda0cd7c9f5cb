namespace ProtoBench.Results.Tests;

public class MedianTests
{
    // Ranks of the 95 % interval and what they really cover, as in the tables of the sign
    // test (W. J. Conover, Practical Nonparametric Statistics; also benchstat's for n = 6).
    [Theory]
    [InlineData(1, 1, 1, 0)]
    [InlineData(2, 1, 2, 0.5)]
    [InlineData(3, 1, 3, 0.75)]
    [InlineData(5, 1, 5, 0.9375)]
    [InlineData(6, 1, 6, 0.96875)]
    [InlineData(8, 1, 8, 0.9921875)]
    [InlineData(9, 2, 8, 0.9609375)]
    [InlineData(10, 2, 9, 0.978515625)]
    [InlineData(12, 3, 10, 0.96142578125)]
    [InlineData(15, 4, 12, 0.96484375)]
    [InlineData(20, 6, 15, 0.958610534667968)]
    public void The_interval_is_that_of_the_sign_test(int n, int low, int high, double level)
    {
        var median = Median.Of([.. Enumerable.Range(1, n).Reverse().Select(i => (double)i)]);
        Assert.Equal((low, high), (median.Low, median.High));
        Assert.Equal(level, median.Level, 1e-12);
        Assert.Equal((n + 1) / 2.0, median.Value);
    }

    // Ranks and level computed with whole numbers, without rounding. From n = 1,075 on 2^-n is no double any more.
    [Theory]
    [InlineData(1_074, 505, 570, 0.952728117567383)]
    [InlineData(1_075, 505, 571, 0.9559335206201514)]
    [InlineData(2_000, 956, 1_045, 0.9534471795082162)]
    [InlineData(10_000, 4_902, 5_099, 0.9511670501036181)]
    public void The_interval_of_many_values_holds_the_median_as_well(int n, int low, int high, double level)
    {
        var median = Median.Of([.. Enumerable.Range(1, n).Select(i => (double)i)]);
        Assert.Equal((low, high), (median.Low, median.High));
        Assert.Equal(level, median.Level, 1e-9);
    }

    [Fact]
    public void Medians_of_benchstats_own_data() => Assert.Equal(
        [1718, 1422.5, 3065.5, 3070],
        new[] { Published.OldJson, Published.NewJson, Published.OldGob, Published.NewGob }.Select(values => Median.Of(values).Value));

    [Theory, InlineData(6, 11), InlineData(10, 12), InlineData(15, 13)]
    public void The_interval_holds_the_true_median_as_often_as_it_says(int n, int seed)
    {
        var random = new Random(seed);
        const int runs = 20_000;
        var held = 0;
        var level = 0.0;
        for (var i = 0; i < runs; i++)
        {
            var median = Median.Of([.. Enumerable.Range(0, n).Select(_ => random.NextDouble())]);
            held += median.Low <= 0.5 && median.High >= 0.5 ? 1 : 0;
            level = median.Level;
        }

        Assert.InRange((double)held / runs, level - Binomial.Bound(level, runs), level + Binomial.Bound(level, runs));
    }

    [Fact]
    public void Nothing_has_no_median() => Assert.Throws<ArgumentException>(() => Median.Of([]));
}

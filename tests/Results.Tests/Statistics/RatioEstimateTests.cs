namespace ProtoBench.Results.Tests;

public class RatioEstimateTests
{
    // The published shift 0.305 in [-0.15, 0.76], on the exponentials of the values, where a shift is a factor.
    [Fact]
    public void The_example_of_Hollander_and_Wolfe_and_of_R()
    {
        var ratio = RatioEstimate.Of([.. Published.AtHalfTerm.Select(Math.Exp)], [.. Published.AtTerm.Select(Math.Exp)], 0.05);
        Assert.Equal(0.305, Math.Log(ratio.Value), 1e-9);
        Assert.Equal(-0.15, Math.Log(ratio.Low), 1e-9);
        Assert.Equal(0.76, Math.Log(ratio.High), 1e-9);
    }

    [Fact]
    public void One_is_outside_the_interval_exactly_when_p_is_at_most_alpha()
    {
        var random = new Random(21);
        var outside = 0;
        for (var i = 0; i < 3_000; i++)
        {
            double[] x = [.. Enumerable.Range(0, random.Next(2, 9)).Select(_ => 1 + random.NextDouble())];
            double[] y = [.. Enumerable.Range(0, random.Next(2, 9)).Select(_ => 1.3 + random.NextDouble())];
            var alpha = random.NextDouble() * 0.3;
            var ratio = RatioEstimate.Of(x, y, alpha);
            Assert.Equal(MannWhitney.Test(x, y).P <= alpha, ratio.Low > 1 || ratio.High < 1);
            outside += ratio.Low > 1 ? 1 : 0;
        }

        Assert.InRange(outside, 300, 2_700);
    }

    [Fact]
    public void The_ends_are_where_the_test_begins_to_reject()
    {
        var random = new Random(22);
        for (var i = 0; i < 300; i++)
        {
            double[] x = [.. Enumerable.Range(0, random.Next(4, 12)).Select(_ => 1 + random.NextDouble())];
            double[] y = [.. Enumerable.Range(0, random.Next(4, 12)).Select(_ => 1 + random.NextDouble())];
            var ratio = RatioEstimate.Of(x, y, 0.05);
            Assert.True(P(ratio.Low * (1 - 1e-9)) <= 0.05 && P(ratio.Low * (1 + 1e-9)) > 0.05);
            Assert.True(P(ratio.High * (1 + 1e-9)) <= 0.05 && P(ratio.High * (1 - 1e-9)) > 0.05);
            Assert.InRange(ratio.Value, ratio.Low, ratio.High);

            // what it says it sees is seen: the change taken out, then that much put in
            Assert.True(P(ratio.Value / (ratio.Sees * (1 + 1e-9))) <= 0.05 && P(ratio.Value * ratio.Sees * (1 + 1e-9)) <= 0.05);
            double P(double factor) => MannWhitney.Test(x, [.. y.Select(value => value / factor)]).P;
        }
    }

    [Fact]
    public void Swapping_the_sides_inverts_it()
    {
        var random = new Random(23);
        for (var i = 0; i < 200; i++)
        {
            double[] x = [.. Enumerable.Range(0, random.Next(1, 9)).Select(_ => 1 + random.NextDouble())];
            double[] y = [.. Enumerable.Range(0, random.Next(1, 9)).Select(_ => 1 + random.NextDouble())];
            var (there, back) = (RatioEstimate.Of(x, y, 0.05), RatioEstimate.Of(y, x, 0.05));
            Assert.Equal(there.Value, 1 / back.Value, 1e-12);
            Assert.Equal(there.Low, 1 / back.High, 1e-12);
        }
    }

    [Fact]
    public void The_interval_holds_the_true_factor_as_often_as_it_says()
    {
        var random = new Random(24);
        const int runs = 10_000;
        var held = 0;
        for (var i = 0; i < runs; i++)
        {
            double[] x = [.. Enumerable.Range(0, 5).Select(_ => 1 + random.NextDouble())];
            double[] y = [.. Enumerable.Range(0, 5).Select(_ => 1.7 * (1 + random.NextDouble()))];
            var ratio = RatioEstimate.Of(x, y, 0.05);
            held += ratio.Low <= 1.7 && ratio.High >= 1.7 ? 1 : 0;
        }

        const double level = 1 - (8.0 / 252);
        Assert.InRange((double)held / runs, level - Binomial.Bound(level, runs), level + Binomial.Bound(level, runs));
    }

    [Fact]
    public void Samples_that_can_show_nothing_have_no_interval_and_see_nothing()
    {
        var ratio = RatioEstimate.Of([1, 2, 3], [4, 5, 6], 0.05);
        Assert.Equal((0, double.PositiveInfinity, double.PositiveInfinity), (ratio.Low, ratio.High, ratio.Sees));
    }

    [Fact]
    public void Equal_values_give_one_and_see_everything()
    {
        var ratio = RatioEstimate.Of([7, 7, 7, 7], [7, 7, 7, 7], 0.05);
        Assert.Equal(new RatioEstimate(1, 1, 1), ratio);
        Assert.Equal(1, ratio.Sees);
    }

    [Theory, InlineData(0), InlineData(-1), InlineData(double.NaN), InlineData(double.PositiveInfinity)]
    public void What_has_no_ratio_is_refused(double value) =>
        Assert.Throws<ArgumentException>(() => RatioEstimate.Of([1, value], [1], 0.05));
}

public class GeometricMeanTests
{
    [Fact]
    public void It_is_benchstats_for_benchstats_own_data()
    {
        Assert.Equal(2294.891936453654, GeometricMean.Of([1718, 3065.5])!.Value, 1e-9);
        Assert.Equal(2089.754770302007, GeometricMean.Of([1422.5, 3070])!.Value, 1e-9);
    }

    [Fact]
    public void Zero_and_nothing_have_none()
    {
        Assert.Null(GeometricMean.Of([1, 0]));
        Assert.Null(GeometricMean.Of([]));
    }

    // By hand: (1.1 x 1.2)^(1/2), and the distances on logarithms in quadrature, divided by two.
    [Fact]
    public void The_interval_of_a_mean_of_ratios_is_narrower_than_that_of_each()
    {
        var mean = GeometricMean.OfRatios([new(1.1, 1.0, 1.21), new(1.2, 1.1, 1.4)])!.Value;
        Assert.Equal(Math.Sqrt(1.32), mean.Value, 1e-12);
        Assert.Equal(Math.Sqrt(Math.Pow(Math.Log(1.1), 2) + Math.Pow(Math.Log(1.2 / 1.1), 2)) / 2, Math.Log(mean.Value / mean.Low), 1e-12);
        Assert.Equal(Math.Sqrt(Math.Pow(Math.Log(1.1), 2) + Math.Pow(Math.Log(1.4 / 1.2), 2)) / 2, Math.Log(mean.High / mean.Value), 1e-12);
    }

    [Fact]
    public void Without_an_interval_of_each_row_there_is_none_of_the_mean()
    {
        var mean = GeometricMean.OfRatios([new(1.1, 1.0, 1.21), new(1.2, 0, double.PositiveInfinity)])!.Value;
        Assert.Equal((0, double.PositiveInfinity), (mean.Low, mean.High));
        Assert.Null(GeometricMean.OfRatios([]));
    }

    [Fact]
    public void The_interval_holds_the_true_mean_as_often_as_it_says()
    {
        const int runs = 2_000;
        var random = new Random(51);
        var held = 0;
        for (var i = 0; i < runs; i++)
        {
            var rows = Enumerable.Range(0, 6).Select(_ => RatioEstimate.Of(Draw(1), Draw(1.3), 0.05)).ToArray();
            var mean = GeometricMean.OfRatios(rows)!.Value;
            held += mean.Low <= 1.3 && mean.High >= 1.3 ? 1 : 0;
        }

        Assert.True((double)held / runs >= 0.95 - Binomial.Bound(0.05, runs), $"seed 51: {held} of {runs}");
        double[] Draw(double factor) => [.. Enumerable.Range(0, 8).Select(_ => factor * (100 - (20 * Math.Log(1 - random.NextDouble()))))];
    }
}

namespace ProtoBench.Results.Tests;

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

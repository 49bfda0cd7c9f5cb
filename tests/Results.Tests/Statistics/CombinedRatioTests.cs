namespace ProtoBench.Results.Tests;

public class CombinedRatioTests
{
    // By hand: 300 of 400 are a weight of 0.75, and 0.75 * 0.5 + 0.25 * 0.8 = 0.575. The weight is from 290 / 395 = 0.734177 to
    // 310 / 405 = 0.765432. Low: 0.765432 * 0.4 + 0.234568 * 0.7 = 0.470370. High: 0.734177 * 0.6 + 0.265823 * 1 = 0.706329.
    [Fact]
    public void Ends_are_added_with_the_weights_that_give_the_wider_interval()
    {
        var both = CombinedRatio.Of(new(300, 290, 310, 0.95), new(0.5, 0.4, 0.6), new(100, 95, 105, 0.95), new(0.8, 0.7, 1));
        Assert.Equal(0.575, both.Value, 1e-9);
        Assert.Equal(0.470370, both.Low, 1e-6);
        Assert.Equal(0.706329, both.High, 1e-6);
        var turned = CombinedRatio.Of(new(100, 95, 105, 0.95), new(0.8, 0.7, 1), new(300, 290, 310, 0.95), new(0.5, 0.4, 0.6));
        Assert.Equal(both.Low, turned.Low, 1e-9);
        Assert.Equal(both.High, turned.High, 1e-9);
    }

    /// <summary>2,000 runs of a program that takes 0.4 of the time for one work and 0.9 for the other. Their intervals contain the true
    /// ratio of both at least as often as they promise. The standard error of 95 % is 0.49 % then; four of them are tolerated.</summary>
    /// <param name="first">The standard deviation of the logarithm of the ratio of a process.</param>
    /// <param name="old">That of the old program's time in a process.</param>
    [Theory]
    [InlineData(3, 0.05, 0.05, 0)]
    [InlineData(3, 0.2, 0.01, 0)]
    [InlineData(4, 0.01, 0.2, 0)]
    [InlineData(4, 0.1, 0.1, 0.1)]
    [InlineData(10, 0.02, 0.02, 0.1)]
    public void An_interval_contains_the_true_ratio_at_least_as_often_as_promised(int processes, double first, double second, double old)
    {
        const int runs = 2_000, seed = 20_261_128;
        var random = new Random(seed);
        var truth = ((300 * 0.4) + (100 * 0.9)) / 400;
        var contained = Enumerable.Range(0, runs).Count(_ =>
        {
            var both = CombinedRatio.Of(Median.Of(Times(300)), Ratio(0.4, first), Median.Of(Times(100)), Ratio(0.9, second));
            return both.Low <= truth && truth <= both.High;
        });
        Assert.True(contained >= (0.95 - (4 * 0.0049)) * runs, $"{contained} of {runs} with seed {seed}");

        double[] Times(double mean) => [.. Enumerable.Range(0, 2 * processes).Select(_ => mean * Math.Exp(old * Normal()))];

        RatioEstimate Ratio(double mean, double deviation)
        {
            var found = ProcessMean.Of([.. Enumerable.Range(0, processes).Select(_ => mean * Math.Exp(deviation * Normal()))], 0.05);
            return new(found.Value, found.Low, found.High);
        }

        // G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29 (1958), 610-611
        double Normal() => Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
    }
}

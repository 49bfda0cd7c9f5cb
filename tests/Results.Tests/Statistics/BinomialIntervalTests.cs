namespace ProtoBench.Results.Tests;

public class BinomialIntervalTests
{
    /// <summary>R's <c>binom.test</c>, which has the interval of Clopper and Pearson.</summary>
    [Theory]
    [InlineData(5, 10, 0.1870860, 0.8129140)]
    [InlineData(0, 10, 0, 0.3084971)]
    [InlineData(10, 10, 0.6915029, 1)]
    [InlineData(1, 20, 0.0012651, 0.2487328)]
    public void The_figures_of_R(int hits, int trials, double low, double high)
    {
        var interval = BinomialInterval.Of(hits, trials, 0.95);
        Assert.Equal(low, interval.Low, 1e-7);
        Assert.Equal(high, interval.High, 1e-7);
    }

    [Theory]
    [InlineData(1, 0)]
    [InlineData(-1, 3)]
    [InlineData(4, 3)]
    public void More_hits_than_trials_are_refused(int hits, int trials) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => BinomialInterval.Of(hits, trials, 0.95));
}

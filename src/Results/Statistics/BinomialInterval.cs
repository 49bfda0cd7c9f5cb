namespace ProtoBench.Results;

public static class BinomialInterval
{
    /// <summary>Returns the interval of C. J. Clopper and E. S. Pearson (Biometrika 26 (1934), 404-413), which contains the true rate with
    /// at least this level. At its ends, the tails of the binomial distribution, by the incomplete beta function, are half of the remaining
    /// probability.</summary>
    /// <param name="hits">From 0 to <paramref name="trials"/>.</param>
    public static (double Low, double High) Of(int hits, int trials, double level)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(trials, 1);
        ArgumentOutOfRangeException.ThrowIfNegative(hits);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(hits, trials);
        var tail = (1 - level) / 2;
        return (
            hits == 0 ? 0 : Solve(rate => IncompleteBeta.Of(rate, hits, trials - hits + 1), tail),
            hits == trials ? 1 : Solve(rate => IncompleteBeta.Of(rate, hits + 1, trials - hits), 1 - tail));
    }

    // Returns the rate at which an increasing function has this value.
    static double Solve(Func<double, double> function, double value)
    {
        var (low, high) = (0.0, 1.0);
        for (var i = 0; i < 100; i++)
        {
            var middle = (low + high) / 2;
            (low, high) = function(middle) < value ? (middle, high) : (low, middle);
        }

        return (low + high) / 2;
    }
}

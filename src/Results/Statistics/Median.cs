namespace ProtoBench.Results;

/// <summary>Represents the median of a sample, with an interval that assumes nothing about its distribution.</summary>
/// <param name="Level">The probability that the interval contains the true median: at least 0.95 for 6 or more values. It is lower for
/// fewer values, whose interval is their range.</param>
public readonly record struct Median(double Value, double Low, double High, double Level)
{
    const double wanted = 0.95;

    /// <summary>Computes the median and its interval: the narrowest pair of order statistics, equally far from both ends, that contains the
    /// true median with at least 95 % (W. J. Conover, Practical Nonparametric Statistics, 3rd edition, 3.2: the number of values below the
    /// median is binomial with 1/2).</summary>
    /// <param name="values">At least one value, in any order.</param>
    public static Median Of(IReadOnlyList<double> values)
    {
        if (values.Count == 0)
            throw new ArgumentException("a median needs at least one value", nameof(values));
        double[] sorted = [.. values.Order()];
        var n = sorted.Length;

        // outside is P(fewer than `cut` + 1 of n values are below the median). The cut moves one step inwards while both tails together are
        // at most 5 %. The probability of a single rank is kept as its logarithm, because 0.5^n is 0 as a double from n = 1,075 on.
        var cut = 0;
        var logarithm = n * Math.Log(0.5);
        var outside = Math.Exp(logarithm);
        for (var k = 1; k < n / 2; k++)
        {
            logarithm += Math.Log((n - k + 1.0) / k);
            var probability = Math.Exp(logarithm);
            if (2 * (outside + probability) > 1 - wanted)
                break;
            outside += probability;
            cut = k;
        }

        return new Median(Middle(sorted), sorted[cut], sorted[n - 1 - cut], n == 1 ? 0 : 1 - (2 * outside));
    }

    internal static double Middle(ReadOnlySpan<double> sorted) =>
        sorted.Length % 2 == 1 ? sorted[sorted.Length / 2] : (sorted[(sorted.Length / 2) - 1] + sorted[sorted.Length / 2]) / 2;
}

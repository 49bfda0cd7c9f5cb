namespace ProtoBench.Results;

/// <summary>Computes the tails of the normal distribution, which the framework does not have.</summary>
static class NormalTail
{
    /// <summary>Returns P(|Z| &gt;= z) to about 1e-14, with the series of erf near the middle and its continued fraction (backwards) in the
    /// tail. Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.6 and 7.1.14.</summary>
    /// <param name="z">At least 0.</param>
    public static double Both(double z)
    {
        var x = z / Math.Sqrt(2);
        if (x < 2.5)
        {
            var (term, sum) = (x, x);
            for (var n = 1; term > sum * 1e-17; n++)
                sum += term *= 2 * x * x / ((2 * n) + 1);
            return 1 - (2 / Math.Sqrt(Math.PI) * Math.Exp(-x * x) * sum);
        }

        var fraction = x;
        for (var n = 100; n > 0; n--)
            fraction = x + (n / 2.0 / fraction);
        return Math.Exp(-x * x) / (fraction * Math.Sqrt(Math.PI));
    }
}

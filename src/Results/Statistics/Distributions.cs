namespace ProtoBench.Results;

/// <summary>Represents Student's t distribution ("Student", Biometrika 6 (1908), 1-25).</summary>
static class StudentT
{
    /// <summary>P(|T| &gt;= t) = I_x(ν/2, 1/2) with x = ν / (ν + t²). Abramowitz and Stegun, 26.7.1 and 26.5.27.</summary>
    /// <param name="freedom">Degrees of freedom ν, at least 1. Welch's are not whole.</param>
    public static double Both(double t, double freedom) =>
        double.IsInfinity(t) ? 0 : IncompleteBeta.Of(freedom / (freedom + (t * t)), freedom / 2, 0.5);

    /// <summary>Returns the t that is exceeded in absolute value with probability <paramref name="alpha"/>, by bisection.</summary>
    public static double Critical(double alpha, double freedom)
    {
        var (low, high) = (0.0, 1.0);
        while (Both(high, freedom) > alpha)
            high *= 2;
        for (var i = 0; i < 200 && high - low > 1e-15 * high; i++)
        {
            var middle = (low + high) / 2;
            (low, high) = Both(middle, freedom) > alpha ? (middle, high) : (low, middle);
        }

        return (low + high) / 2;
    }
}

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

/// <summary>Computes the regularised incomplete beta function, which Student's t and the binomial distribution use.</summary>
static class IncompleteBeta
{
    /// <summary>Returns I_x(a, b) by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated from the
    /// front by Lentz's method (W. J. Lentz, Applied Optics 15 (1976), 668-671), on the side where it converges fast (8.17.4).</summary>
    /// <param name="x">Between 0 and 1.</param>
    /// <param name="a">Above 0.</param>
    /// <param name="b">Above 0.</param>
    public static double Of(double x, double a, double b)
    {
        if (x <= 0)
            return 0;
        if (x >= 1)
            return 1;
        if (x > (a + 1) / (a + b + 2))
            return 1 - Of(1 - x, b, a);
        var front = Math.Exp((a * Math.Log(x)) + (b * Math.Log(1 - x)) + LogGamma.Of(a + b) - LogGamma.Of(a) - LogGamma.Of(b)) / a;
        var (fraction, c, d) = (1.0, 1.0, 0.0);
        for (var i = 1; i < 10_000; i++)
        {
            var m = i / 2;
            var numerator = i % 2 == 0
                ? m * (b - m) * x / ((a + (2 * m) - 1) * (a + (2 * m)))
                : -(a + m) * (a + b + m) * x / ((a + (2 * m)) * (a + (2 * m) + 1));
            d = 1 / NotZero(1 + (numerator * d));
            c = NotZero(1 + (numerator / c));
            fraction *= c * d;
            if (Math.Abs((c * d) - 1) < 1e-16)
                break;
        }

        return front / fraction;
    }

    static double NotZero(double value) => Math.Abs(value) < 1e-300 ? 1e-300 : value;
}

/// <summary>Computes the logarithm of the gamma function, which the framework does not have.</summary>
static class LogGamma
{
    /// <summary>Returns ln Γ(x) to about 1e-14: Stirling's series from 10 on, and below it the recurrence Γ(x + 1) = x Γ(x).
    /// Abramowitz and Stegun, Handbook of Mathematical Functions, 6.1.41 and 6.1.15.</summary>
    /// <param name="x">Above 0.</param>
    public static double Of(double x)
    {
        var below = 0.0;
        for (; x < 10; x++)
            below += Math.Log(x);
        var square = 1 / (x * x);
        var tail = (1 / 1680.0) - (square * (1 / 1188.0 - (square * 691 / 360360.0)));
        var series = (1 / 12.0) - (square * ((1 / 360.0) - (square * ((1 / 1260.0) - (square * tail)))));
        return ((x - 0.5) * Math.Log(x)) - x + (Math.Log(2 * Math.PI) / 2) + (series / x) - below;
    }
}

namespace ProtoBench.Results;

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

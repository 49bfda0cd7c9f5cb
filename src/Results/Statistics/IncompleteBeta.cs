namespace ProtoBench.Results;

/// <summary>The regularised incomplete beta function: the distribution behind Student's t and the binomial.</summary>
static class IncompleteBeta
{
    /// <summary>I_x(a, b) by its continued fraction (NIST Digital Library of Mathematical Functions, 8.17.22), evaluated from the front by
    /// Lentz's method (W. J. Lentz, Applied Optics 15 (1976), 668-671), on the side where it converges fast (8.17.4).</summary>
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

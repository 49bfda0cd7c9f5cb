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

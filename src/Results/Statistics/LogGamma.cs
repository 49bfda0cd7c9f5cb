namespace ProtoBench.Results;

/// <summary>The logarithm of the gamma function, which the framework does not have.</summary>
static class LogGamma
{
    /// <summary>ln Γ(x) to about 1e-14: Stirling's series from 10 on, and below it the recurrence Γ(x + 1) = x Γ(x).
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

using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <summary>By what factor one sample is larger than another, with an interval.</summary>
/// <param name="Value">The Hodges-Lehmann estimate.</param>
/// <param name="Low">The lower end of the interval; 0 when the samples are too small for one.</param>
/// <param name="High">The upper end of the interval; infinite when the samples are too small for one.</param>
public readonly record struct RatioEstimate(double Value, double Low, double High)
{
    /// <summary>The smallest change that samples like these could have shown as significant, as a factor above 1; infinite when they can
    /// show none. Samples scaled by more than this keep 1 out of their interval.</summary>
    [JsonIgnore]
    public double Sees => Math.Max(Value / Low, High / Value);

    /// <summary>The Hodges-Lehmann ratio of y to x: the median of all y / x (of an even number the geometric mean of the middle two, so
    /// that swapping the sides gives exactly the inverse). Its interval holds every factor that the U test of size <paramref name="alpha"/>
    /// would not reject, taking the values as free of ties: 1 is outside exactly when p is at most alpha. J. L. Hodges and E. L. Lehmann,
    /// Annals of Mathematical Statistics 34 (1963), 598-611; on the logarithms.</summary>
    /// <param name="x">The old side, all above 0.</param>
    /// <param name="y">The new side, all above 0.</param>
    /// <param name="alpha">1 minus the interval's level.</param>
    /// <exception cref="ArgumentException">A side is empty or has a value that is not above 0.</exception>
    public static RatioEstimate Of(IReadOnlyList<double> x, IReadOnlyList<double> y, double alpha)
    {
        if (x.Count == 0 || y.Count == 0 || x.Concat(y).Any(value => !(value > 0 && double.IsFinite(value))))
            throw new ArgumentException("a ratio needs values above 0 on both sides");
        var ratios = new double[x.Count * y.Count];
        for (var i = 0; i < x.Count; i++)
        {
            for (var j = 0; j < y.Count; j++)
                ratios[(i * y.Count) + j] = y[j] / x[i];
        }

        Array.Sort(ratios);
        var half = ratios.Length / 2;
        var middle = ratios.Length % 2 == 1 ? ratios[half] : Math.Sqrt(ratios[half - 1] * ratios[half]);
        var critical = MannWhitney.CriticalU(x.Count, y.Count, alpha);
        return critical < 0
            ? new RatioEstimate(middle, 0, double.PositiveInfinity)
            : new RatioEstimate(middle, ratios[critical], ratios[^(critical + 1)]);
    }
}

/// <summary>The geometric mean, the mean of ratios.</summary>
public static class GeometricMean
{
    /// <summary>The geometric mean, or null when there is no value or one that is not above 0.</summary>
    public static double? Of(IReadOnlyCollection<double> values) =>
        values.Count == 0 || values.Any(value => !(value > 0)) ? null : Math.Exp(values.Average(Math.Log));

    /// <summary>The geometric mean of ratios with an interval, or null when there is no ratio or one that is not above 0. The distances
    /// from each ratio to the ends of its interval add up as the errors of independent figures do, each end apart, on logarithms: G. Y. Zou
    /// and A. Donner, Statistics in Medicine 27 (2008), 1693-1702. The level is that of the given intervals.</summary>
    /// <param name="ratios">The ratios of rows that were measured independently of each
    /// other. Where one has no interval, the mean has none either: 0 to infinite.</param>
    public static RatioEstimate? OfRatios(IReadOnlyCollection<RatioEstimate> ratios)
    {
        if (Of([.. ratios.Select(ratio => ratio.Value)]) is not { } mean || !double.IsFinite(mean))
            return null;
        return new RatioEstimate(mean, mean / Reach(ratio => ratio.Value / ratio.Low), mean * Reach(ratio => ratio.High / ratio.Value));
        double Reach(Func<RatioEstimate, double> side) =>
            Math.Exp(Math.Sqrt(ratios.Sum(ratio => Math.Pow(Math.Log(side(ratio)), 2))) / ratios.Count);
    }
}

namespace ProtoBench.Results;

/// <summary>The geometric mean, the mean of ratios.</summary>
public static class GeometricMean
{
    /// <summary>The geometric mean, or null when there is no value or one that is not above 0.</summary>
    /// <param name="values">The values.</param>
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

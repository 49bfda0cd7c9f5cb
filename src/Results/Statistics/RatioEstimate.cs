using System.Text.Json.Serialization;

namespace ProtoBench.Results;

/// <param name="Low">The lower end of the interval; 0 if the samples are too small for an interval.</param>
/// <param name="High">The upper end of the interval; infinite if the samples are too small for an interval.</param>
public readonly record struct RatioEstimate(double Value, double Low, double High)
{
    /// <summary>Gets the smallest change that samples like these could have shown as significant, as a factor above 1; infinite if there is
    /// no such change. The interval of samples scaled by more than this does not contain 1.</summary>
    [JsonIgnore]
    public double Sees => Math.Max(Value / Low, High / Value);

    /// <summary>Computes the Hodges-Lehmann ratio of y to x: the median of all y / x. For an even number it is the geometric mean of the
    /// middle two, so that exchanging the sides gives exactly the inverse. The interval contains every factor that the U test of size
    /// <paramref name="alpha"/> does not reject for values without ties: 1 is outside exactly if p is at most alpha. J. L. Hodges and E. L.
    /// Lehmann, Annals of Mathematical Statistics 34 (1963), 598-611; on the logarithms.</summary>
    /// <param name="x">The old side, all above 0.</param>
    /// <param name="y">The new side, all above 0.</param>
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

public static class GeometricMean
{
    /// <summary>Returns the geometric mean; null if there is no value, or one that is not above 0.</summary>
    public static double? Of(IReadOnlyCollection<double> values) =>
        values.Count == 0 || values.Any(value => !(value > 0)) ? null : Math.Exp(values.Average(Math.Log));

    /// <summary>Returns the geometric mean of ratios with an interval; null if there is no ratio, or one that is not above 0. The distances
    /// from each ratio to the ends of its interval add up like errors of independent figures, for each end, on logarithms: G. Y. Zou and A.
    /// Donner, Statistics in Medicine 27 (2008), 1693-1702. The level is that of the given intervals.</summary>
    /// <param name="ratios">The ratios of rows that were measured independently of each other. If one has no interval, the interval of the
    /// mean is 0 to infinite.</param>
    public static RatioEstimate? OfRatios(IReadOnlyCollection<RatioEstimate> ratios)
    {
        if (Of([.. ratios.Select(ratio => ratio.Value)]) is not { } mean || !double.IsFinite(mean))
            return null;
        return new RatioEstimate(mean, mean / Reach(ratio => ratio.Value / ratio.Low), mean * Reach(ratio => ratio.High / ratio.Value));
        double Reach(Func<RatioEstimate, double> side) =>
            Math.Exp(Math.Sqrt(ratios.Sum(ratio => Math.Pow(Math.Log(side(ratio)), 2))) / ratios.Count);
    }
}

/// <summary>Computes the time that two kinds of work take together, as a share of the time that another program takes for both.</summary>
public static class CombinedRatio
{
    /// <summary>Returns the mean of both ratios, weighted by the old program's times, with a conservative interval. Its ends are those of
    /// the ratios, added. With errors that are approximately normal, an end of this interval is at least as far from the mean as that of
    /// the interval for the sum of independent errors, whose probability is at least that of both intervals: M. R. Mickey and M. B. Brown,
    /// Annals of Mathematical Statistics 37 (1966), 639-642. Without any assumption about the errors, two intervals of 95 % give one of
    /// at least 90 % (Bonferroni's inequality). The weights are taken at the ends of the intervals of the old times that give the wider
    /// result.</summary>
    /// <param name="firstOld">The old program's time for the first work.</param>
    /// <param name="first">The new program's time for it, by the old program's.</param>
    /// <param name="secondOld">The old program's time for the second work, in the same unit.</param>
    /// <param name="second">The new program's time for it, by the old program's.</param>
    public static RatioEstimate Of(Median firstOld, RatioEstimate first, Median secondOld, RatioEstimate second)
    {
        var (least, most) = (Weight(firstOld.Low, secondOld.High), Weight(firstOld.High, secondOld.Low));
        return new(
            Mean(Weight(firstOld.Value, secondOld.Value), first.Value, second.Value),
            Math.Min(Mean(least, first.Low, second.Low), Mean(most, first.Low, second.Low)),
            Math.Max(Mean(least, first.High, second.High), Mean(most, first.High, second.High)));

        static double Weight(double one, double other) => one / (one + other);

        static double Mean(double weight, double one, double other) => (weight * one) + ((1 - weight) * other);
    }
}

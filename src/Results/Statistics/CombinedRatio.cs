namespace ProtoBench.Results;

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

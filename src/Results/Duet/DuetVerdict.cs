namespace ProtoBench.Results;

public static class DuetVerdict
{
    /// <summary>Returns the verdicts in the order of <see cref="DuetResult.Duets"/>. A pair is better if the new side is faster by more
    /// than the threshold, and worse if it is slower by more. The probability that any of these claims is wrong is at most <see
    /// cref="DuetSettings.Alpha"/>. The hypothesis of the test is a true ratio at the threshold. Its p-value is two-sided, multiplied by
    /// the number of looks, and corrected over the pairs by Holm's method. For example, an estimate of +5.1 % with an interval from +0.3 %
    /// is not a change of more than 5 %.</summary>
    public static IReadOnlyList<Verdict> Of(DuetResult result, double threshold) =>
        [.. Of([.. result.Duets.Select(pair => (result, pair))],
            new ComparisonOptions { Alpha = result.Settings.Alpha, Threshold = threshold }).Select(change => change.Verdict)];

    /// <summary>Returns the changes of the pairs of one or several results, corrected over all of them.</summary>
    internal static Change[] Of(IReadOnlyList<(DuetResult Result, DuetPair Pair)> pairs, ComparisonOptions options)
    {
        double[] limits =
            [.. pairs.Select(one =>
                Math.Max(options.Threshold,
                    one.Pair.Old.NanosecondsPerOperation > 0 ? options.Floor / one.Pair.Old.NanosecondsPerOperation : 0))];
        var testable = Enumerable.Range(0, pairs.Count).Where(i => pairs[i].Pair is { Valid: true, Processes.Count: > 1 }).ToArray();
        double[] Corrected(Func<int, double> p) => options.Correct ? Holm.Correct([.. testable.Select(p)]) : [.. testable.Select(p)];
        var raw = testable.ToDictionary(i => i, i => P(pairs[i].Pair, pairs[i].Result.Settings.Looks, limit: 0));
        var corrected = testable.Zip(Corrected(i => raw[i])).ToDictionary();
        var beyond = testable.Zip(Corrected(i => P(pairs[i].Pair, pairs[i].Result.Settings.Looks, limits[i]))).ToDictionary();
        return
        [
            .. pairs.Select((one, i) => corrected.TryGetValue(i, out var p)
                ? new Change(
                    p > options.Alpha
                        ? Verdict.Unclear : beyond[i] > options.Alpha ? Verdict.Small : one.Pair.Ratio > 1 ? Verdict.Worse : Verdict.Better,
                    Ratio(one.Result, one.Pair, options.Alpha), raw[i], options.Correct ? p : null, Limit: limits[i])
                : new Change(Verdict.Unclear, Ratio(one.Result, one.Pair, options.Alpha), Judgeable: false,
                    Note: one.Pair.Valid ? "one process: effects of code layout are not included" : "an INVALID pair: no verdict")),
        ];
    }

    // The two-sided p-value for a true change that is not larger than the limit, at any of the looks at which the measurement may have
    // stopped.
    static double P(DuetPair pair, int looks, double limit)
    {
        double[] ratios = [.. pair.Processes.Select(process => process.Ratio)];
        double[] inverse = [.. ratios.Select(ratio => 1 / ratio)];
        return Math.Min(1, 2 * looks * Math.Min(ProcessMean.PAbove(ratios, 1 + limit), ProcessMean.PAbove(inverse, 1 + limit)));
    }

    static RatioEstimate Ratio(DuetResult result, DuetPair pair, double alpha)
    {
        if (alpha == result.Settings.Alpha)
            return new(pair.Ratio, pair.Low ?? 0, pair.High ?? double.PositiveInfinity);
        var mean = ProcessMean.Of([.. pair.Processes.Select(process => process.Ratio)], alpha / result.Settings.Looks);
        return new(mean.Value, mean.Low, mean.High);
    }
}

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
    internal static Change[] Of(IReadOnlyList<(DuetResult Result, DuetPair Pair)> pairs, ComparisonOptions options) =>
        Judge(
        [
            .. pairs.Select(one => new JudgedRatio(Ratio(one.Result, one.Pair, options.Alpha),
                options.Threshold, limit => P(one.Pair, one.Result.Settings.Looks, limit),
                WhyNot([one.Pair]))),
        ], options);

    /// <summary>The reason why a ratio of these pairs has no verdict; null if it has one.</summary>
    internal static string? WhyNot(IReadOnlyCollection<DuetPair> pairs) =>
        pairs.Any(pair => !pair.Valid && pair.Processes.Count > 1) ? "an INVALID pair: no verdict"
        : pairs.Sum(pair => pair.Processes.Count) < 2 ? "one process: effects of code layout are not included" : null;

    internal static Change[] Judge(IReadOnlyList<JudgedRatio> ratios, ComparisonOptions options)
    {
        var testable = Enumerable.Range(0, ratios.Count).Where(i => ratios[i].WhyNot is null).ToArray();
        double[] Corrected(Func<int, double> p) => Holm.Correct([.. testable.Select(p)]);
        var raw = testable.ToDictionary(i => i, i => ratios[i].P(0));
        var corrected = testable.Zip(Corrected(i => raw[i])).ToDictionary();
        var beyond = testable.Zip(Corrected(i => ratios[i].P(ratios[i].Limit))).ToDictionary();
        return
        [
            .. ratios.Select((one, i) => corrected.TryGetValue(i, out var p)
                ? new Change(
                    p > options.Alpha ? Verdict.Unclear
                        : beyond[i] > options.Alpha ? Verdict.Small : one.Ratio.Value > 1 ? Verdict.Worse : Verdict.Better,
                    one.Ratio, raw[i], p, Limit: one.Limit)
                : new Change(Verdict.Unclear, one.Ratio, Judgeable: false, Note: one.WhyNot)),
        ];
    }

    // The two-sided p-value for a true change that is not larger than the limit, at any of the looks at which the measurement may have
    // stopped.
    static double P(DuetPair pair, double looks, double limit)
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

/// <param name="P">Returns the two-sided p-value for a true change that is not larger than the limit.</param>
/// <param name="WhyNot">The reason why there is no verdict; null if there is one.</param>
sealed record JudgedRatio(RatioEstimate Ratio, double Limit, Func<double, double> P, string? WhyNot);

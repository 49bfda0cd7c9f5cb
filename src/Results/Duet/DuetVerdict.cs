namespace ProtoBench.Results;

/// <summary>What a duet result comes to, pair by pair.</summary>
public static class DuetVerdict
{
    /// <summary>The verdicts, in the order of <see cref="DuetResult.Duets"/>: better where the new side is faster by more than the threshold, worse where it is slower by more,
    /// each only where the whole table of such claims is wrong with at most <see cref="DuetSettings.Alpha"/>.</summary>
    /// <remarks>The claim is tested, not the figure: p is that of a true ratio at the threshold itself, two-sided, times the number of looks, and corrected over the pairs by Holm's
    /// method. So an estimate of +5.1 % with an interval from +0.3 % does not pass for a change of more than 5 %.</remarks>
    /// <param name="result">The result.</param>
    /// <param name="threshold">The relative change that is still no change.</param>
    public static IReadOnlyList<Verdict> Of(DuetResult result, double threshold)
    {
        var p = Holm.Correct([.. result.Duets.Select(pair => P(pair, result.Settings.Looks, threshold))]);
        return [.. result.Duets.Select((pair, i) => Of(pair, p[i] <= result.Settings.Alpha, threshold))];
    }

    static Verdict Of(DuetPair pair, bool significant, double threshold) =>
        !significant || !pair.Valid ? pair.CorrectedP < 0.05 && threshold > 0 ? Verdict.Small : Verdict.Unclear
        : pair.Ratio > 1 ? Verdict.Worse
        : Verdict.Better;

    static double P(DuetPair pair, int looks, double threshold)
    {
        double[] ratios = [.. pair.Processes.Select(process => process.Ratio)];
        double[] inverse = [.. ratios.Select(ratio => 1 / ratio)];
        return Math.Min(1, 2 * looks * Math.Min(ProcessMean.PAbove(ratios, 1 + threshold), ProcessMean.PAbove(inverse, 1 + threshold)));
    }
}

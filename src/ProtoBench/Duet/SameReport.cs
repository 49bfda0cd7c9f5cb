using System.Globalization;
using ProtoBench.Results;

namespace ProtoBench.Duet;

/// <summary>What comparing cells with themselves shows: bias, width of the intervals, false claims.</summary>
static class SameReport
{
    /// <summary>The report in a few lines. Claims are counted pair by pair,
    /// without correction, so that alpha is the share to expect.</summary>
    public static string Of(DuetResult result)
    {
        DuetPair[] pairs = [.. result.Duets.Where(pair => pair.P is not null)];
        if (pairs.Length == 0)
            return "nothing to report: an interval needs two processes";
        var claims = pairs.Count(pair => pair.P <= result.Settings.Alpha);
        var (low, high) = BinomialInterval.Of(claims, pairs.Length, 0.95);
        var bias = Math.Exp(pairs.Average(pair => Math.Log(pair.Ratio)));
        double[] widths =
            [.. pairs.Select(pair => Math.Max(1 - (pair.Low!.Value / pair.Ratio), (pair.High!.Value / pair.Ratio) - 1)).Order()];
        return string.Create(CultureInfo.InvariantCulture, $"""
            equal programs: bias {DuetFigures.Change(bias)} over {pairs.Length} comparisons; half-width of the interval: median {Share(
                widths[widths.Length / 2])}, largest {Share(widths[^1])}
            false claims: {claims} of {pairs.Length} at {Share(result.Settings.Alpha)}, which is consistent with a rate of {Share(
                low)} to {Share(high)}
            """);
    }

    static string Share(double share) => (share * 100).ToString("0.##", CultureInfo.InvariantCulture) + "%";
}

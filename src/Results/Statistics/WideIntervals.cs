using System.Globalization;

namespace ProtoBench.Results;

/// <summary>Says how many intervals of a run are wide, which the console and the page of a run say.</summary>
static class WideIntervals
{
    // on an idle machine almost every interval is narrower than this
    const int percent = 25;

    /// <summary>Returns a sentence if more than a tenth of the medians have an interval of more than ±25 %; null otherwise.</summary>
    public static string? Sentence(IEnumerable<IReadOnlyList<double>> samples)
    {
        int[] widths = [.. samples.Select(HalfWidth)];
        var wide = widths.Count(width => width > percent);
        return wide <= widths.Length / 10 ? null : string.Create(CultureInfo.InvariantCulture,
            $"{MachineLoad.WasBusy}{wide} of {widths.Length} intervals are wider than ±{percent} %, the widest ±{widths.Max()} %.");
    }

    // of the interval of the median, in percent
    static int HalfWidth(IReadOnlyList<double> values)
    {
        var median = Median.Of(values);
        return (int)Math.Min(int.MaxValue, 100 * Math.Max(median.High - median.Value, median.Value - median.Low) / median.Value);
    }
}

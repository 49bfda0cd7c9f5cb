using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Harness;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Formats the median with the half-width of its interval, as one column instead of four.</summary>
static class TimeColumn
{
    // below this level there were too few values for an interval
    const double enough = 0.95;

    /// <summary>Returns a text such as <c>17.19 μs ± 0.8 %</c>; NA for a cell that failed.</summary>
    public static string Of(BenchmarkReport report)
    {
        if (report.ResultStatistics is not { } statistics)
            return "NA";
        var median = Median.Of(statistics.OriginalValues);
        return $"{Nanoseconds(median.Value)} {(median.Level < enough ? "± ?" : Spread.Of(median.Value, median.Low, median.High))}";
    }

    static string Nanoseconds(double value)
    {
        var (scaled, unit) =
            value switch { < 1e3 => (value, "ns"), < 1e6 => (value / 1e3, "μs"), < 1e9 => (value / 1e6, "ms"), _ => (value / 1e9, "s ") };
        return $"{scaled.ToString(scaled switch { < 10 => "N3", < 100 => "N2", _ => "N1" })} {unit}";
    }
}

sealed class RatioIntervalColumn : RatioColumn
{
    public override string Id => nameof(RatioIntervalColumn);

    public override string Legend =>
        "Median divided by the baseline's median, and how far the 95 % interval of the ratio reaches within this launch";

    public override string GetValue(
        Summary summary, BenchmarkCase benchmarkCase, Statistics baseline, IReadOnlyDictionary<string, Metric> baselineMetrics,
        Statistics current, IReadOnlyDictionary<string, Metric> currentMetrics, bool isBaseline)
    {
        var text = Text(baseline, current);
        return isBaseline ? text : $"{text} {Reach(RatioEstimate.Of(baseline.OriginalValues, current.OriginalValues, 0.05))}";

        string Reach(RatioEstimate estimate) => Spread.Of(current.Median / baseline.Median, estimate.Low, estimate.High);
    }
}

static class Spread
{
    /// <summary>Returns the distance to the farther end. It is <c>± ?</c> if there were too few measurements for an interval.</summary>
    public static string Of(double value, double low, double high)
    {
        var share = Math.Max(value - low, high - value) / value * 100;
        return low <= 0 || !double.IsFinite(share) ? "± ?" : $"± {share.ToString(share < 9.95 ? "N1" : "N0")} %";
    }
}

using BenchmarkDotNet.Reports;
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

static class Spread
{
    /// <summary>Returns the distance to the farther end. It is <c>± ?</c> if there were too few measurements for an interval.</summary>
    public static string Of(double value, double low, double high)
    {
        var share = Math.Max(value - low, high - value) / value * 100;
        return low <= 0 || !double.IsFinite(share) ? "± ?" : $"± {share.ToString(share < 9.95 ? "N1" : "N0")} %";
    }
}

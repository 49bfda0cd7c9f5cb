using System.Globalization;
using BenchmarkDotNet.Reports;
using ProtoBench.Results;

namespace ProtoBench.Columns;

/// <summary>The median with the reach of its interval: one column instead of four.</summary>
static class TimeColumn
{
    // below this level there were too few values for an interval
    const double enough = 0.95;

    /// <summary>Such as <c>17.19 μs ± 0.8 %</c>; NA for a cell that failed.</summary>
    public static string Of(BenchmarkReport report)
    {
        if (report.ResultStatistics is not { } statistics)
            return "NA";
        var median = Median.Of(statistics.OriginalValues);
        return $"{Nanoseconds(median.Value)} {(median.Level < enough ? "± ?" : Spread.Of(median.Value, median.Low, median.High))}";
    }

    /// <summary>Four digits and the unit that suits them.</summary>
    static string Nanoseconds(double value)
    {
        var (scaled, unit) =
            value switch { < 1e3 => (value, "ns"), < 1e6 => (value / 1e3, "μs"), < 1e9 => (value / 1e6, "ms"), _ => (value / 1e9, "s ") };
        return $"{scaled.ToString(scaled switch { < 10 => "N3", < 100 => "N2", _ => "N1" }, CultureInfo.InvariantCulture)} {unit}";
    }
}

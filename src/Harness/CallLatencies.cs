using System.Diagnostics;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Harness;

/// <summary>Represents the times of the second half of a process's calls, at most <see cref="Most"/>. The warm-up is not included if it
/// makes at most half of the calls, as in the default job.</summary>
/// <remarks>Any thread may add. Nothing else may happen at the same time. Adding allocates nothing.</remarks>
public sealed partial class CallLatencies
{
    /// <summary>The maximum number of times that are kept.</summary>
    public const int Most = 8_192;

    // A percentile needs ten calls above it. Otherwise it depends on a single call.
    const int fewestBeyond = 10;

    readonly long[] ticks = new long[Most];
    int added;

    /// <summary>Adds a call that ends now.</summary>
    /// <param name="began">The <see cref="Stopwatch.GetTimestamp"/> at its start.</param>
    public void Add(long began) =>
        ticks[(uint)(Interlocked.Increment(ref added) - 1) % Most] = Stopwatch.GetTimestamp() - began;

    /// <summary>Returns the line that the measured process prints for the columns and the summary.</summary>
    public override string ToString()
    {
        var calls = (uint)added;
        var kept = Math.Min(calls / 2, Most);
        var sorted = new TimeSpan[kept];
        for (var i = 0u; i < kept; i++)
            sorted[i] = Stopwatch.GetElapsedTime(0, ticks[(calls - kept + i) % Most]);
        Array.Sort(sorted);
        return string.Create(CultureInfo.InvariantCulture, $"// Latency of {sorted.Length} calls: p50 {Percentile(50)}, p99 {Percentile(99)}");

        string Percentile(int percent)
        {
            var beyond = sorted.Length - (int)Math.Ceiling(sorted.Length * percent / 100.0);
            return beyond < fewestBeyond ? "-" : sorted[^(beyond + 1)].TotalNanoseconds.ToString("F0", CultureInfo.InvariantCulture) + " ns";
        }
    }

    /// <summary>The columns of tables with calls.</summary>
    internal static CellColumn[] Columns => [Column(50, of => of.P50), Column(99, of => of.P99)];

    static CellColumn Column(int percent, Func<(double? P50, double? P99), double?> which) => new(
        string.Create(CultureInfo.InvariantCulture, $"p{percent} [μs]"),
        $"{percent} % of the second half of the calls, at most {Most}, took at most so long",
        cell => cell.Parameters.Items.Any(parameter => parameter.Name == MessageAnswer.Callers),
        report => which(Of(report)) is { } nanoseconds ? (nanoseconds / 1_000).ToString("N1", CultureInfo.InvariantCulture) : "-");

    /// <summary>Returns the percentiles that the last process of a cell printed, in nanoseconds; null if there are none, as for a cell that
    /// ran in the process of the program, or there were too few calls.</summary>
    internal static (double? P50, double? P99) Of(BenchmarkReport? report)
    {
        var line = report?.ExecuteResults is [.., var last]
            ? (last.StandardOutput ?? []).Concat(last.PrefixedLines ?? []).Select(text => Line().Match(text))
                .LastOrDefault(match => match.Success)
            : null;
        return (Nanoseconds("p50"), Nanoseconds("p99"));

        double? Nanoseconds(string name) => line?.Groups[name] is { Success: true } group
            ? double.Parse(group.Value, CultureInfo.InvariantCulture) : null;
    }

    [GeneratedRegex(@"^// Latency of \d+ calls: p50 (-|(?<p50>\d+) ns), p99 (-|(?<p99>\d+) ns)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Line();
}

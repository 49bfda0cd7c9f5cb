using System.Diagnostics;
using System.Globalization;
using BenchmarkDotNet.Reports;

namespace ProtoBench.Diagnosers;

/// <summary>What the garbage collector has cost a measured process, from the first
/// operation to the last. The process writes it as a line of its output.</summary>
/// <param name="Operations">Operations a second.</param>
/// <param name="PausePercent">Share of the time in which all threads were stopped.</param>
/// <param name="PauseMicroseconds">Mean length of a pause; 0 without any.</param>
/// <param name="WorkingSet">Largest memory of the process, in bytes.</param>
sealed record CollectorCost(double Operations, double PausePercent, double PauseMicroseconds, long WorkingSet)
{
    const string prefix = "// Collector:";

    /// <summary>What <paramref name="report"/>'s process has written; null where it has written nothing.</summary>
    public static CollectorCost? Of(BenchmarkReport report) =>
        report.ExecuteResults.SelectMany(result => result.StandardOutput)
            .LastOrDefault(line => line.StartsWith(prefix, StringComparison.Ordinal)) is { } line ? Parse(line) : null;

    internal static CollectorCost? Parse(string line) =>
        line[prefix.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var operations, var share, var pause, var memory]
        ? new(Number(operations), Number(share), Number(pause), (long)Number(memory))
        : null;

    /// <summary>The line.</summary>
    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{prefix} {Operations:R} {PausePercent:R} {PauseMicroseconds:R} {WorkingSet}");

    static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    /// <summary>Counts in the measured process.</summary>
    internal sealed class Meter
    {
        readonly long started = Stopwatch.GetTimestamp();
        readonly TimeSpan paused = GC.GetTotalPauseDuration();
        readonly int collections = Pauses();
        long operations;

        /// <summary>One more operation was done. Not thread-safe.</summary>
        public void Count(int more) => operations += more;

        /// <summary>What it has cost so far.</summary>
        public CollectorCost Read()
        {
            var elapsed = Stopwatch.GetElapsedTime(started);
            var pause = GC.GetTotalPauseDuration() - paused;
            var count = Pauses() - collections;
            using var process = Process.GetCurrentProcess();
            return new(operations / elapsed.TotalSeconds, pause / elapsed * 100, count == 0 ? 0 : pause.TotalMicroseconds / count,
                process.PeakWorkingSet64);
        }

        // A collection of an older generation is one of all younger ones, too.
        static int Pauses() => GC.CollectionCount(0);
    }
}

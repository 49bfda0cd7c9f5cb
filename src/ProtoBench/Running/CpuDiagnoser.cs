using System.Diagnostics;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using ProtoBench.Harness;

namespace ProtoBench;

/// <summary>The processor time of the measured iterations divided by their elapsed time and by the cores. It is read from outside while
/// the measured process waits for its host, so it adds nothing to the run.</summary>
sealed class CpuDiagnoser : OwnDiagnoser
{
    public const string Cpu = "CPU %";

    TimeSpan before;
    long started;
    double? share;

    public override RunMode GetRunMode(BenchmarkCase benchmarkCase) =>
        benchmarkCase.Descriptor.Type.IsDefined(typeof(CostColumnsAttribute), inherit: false) ? RunMode.NoOverhead : RunMode.None;

    public override void Handle(HostSignal signal, DiagnoserActionParameters parameters)
    {
        if (signal == HostSignal.BeforeActualRun)
            (before, started) = (parameters.Process.TotalProcessorTime, Stopwatch.GetTimestamp());
        else if (signal == HostSignal.AfterActualRun && !parameters.Process.HasExited)
            share = (parameters.Process.TotalProcessorTime - before) / Stopwatch.GetElapsedTime(started) / Environment.ProcessorCount * 100;
    }

    public override IEnumerable<Metric> ProcessResults(DiagnoserResults results)
    {
        if (share is { } percent)
            yield return new(new HiddenMetric(Cpu, "Processor time over wall time, divided by the cores"), percent);
        share = null;
    }
}

/// <summary>From the first operation to the last. The measured process writes it as a line of its output.</summary>
/// <param name="PauseMicroseconds">The mean length of a pause; 0 without any.</param>
/// <param name="WorkingSet">The largest memory of the process, in bytes.</param>
sealed record CollectorCost(double Operations, double PausePercent, double PauseMicroseconds, long WorkingSet)
{
    const string prefix = "// Collector:";

    public static CollectorCost? Of(BenchmarkReport report) =>
        report.ExecuteResults.SelectMany(result => result.StandardOutput)
            .LastOrDefault(line => line.StartsWith(prefix, StringComparison.Ordinal)) is { } line ? Parse(line) : null;

    internal static CollectorCost? Parse(string line) =>
        line[prefix.Length..].Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var operations, var share, var pause, var memory]
        ? new(Number(operations), Number(share), Number(pause), (long)Number(memory))
        : null;

    public override string ToString() => $"{prefix} {Operations:R} {PausePercent:R} {PauseMicroseconds:R} {WorkingSet}";

    static double Number(string text) => double.Parse(text);

    internal sealed class Meter
    {
        readonly long started = Stopwatch.GetTimestamp();
        readonly TimeSpan paused = GC.GetTotalPauseDuration();
        readonly int collections = Pauses();
        long operations;

        /// <summary>Counts operations. Not thread-safe.</summary>
        public void Count(int more) => operations += more;

        public CollectorCost Read()
        {
            var elapsed = Stopwatch.GetElapsedTime(started);
            var pause = GC.GetTotalPauseDuration() - paused;
            var count = Pauses() - collections;
            using var process = Process.GetCurrentProcess();
            return new(operations / elapsed.TotalSeconds, pause / elapsed * 100, count == 0 ? 0 : pause.TotalMicroseconds / count,
                process.PeakWorkingSet64);
        }

        // A collection of an older generation also collects all younger ones.
        static int Pauses() => GC.CollectionCount(0);
    }
}

using System.Runtime.InteropServices;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>Ends a run of BenchmarkDotNet at Ctrl-C, and keeps the cells that were finished, which BenchmarkDotNet would lose.</summary>
sealed class StoppableRun : EventProcessor, IDisposable
{
    // that of a process which Ctrl-C has ended, and of one that BenchmarkDotNet kills then
    const int interrupted = 130, killed = 137;

    readonly ManualResetEventSlim stopped = new();
    readonly List<BenchmarkReport> finished = [];
    readonly PosixSignalRegistration registration;
    StoppedException? reason;
    volatile bool running;

    public StoppableRun() => registration = PosixSignalRegistration.Create(PosixSignal.SIGINT, signal =>
    {
        signal.Cancel = true;
        stopped.Set();
        if (running)
            return;
        Console.Error.WriteLine(StoppedException.Nothing);
        Environment.Exit(ExitCode.Stopped);
    });

    public MachineLoad Load { get; } = new();

    public override void OnStartRunStage() => running = true;

    public override void OnStartRunBenchmark(BenchmarkCase benchmarkCase) => ThrowIfStopped();

    public override void OnEndRunBenchmark(BenchmarkCase benchmarkCase, BenchmarkReport report)
    {
        Load.Look();
        if (!IsEndOf(report))
            finished.Add(report);
        ThrowIfStopped();
    }

    // reached without a cell if none could be built
    public override void OnEndRunBenchmarksInType(Type type, Summary summary) => ThrowIfStopped();

    /// <summary>Returns whether a cell failed because the run was stopped.</summary>
    public bool IsEndOf(BenchmarkReport report)
    {
        if (report.Success)
            return false;
        // The measured process may have ended before this one was told. On a busy machine BenchmarkDotNet, which is told first, takes
        // seconds to kill it.
        if (report.ExecuteResults.Any(process => process.ExitCode == interrupted))
            stopped.Set();
        else if (report.ExecuteResults.Any(process => process.ExitCode == killed))
            stopped.Wait(TimeSpan.FromMinutes(1));
        return stopped.IsSet;
    }

    /// <summary>Runs cells. If it is stopped, the summary has the finished ones, and the files of the configuration are written.</summary>
    /// <exception cref="StoppedException">Thrown when it was stopped before a cell was finished.</exception>
    public Summary[] Run(IConfig config, Func<Summary[]> run)
    {
        try
        {
            return run();
        }
        catch (OperationCanceledException) when (stopped.IsSet)
        {
            if (finished.Count == 0)
                throw new StoppedException(measured: false, file: null);
            var folder = Directory.CreateDirectory(
                Path.Combine(config.ArtifactsPath ?? DefaultConfig.Instance.ArtifactsPath!, "results")).FullName;
            var summary = new Summary(string.Create(CultureInfo.InvariantCulture, $"BenchmarkRun-stopped-{DateTime.Now:yyyy-MM-dd-HH-mm-ss}"),
                [.. finished], HostEnvironmentInfo.GetCurrent(), folder, "", TimeSpan.Zero, CultureInfo.InvariantCulture, [], []);
            var files = config.GetExporters().SelectMany(exporter => exporter.ExportToFiles(summary, NullLogger.Instance)).ToArray();
            var json = Array.Find(files, file => file.EndsWith(".json", StringComparison.Ordinal));
            reason = new(measured: true, json is null ? null : Path.GetRelativePath(Directory.GetCurrentDirectory(), json));
            return [summary];
        }
    }

    /// <exception cref="StoppedException">Thrown when the run was stopped.</exception>
    public void ThrowIfPartial()
    {
        if (reason is not null)
            throw reason;
    }

    public void Dispose()
    {
        registration.Dispose();
        stopped.Dispose();
    }

    void ThrowIfStopped()
    {
        if (stopped.IsSet)
            throw new OperationCanceledException();
    }
}

using System.Runtime.InteropServices;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

/// <summary>Ends a run of BenchmarkDotNet at Ctrl-C, or where its files cannot be written, and keeps the cells that were finished, which
/// BenchmarkDotNet would lose.</summary>
sealed class StoppableRun : EventProcessor, IDisposable
{
    // that of a process which Ctrl-C has ended, and of one that BenchmarkDotNet kills then
    const int interrupted = 130, killed = 137;

    readonly ManualResetEventSlim stopped = new();
    readonly List<BenchmarkReport> finished = [];
    readonly PosixSignalRegistration registration;
    RunException? reason;
    volatile bool running;
    int cells;

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

    public override void OnStartBuildStage(IReadOnlyList<BuildPartition> partitions) =>
        cells = partitions.Sum(partition => partition.Benchmarks.Length);

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

    /// <summary>Runs cells. If it is stopped, or a file cannot be written, the summary has the finished ones. If it is stopped, the files
    /// of the configuration are written.</summary>
    /// <exception cref="StoppedException">Thrown when it was stopped before a cell was finished.</exception>
    /// <exception cref="UsageException">Thrown when no file can be written, before a cell was finished.</exception>
    public Summary[] Run(IConfig config, Func<Summary[]> run)
    {
        var folder = Path.Combine(config.ArtifactsPath ?? DefaultConfig.Instance.ArtifactsPath!, "results");
        ResultPath.CheckFolder(folder, "--artifacts");
        var before = Files(folder).ToHashSet();
        try
        {
            return run();
        }
        catch (OperationCanceledException) when (stopped.IsSet)
        {
            if (finished.Count == 0)
                throw new StoppedException(measured: false, file: null);
            var summary = Finished(folder);
            try
            {
                var files = config.GetExporters().SelectMany(exporter => exporter.ExportToFiles(summary, NullLogger.Instance)).ToArray();
                var json = Array.Find(files, file => file.EndsWith(".json", StringComparison.Ordinal));
                reason = new StoppedException(
                    measured: true, json is null ? null : Path.GetRelativePath(Directory.GetCurrentDirectory(), json));
            }
            catch (Exception e) when (ResultPath.IsUnwritable(e))
            {
                reason = Unwritable(folder, before, e);
            }

            return [summary];
        }
        catch (Exception e) when (ResultPath.IsUnwritable(e))
        {
            reason = Unwritable(folder, before, e);
            return finished.Count == 0 ? throw reason : [Finished(folder: "")];
        }
    }

    Summary Finished(string folder) => new(
        string.Create(CultureInfo.InvariantCulture, $"BenchmarkRun-stopped-{DateTime.Now:yyyy-MM-dd-HH-mm-ss}"), [.. finished],
        HostEnvironmentInfo.GetCurrent(), folder, "", TimeSpan.Zero, CultureInfo.InvariantCulture, [], []);

    // A file that is cut short would look like a result.
    UsageException Unwritable(string folder, HashSet<(string, DateTime)> before, Exception e)
    {
        foreach (var (file, _) in Files(folder).Except(before))
            ResultPath.Delete(file);
        return new($"cannot write {folder}: {e.Message.ReplaceLineEndings(" ")}; {(finished.Count == 0 ? "nothing was measured"
            : $"{finished.Count} of {cells} cells were measured, their table is above, and is not saved")}", e);
    }

    static IEnumerable<(string File, DateTime Written)> Files(string folder) =>
        Directory.Exists(folder) ? Directory.GetFiles(folder).Select(file => (file, File.GetLastWriteTimeUtc(file))) : [];

    /// <exception cref="RunException">Thrown when the run was stopped, or its files could not be written.</exception>
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

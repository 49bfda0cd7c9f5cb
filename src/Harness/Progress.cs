using System.Diagnostics;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;
using BenchmarkDotNet.Validators;

namespace ProtoBench.Harness;

/// <summary>Shows a run in one line: the cell, the number of cells, and the remaining time. Failures are printed immediately. The log file
/// has the rest.</summary>
/// <param name="width">The number of characters of a line of the terminal; 0 if a line cannot be overwritten. Then lines are added at
/// intervals.</param>
sealed class Progress(TextWriter console, int width) : EventProcessor
{
    readonly bool terminal = width > 1;

    /// <summary>The run, which can be stopped; null if it cannot.</summary>
    internal StoppableRun? Run { get; init; }

    static readonly TimeSpan betweenLines = TimeSpan.FromSeconds(30);
    readonly HashSet<string> said = [];
    readonly Stopwatch clock = new();
    TimeSpan lastLine;
    int cells, done;

    public override void OnValidationError(ValidationError validationError)
    {
        // The warning is about shadow copies of a test runner. A program in the folder for temporary files is valid.
        if (validationError.Message.Contains("is located in temp", StringComparison.Ordinal))
            return;
        SayOnce($"{(validationError.IsCritical ? "error" : "warning")}: {validationError.Message}");
    }

    public override void OnBuildComplete(BuildPartition partition, BuildResult buildResult)
    {
        if (!buildResult.IsGenerateSuccess)
            SayOnce($"error: the measured program could not be prepared: {buildResult.GenerateException?.Message}");
        else if (!buildResult.IsBuildSuccess)
            SayOnce($"error: the measured program could not be built: {buildResult.ErrorMessage}");
    }

    public override void OnStartBuildStage(IReadOnlyList<BuildPartition> partitions)
    {
        cells = partitions.Sum(partition => partition.Benchmarks.Length);
    }

    public override void OnStartRunStage() => clock.Restart();

    public override void OnStartRunBenchmark(BenchmarkCase benchmarkCase)
    {
        var left = done == 0 ? "" : $", {Text(clock.Elapsed / done * (cells - done))} left";
        Show($"{done + 1} of {cells}{left}: "
            + $"{benchmarkCase.Descriptor.WorkloadMethod.Name}{(benchmarkCase.HasParameters ? " " + benchmarkCase.Parameters.DisplayInfo : "")}");
    }

    public override void OnEndRunBenchmark(BenchmarkCase benchmarkCase, BenchmarkReport report)
    {
        done++;
        if (!report.Success && Run?.IsEndOf(report) is not true)
            SayOnce($"failed: "
                + $"{benchmarkCase.Descriptor.WorkloadMethod.Name}{(benchmarkCase.HasParameters ? " " + benchmarkCase.Parameters.DisplayInfo : "")}: {Reason(report)}");
    }

    public override void OnEndRunStage() => Clear();

    static string Reason(BenchmarkReport report)
    {
        if (report.BuildResult is { IsBuildSuccess: false })
            return "not built";
        string[] lines = [.. report.ExecuteResults.SelectMany(result => result.StandardOutput).Where(line => line.Length > 0)];
        return lines.FirstOrDefault(line => line.Contains("Exception", StringComparison.Ordinal)
            && !line.Contains("TargetInvocationException", StringComparison.Ordinal))
            ?? lines.LastOrDefault() ?? "its process said nothing";
    }

    void SayOnce(string line)
    {
        if (!said.Add(line))
            return;
        Clear();
        console.WriteLine(line);
    }

    void Show(string line)
    {
        if (terminal)
        {
            console.Write($"\r{(line.Length < width ? line.PadRight(width - 1) : line[..(width - 1)])}");
            console.Flush();
        }
        else if (done > 0 && clock.Elapsed - lastLine >= betweenLines)
        {
            lastLine = clock.Elapsed;
            console.WriteLine(line);
        }
    }

    void Clear()
    {
        if (terminal)
            console.Write($"\r{new string(' ', width - 1)}\r");
    }

    static string Text(TimeSpan time) =>
        time.TotalMinutes >= 1.5 ? $"{time.TotalMinutes:F0} min" : $"{Math.Max(1, time.TotalSeconds):F0} s";
}

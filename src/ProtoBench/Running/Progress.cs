using System.Diagnostics;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;
using BenchmarkDotNet.Validators;

namespace ProtoBench.Running;

/// <summary>A run in one line: which cell, of how many, and the time that is
/// left. What fails is said at once; the rest is in the log file.</summary>
/// <param name="console">Where to say it.</param>
/// <param name="terminal">Whether a line can be written over. If not, one is added from time to time.</param>
/// <param name="width">How many characters the line may have.</param>
/// <param name="cells">How many cells there are.</param>
sealed class Progress(TextWriter console, bool terminal, int width, int cells) : EventProcessor
{
    static readonly TimeSpan betweenLines = TimeSpan.FromSeconds(30);
    readonly HashSet<string> said = [];
    readonly Stopwatch clock = new();
    TimeSpan lastLine;
    int done;

    public override void OnValidationError(ValidationError validationError) =>
        SayOnce($"{(validationError.IsCritical ? "error" : "warning")}: {validationError.Message}");

    public override void OnBuildComplete(BuildPartition partition, BuildResult buildResult)
    {
        if (!buildResult.IsGenerateSuccess)
            SayOnce($"error: the measured program could not be prepared: {buildResult.GenerateException?.Message}");
        else if (!buildResult.IsBuildSuccess)
            SayOnce($"error: the measured program could not be built: {buildResult.ErrorMessage}");
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
        if (!report.Success)
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

/// <summary>Stops the run after the measured programs are built and before the first cell runs. Native code takes minutes of all cores to
/// compile. The user can build it while the machine is busy, and measure when it is quiet.</summary>
/// <param name="console">Where to say that the run waits.</param>
/// <param name="input">The run goes on after a line of it, or at its end.</param>
sealed class Pause(TextWriter console, TextReader input) : EventProcessor
{
    public override void OnEndBuildStage()
    {
        console.WriteLine("// Everything is built. Press Enter to measure.");
        console.Flush();
        _ = input.ReadLine();
    }
}

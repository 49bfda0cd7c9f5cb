using BenchmarkDotNet.Jobs;
using ProtoBench.Harness;

namespace ProtoBench.Tests;

public sealed class ProgressTests : IDisposable
{
    readonly StringWriter console = new() { NewLine = "\n" };

    [Fact]
    public void On_a_terminal_one_line_is_written_over_and_says_how_much_is_left()
    {
        var (summary, cell) = MadeUp.Cell("MeasureRequestGoogle", 100);
        var progress = new Progress(console, width: 60);
        var built = PrebuiltToolchainTests.Partition(Job.Dry);
        progress.OnStartBuildStage([built]);
        progress.OnStartRunStage();
        progress.OnStartRunBenchmark(cell);
        progress.OnEndRunBenchmark(cell, summary.Reports[0]);
        progress.OnStartRunBenchmark(cell);
        progress.OnEndRunStage();
        var shown = console.ToString().Split('\r');
        Assert.DoesNotContain('\n', console.ToString());
        Assert.All(shown, line => Assert.InRange(line.Length, 0, 60));
        Assert.StartsWith($"1 of {built.Benchmarks.Length}: MeasureRequestGoogle ", shown[1], StringComparison.Ordinal);
        Assert.Matches($@"^2 of {built.Benchmarks.Length}, \d+ (s|min) left: MeasureRequestGoogle ", shown[2]);
        Assert.Equal("", shown[^1]);
    }

    [Fact]
    public void A_cell_that_fails_is_said_at_once_with_the_reason()
    {
        var (summary, cell) =
            MadeUp.Failed("MeasureRequestGoogle", "some line", "System.InvalidOperationException: no such thing", "   at X");
        var progress = new Progress(console, width: 0);
        progress.OnStartRunStage();
        progress.OnStartRunBenchmark(cell);
        progress.OnEndRunBenchmark(cell, summary.Reports[0]);
        progress.OnEndRunStage();
        Assert.Equal("failed: MeasureRequestGoogle: System.InvalidOperationException: no such thing\n", console.ToString());
    }

    [Fact]
    public void Warnings_are_said_once_and_a_program_among_temporary_files_is_none()
    {
        var progress = new Progress(console, width: 0);
        progress.OnValidationError(new(false, "Assembly A, which defines benchmarks, is located in temp. Disable shadow copies."));
        progress.OnValidationError(new(false, "slow"));
        progress.OnValidationError(new(false, "slow"));
        Assert.Equal("warning: slow\n", console.ToString());
    }

    public void Dispose() => console.Dispose();
}

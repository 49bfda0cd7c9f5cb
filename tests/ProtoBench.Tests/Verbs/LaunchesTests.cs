using ProtoBench.Results;
using ProtoBench.Verbs;

namespace ProtoBench.Tests.Verbs;

/// <summary>Launches of a made-up program: a shell script that writes down its arguments and order, and leaves the reports that it was given.</summary>
public sealed class LaunchesTests : IDisposable
{
    readonly Sandbox sandbox = new();
    readonly StringWriter progress = new() { NewLine = "\n" };

    [Fact]
    public async Task Every_launch_leaves_one_file_and_every_other_one_is_reversed()
    {
        var launches = Program("""
            echo "$PROTOBENCH_ORDER $*" >> "$here/calls"
            mkdir -p "$artifacts/results"
            cp "$here/report.json" "$artifacts/results/Cells-report-full.json"
            """);
        sandbox.Put("report.json", ("Parse", 7));
        launches.Prepare();
        string[] files = [await launches.RunAsync(1, 2, "launch-01", progress, default), await launches.RunAsync(2, 2, "launch-02", progress, default)];

        Assert.Equal([Path.Combine(Out, "launch-01.json"), Path.Combine(Out, "launch-02.json")], files);
        Assert.All(files, file => Assert.Equal(7, ResultFile.Read(file).Cells.Single().Values.Single()));
        var calls = await File.ReadAllLinesAsync(Path.Combine(sandbox.Folder, "calls"));
        Assert.Equal(
            [
                $"declared --filter *A* *B* --exporters json --artifacts {Path.Combine(Out, "launch-01")} --iterationCount 3",
                $"reversed --filter *A* *B* --exporters json --artifacts {Path.Combine(Out, "launch-02")} --iterationCount 3",
            ],
            calls);
        Assert.Equal(["launch-01.json", "launch-01.log", "launch-02.json", "launch-02.log"], Directory.GetFileSystemEntries(Out).Select(Path.GetFileName).Order());
        Assert.Contains("launch 2 of 2, cells in reversed order", progress.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Of_two_reports_of_a_launch_the_one_that_says_more_is_kept()
    {
        var launches = Program("""
            mkdir -p "$artifacts/results"
            cp "$here/report.json" "$artifacts/results/Cells-report-full-compressed.json"
            sed 's/"Benchmarks"/"ProtoBench": { "gc": "Server" }, "Benchmarks"/' "$here/report.json" > "$artifacts/results/Cells-report-full.json"
            """);
        sandbox.Put("report.json", ("Parse", 7));
        launches.Prepare();
        Assert.Equal("Server", ResultFile.Read(await launches.RunAsync(1, 1, "launch-01", progress, default)).Facts["GC"]);
    }

    [Fact]
    public async Task A_failed_launch_shows_the_end_of_its_log()
    {
        var launches = Program("echo fine; echo 'something broke' >&2; exit 3");
        launches.Prepare();
        var message = (await Assert.ThrowsAsync<LaunchFailedException>(() => launches.RunAsync(1, 1, "launch-01", progress, default))).Message;
        Assert.Contains("launch 1 failed with exit code 3", message, StringComparison.Ordinal);
        Assert.Contains("something broke", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_launch_without_a_report_has_failed()
    {
        var launches = Program("echo nothing to see");
        launches.Prepare();
        Assert.Contains("left no report", (await Assert.ThrowsAsync<LaunchFailedException>(() => launches.RunAsync(1, 1, "launch-01", progress, default))).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stopped_launch_is_ended()
    {
        var launches = Program("sleep 600");
        launches.Prepare();
        using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => launches.RunAsync(1, 1, "launch-01", progress, stop.Token)).WaitAsync(TimeSpan.FromMinutes(3), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Results_of_two_runs_never_mix()
    {
        Directory.CreateDirectory(Out);
        File.WriteAllText(Path.Combine(Out, "launch-01.json"), "");
        Assert.Equal((2, $"--out: {Out} has result files already\n"), (Repeat("2", "--filter", "*", "--out", Out).Exit, Repeat("2", "--filter", "*", "--out", Out).Error));
    }

    [Theory]
    [InlineData("0", "--filter", "*", "--out", "x")]
    [InlineData("many", "--filter", "*", "--out", "x")]
    [InlineData("3", "--out", "x")]
    [InlineData("3", "--filter", "*")]
    public void Wrong_use_is_exit_code_2(params string[] arguments) => Assert.Equal(2, Repeat(arguments).Exit);

    [Fact]
    public void Noise_needs_two_launches_a_side() => Assert.Equal(2, Sandbox.Run(NoiseVerb.Create(), "1", "--filter", "*", "--out", Out).Exit);

    string Out => Path.Combine(sandbox.Folder, "out");

    public void Dispose()
    {
        progress.Dispose();
        sandbox.Dispose();
    }

    static (int Exit, string Output, string Error) Repeat(params string[] arguments) => Sandbox.Run(RepeatVerb.Create(), arguments);

    Launches Program(string script)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the made-up program is a shell script");
        var path = Path.Combine(sandbox.Folder, "program.sh");
        File.WriteAllText(path, $"""
            here='{sandbox.Folder}'
            all="$*"
            while [ "$1" != --artifacts ] && [ $# -gt 0 ]; do shift; done
            artifacts="$2"
            set -- $all
            {script}
            """.ReplaceLineEndings("\n"));
        return new Launches(Out, ["*A*", "*B*"], ["--iterationCount", "3"]) { Program = ["/bin/sh", "-f", path] };
    }
}

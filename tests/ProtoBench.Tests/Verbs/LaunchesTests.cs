using ProtoBench.Results;
using ProtoBench.Verbs;

namespace ProtoBench.Tests.Verbs;

/// <summary>Launches of a made-up program: a shell script that writes down its
/// arguments and order, and leaves the reports that it was given.</summary>
public sealed class LaunchesTests : IDisposable
{
    readonly Sandbox sandbox = new();
    readonly StringWriter progress = new() { NewLine = "\n" };

    [Fact]
    public async Task Every_launch_leaves_one_file_and_every_other_one_is_reversed()
    {
        var launches = Program("""
            echo "$PROTOBENCH_ORDER $*" >> "$here/calls"
            report
            """);
        launches.Prepare();
        string[] files =
            [await launches.RunAsync(1, 2, "launch-01", progress, default), await launches.RunAsync(2, 2, "launch-02", progress, default)];

        Assert.Equal([Path.Combine(Out, "launch-01.json"), Path.Combine(Out, "launch-02.json")], files);
        Assert.All(files, file => Assert.Equal(7, ResultFile.Read(file).Cells.Single().Values.Single()));
        var calls = await File.ReadAllLinesAsync(Path.Combine(sandbox.Folder, "calls"));
        Assert.Equal(
            [
                $"declared --filter *A* *B* --exporters json --artifacts {Path.Combine(Out, "launch-01")} --iterationCount 3",
                $"reversed --filter *A* *B* --exporters json --artifacts {Path.Combine(Out, "launch-02")} --iterationCount 3",
            ],
            calls);
        Assert.Equal(["arguments.txt", "launch-01.json", "launch-01.log", "launch-02.json", "launch-02.log"],
            Directory.GetFileSystemEntries(Out).Select(Path.GetFileName).Order());
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
        launches.Prepare();
        Assert.Equal("Server", ResultFile.Read(await launches.RunAsync(1, 1, "launch-01", progress, default)).Facts["GC"]);
    }

    [Fact]
    public async Task A_failed_launch_shows_the_end_of_its_log()
    {
        var launches = Program("echo fine; echo 'something broke' >&2; exit 3");
        launches.Prepare();
        var message =
            (await Assert.ThrowsAsync<LaunchFailedException>(() => launches.RunAsync(1, 1, "launch-01", progress, default))).Message;
        Assert.Contains("launch 1 failed with exit code 3", message, StringComparison.Ordinal);
        Assert.Contains("something broke", message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_launch_that_failed_is_run_once_more_and_its_log_is_kept()
    {
        var launches = Program("""
            echo try >> "$here/tries"
            if [ $(wc -l < "$here/tries") -eq 1 ]; then echo 'something broke'; exit 1; fi
            report
            """);
        launches.Prepare();
        Assert.Equal(7, ResultFile.Read(await launches.RunAsync(1, 1, "launch-01", progress, default)).Cells.Single().Values.Single());
        Assert.Contains("it is run once more", progress.ToString(), StringComparison.Ordinal);
        Assert.Contains("something broke", await File.ReadAllTextAsync(Path.Combine(Out, "launch-01.failed-1.log")),
            StringComparison.Ordinal);
        Assert.Empty(launches.FailedCells);
    }

    // A cell that fails in every attempt must not cost the others their launch.
    [Fact]
    public async Task Of_a_launch_with_a_cell_that_always_fails_the_other_cells_are_kept()
    {
        var launches = Program("""
            echo try >> "$here/tries"
            mkdir -p "$artifacts/results"
            sed 's/"Benchmarks": \[/"Benchmarks": [ { "Type": "Cells", "Method": "Broken", "FullName": "Cells.Broken", "Statistics": null },/' "$here/report.json" > "$artifacts/results/Cells-report-full.json"
            exit 1
            """);
        launches.Prepare();
        var file = ResultFile.Read(await launches.RunAsync(1, 1, "launch-01", progress, default));
        Assert.Equal((7, "Cells.Broken"), (file.Cells.Single().Values.Single(), file.Failed.Single().Full));
        Assert.Equal(["launch 1: Cells.Broken failed in each of 2 attempts"], launches.FailedCells);
        Assert.Equal(2, (await File.ReadAllLinesAsync(Path.Combine(sandbox.Folder, "tries"))).Length);
    }

    [Fact]
    public async Task A_series_goes_on_where_it_was_stopped()
    {
        var launches = Program("""
            echo try >> "$here/tries"
            report
            """);
        launches.Prepare();
        await launches.RunAsync(1, 2, "launch-01", progress, default);

        launches.Prepare(resume: true);
        await launches.RunAsync(1, 2, "launch-01", progress, default);
        await launches.RunAsync(2, 2, "launch-02", progress, default);
        Assert.Equal(2, (await File.ReadAllLinesAsync(Path.Combine(sandbox.Folder, "tries"))).Length);
        Assert.Contains("launch 1 of 2: there already", progress.ToString(), StringComparison.Ordinal);

        var other = new Launches(Out, ["*C*"], []);
        Assert.Contains("has launches with other arguments", Assert.Throws<UsageException>(() => other.Prepare(resume: true)).Message,
            StringComparison.Ordinal);
    }

    // The first run's iterations take 10 ms of the 100 that were asked for, the second one's 100.
    [Fact]
    public async Task Cells_that_cannot_be_believed_are_run_once_more()
    {
        var launches = Program("""
            echo "$all" >> "$here/calls"
            mkdir -p "$artifacts/results"
            case "$artifacts" in *.again) report=second.json;; *) report=first.json;; esac
            cp "$here/$report" "$artifacts/results/Cells-report-full.json"
            """);
        await File.WriteAllTextAsync(Path.Combine(sandbox.Folder, "first.json"), Report(("Good", 5, 100), ("Short", 9, 10)));
        await File.WriteAllTextAsync(Path.Combine(sandbox.Folder, "second.json"), Report(("Short", 7, 100)));
        launches.Prepare();
        var file = ResultFile.Read(await launches.RunAsync(1, 1, "launch-01", progress, default));
        Assert.Equal([5, 7], file.Cells.Select(cell => cell.Values.Single()));
        Assert.All(file.Cells, cell => Assert.False(cell.Doubtful));
        Assert.Empty(file.Warnings);
        var calls = await File.ReadAllLinesAsync(Path.Combine(sandbox.Folder, "calls"));
        Assert.StartsWith("--filter Cells.Short --exporters", calls[1], StringComparison.Ordinal);
        Assert.Equal(2, calls.Length);
        Assert.Empty(Directory.GetDirectories(Out));
    }

    [Fact]
    public async Task Launches_of_two_builds_are_no_series()
    {
        var launches = Program("""
            printf '\n# another build\n' >> "$here/program.sh"
            report
            """);
        launches.Prepare();
        await launches.RunAsync(1, 2, "launch-01", progress, default);
        var message =
            (await Assert.ThrowsAsync<LaunchFailedException>(() => launches.RunAsync(2, 2, "launch-02", progress, default))).Message;
        Assert.StartsWith("the program was built again since the first launch", message, StringComparison.Ordinal);
        Assert.True(File.Exists(Path.Combine(Out, "launch-01.json")));
    }

    // The launch goes to the checkout, where a relative folder would be another one.
    [Fact]
    public async Task A_relative_folder_is_that_of_whoever_asked()
    {
        var relative = Path.GetRelativePath(Directory.GetCurrentDirectory(), Out);
        var launches = Program("""
            cd /
            report
            """, relative);
        launches.Prepare();
        Assert.Equal(Path.Combine(Out, "launch-01.json"), await launches.RunAsync(1, 1, "launch-01", progress, default));
    }

    [Theory]
    [InlineData("")]
    [InlineData("/deeper")]
    public void A_file_where_the_folder_should_be_is_one_line(string deeper)
    {
        var file = sandbox.Put("taken.json", ("Parse", 7));
        var (exit, output, error) = Repeat("2", "--filter", "*", "--out", file + deeper);
        Assert.Equal((2, ""), (exit, output));
        Assert.StartsWith("--out: ", error, StringComparison.Ordinal);
        Assert.Equal(error.Length - 1, error.IndexOf('\n', StringComparison.Ordinal));
    }

    [Fact]
    public void A_folder_that_cannot_be_made_is_one_line()
    {
        Assert.SkipUnless(Directory.Exists("/proc/self"), "no /proc here");
        var (exit, _, error) = Repeat("2", "--filter", "*", "--out", "/proc/nothing/here");
        Assert.Equal(2, exit);
        Assert.StartsWith("--out: cannot write to /proc/nothing/here", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_launch_without_a_report_has_failed()
    {
        var launches = Program("echo nothing to see");
        launches.Prepare();
        Assert.Contains("left no report",
            (await Assert.ThrowsAsync<LaunchFailedException>(() => launches.RunAsync(1, 1, "launch-01", progress, default))).Message,
                StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_stopped_launch_is_ended()
    {
        var launches = Program("sleep 600");
        launches.Prepare();
        using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => launches.RunAsync(1, 1, "launch-01", progress, stop.Token))
            .WaitAsync(TimeSpan.FromMinutes(3), TestContext.Current.CancellationToken);
    }

    [Fact]
    public void Results_of_two_runs_never_mix()
    {
        Directory.CreateDirectory(Out);
        File.WriteAllText(Path.Combine(Out, "launch-01.json"), "");
        var refused = (2, $"--out: {Out} has result files already; --resume goes on with them\n");
        Assert.Equal(refused, (Repeat("2", "--filter", "*", "--out", Out).Exit, Repeat("2", "--filter", "*", "--out", Out).Error));
    }

    [Theory]
    [InlineData("0", "--filter", "*", "--out", "x")]
    [InlineData("many", "--filter", "*", "--out", "x")]
    [InlineData("3", "--out", "x")]
    [InlineData("3", "--filter", "*")]
    public void Wrong_use_is_exit_code_2(params string[] arguments) => Assert.Equal(2, Repeat(arguments).Exit);

    [Fact]
    public void Noise_needs_two_launches_a_side() =>
        Assert.Equal(2, Sandbox.Run(NoiseVerb.Create(), "1", "--filter", "*", "--out", Out).Exit);

    string Out => Path.Combine(sandbox.Folder, "out");

    public void Dispose()
    {
        progress.Dispose();
        sandbox.Dispose();
    }

    static (int Exit, string Output, string Error) Repeat(params string[] arguments) => Sandbox.Run(RepeatVerb.Create(), arguments);

    static string Report(params (string Method, double Nanoseconds, double IterationMilliseconds)[] cells)
    {
        var benchmarks = cells.Select(cell =>
        {
            var operations = (long)(cell.IterationMilliseconds * 1e6 / cell.Nanoseconds);
            var measurement =
                FormattableString.Invariant(
                    $$"""{ "IterationMode": "Workload", "IterationStage": "Actual", "LaunchIndex": 1, "Operations": {{operations}}, "Nanoseconds": {{operations * cell.Nanoseconds}} }""");
            return $$"""
                { "DisplayInfo": "Cells.{{cell.Method}}: ProtoBench(IterationTime=100ms)", "Type": "Cells", "Method": "{{cell.Method}}", "FullName": "Cells.{{cell.Method}}",
                  "Statistics": { "OriginalValues": [1] }, "Measurements": [{{measurement}}, {{measurement}}] }
                """;
        });
        return $$"""{ "Benchmarks": [{{string.Join(',', benchmarks)}}] }""";
    }

    Launches Program(string script, string? folder = null)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "the made-up program is a shell script");
        sandbox.Put("report.json", ("Parse", 7));
        var path = Path.Combine(sandbox.Folder, "program.sh");
        File.WriteAllText(path, $$"""
            here='{{sandbox.Folder}}'
            all="$*"
            while [ "$1" != --artifacts ] && [ $# -gt 0 ]; do shift; done
            artifacts="$2"
            set -- $all
            report() { mkdir -p "$artifacts/results"; cp "$here/report.json" "$artifacts/results/Cells-report-full.json"; }
            {{script}}
            """.ReplaceLineEndings("\n"));
        return new Launches(folder ?? Out, ["*A*", "*B*"], ["--iterationCount", "3"]) { Program = ["/bin/sh", "-f", path] };
    }
}

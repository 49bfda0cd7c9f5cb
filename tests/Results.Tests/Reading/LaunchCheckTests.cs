namespace ProtoBench.Results.Tests;

/// <summary>Launches whose pilot ended in code that was not optimized yet, and launches that were still warming up.</summary>
public class LaunchCheckTests
{
    static readonly double[] steady = [10, 10.1, 9.9, 10.2, 10, 9.8, 10, 10.1, 9.9];

    [Theory]
    [InlineData("ProtoBench(OutlierMode=DontRemove, IterationCount=15, IterationTime=100ms, WarmupCount=4)", 100e6)]
    [InlineData("Job-ABC(IterationTime=250.0000 ms)", 250e6)]
    [InlineData("IterationTime=1s, WarmupCount=1", 1e9)]
    [InlineData("DefaultJob", 500e6)]
    [InlineData("ProtoBench(InvocationCount=1, IterationTime=100ms, UnrollFactor=1)", null)]
    [InlineData("Dry(IterationCount=1, LaunchCount=1, RunStrategy=ColdStart, UnrollFactor=1, WarmupCount=1)", null)]
    [InlineData("ShortRun(IterationCount=3)", null)]
    [InlineData("IterationTime=1.2.3ms", null)]
    public void A_job_says_how_long_an_iteration_is_to_take(string job, double? nanoseconds) =>
        Assert.Equal(nanoseconds, LaunchCheck.Asked(job));

    // One operation of 10 ms is an iteration of 10 ms; one of 100 ms has ten, and one of 30 ms is long enough.
    [Fact]
    public void A_launch_with_far_too_short_iterations_is_left_out()
    {
        var file = Read([(1, steady), (10, steady)]);
        var cell = file.Cells.Single();
        Assert.Equal((false, 1), (cell.Doubtful, cell.Values.Count));
        Assert.Equal(9, cell.Iterations.Count);
        Assert.Equal(["x.json: 1 launch of a cell is left out, iterations far shorter than the 100 ms that were asked for: B"],
            file.Warnings);
        Assert.Empty(Read([(3, steady)]).Warnings);
    }

    [Fact]
    public void A_launch_that_gets_faster_all_along_is_left_out()
    {
        var file = Read([(10, steady), (10, [20, 19, 18, 15, 13, 12, 10, 10, 10])]);
        Assert.Equal(10e6, file.Cells.Single().Values.Single());
        Assert.Equal(["x.json: 1 launch of a cell is left out, still warming up: B"], file.Warnings);
    }

    [Theory]
    [InlineData(10.0, 10.1, 9.9, 10.2, 20.0, 9.8, 10.0, 30.0, 9.9)]
    [InlineData(10.0, 10.0, 10.0, 12.0, 13.0, 15.0, 18.0, 19.0, 20.0)]
    [InlineData(11.0, 11.0, 11.0, 10.5, 10.5, 10.5, 10.0, 10.0, 10.0)]
    [InlineData(20.0, 10.0)]
    public void A_slow_iteration_a_slow_end_and_a_small_change_are_no_reason(params double[] milliseconds) =>
        Assert.Empty(Read([(10, milliseconds)]).Warnings);

    [Fact]
    public void Where_no_launch_can_be_believed_the_figures_are_shown_without_a_verdict()
    {
        Side Side(string label, params ResultFile[] files) => new(label, files);
        var doubtful = Read([(1, steady)]);
        Assert.True(doubtful.Cells.Single().Doubtful);
        var comparison = Comparer.Compare([Side("old", Read([(10, steady)])), Side("new", doubtful)], new ComparisonOptions());
        Assert.Equal("every launch was too short or still warming up: no verdict", comparison.Changes().Single().Note);
        Assert.Equal(ExitCode.Invalid, comparison.Guard(FailOn.Worse));

        // a launch that can be believed is enough to leave the other one out
        var sample = Comparer.Compare(
            [Side("old", Read([(10, steady)])), Side("new", doubtful, Read([(10, [.. steady.Select(ms => ms * 2)])]))],
                new ComparisonOptions());
        Assert.Equal((1, 20e6),
            (sample.Blocks.Single().Rows.Single().Samples[1]!.N, sample.Blocks.Single().Rows.Single().Samples[1]!.Median.Value));
    }

    static ResultFile Read((int Operations, double[] MillisecondsPerOperation)[] launches)
    {
        var measurements =
            launches.SelectMany((launch, i) =>
                launch.MillisecondsPerOperation.SelectMany((ms, iteration) => new[] { "Actual", "Result" }.Select(stage => $$"""{ "IterationMode": "Workload", "IterationStage": "{{stage}}", "LaunchIndex": {{i + 1}}, "IterationIndex": {{iteration + 1}}, "Operations": {{launch.Operations}}, "Nanoseconds": {{ms * launch.Operations * 1e6}} }""")));
        return ResultFile.Parse(
            $$"""
            { "Benchmarks": [ { "DisplayInfo": "A.B: ProtoBench(IterationTime=100ms)", "Type": "A", "Method": "B", "FullName": "A.B",
              "Statistics": { "OriginalValues": [1] }, "Measurements": [{{string.Join(',', measurements)}}] } ] }
            """,
            "x.json");
    }
}

using System.Globalization;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;
using BenchmarkDotNet.Toolchains.Results;
using Perfolizer.Horology;

namespace ProtoBench.Harness.Tests;

/// <summary>Figures of the summary come from launches that can be believed, as those of <c>compare</c> do.</summary>
public class SummaryCellTests
{
    static readonly double[] steady = [10, 10.1, 9.9, 10, 10, 9.8, 10, 10.1, 9.9];
    static readonly double[] warmingUp = [20, 19, 18, 15, 13, 12, 10, 10, 10];

    [Fact]
    public void A_launch_that_was_warming_up_is_left_out()
    {
        var cell = Cell(warmingUp, steady);
        Assert.Null(cell.Fault);
        Assert.Equal((9, 10e6), (cell.Iterations, cell.Nanoseconds));
    }

    [Fact]
    public void Where_every_launch_was_warming_up_the_cell_says_so()
    {
        var cell = Cell(warmingUp);
        Assert.Equal(("still warming up", 9, 13e6), (cell.Fault, cell.Iterations, cell.Nanoseconds));
    }

    // 10 operations of 1 ms in an iteration that was to take 100 ms.
    [Fact]
    public void Iterations_that_are_far_too_short_are_said() =>
        Assert.Equal("iterations far shorter than the 100 ms that were asked for", Cell([.. steady.Select(ms => ms / 10)]).Fault);

    static SummaryCell Cell(params double[][] launches)
    {
        var config = ManualConfig.CreateEmpty().AddJob(new Job("Own").WithIterationTime(TimeInterval.FromMilliseconds(100)));
        var benchmark = BenchmarkConverter.TypeToBenchmarks(typeof(MadeUpCells), config).BenchmarksCases.Single();
        ExecuteResult[] results =
            [.. launches.Select((launch, index) => new ExecuteResult(true, 0, null, [.. Lines(launch)], [], [], index + 1))];
        var report = new BenchmarkReport(true, benchmark, null!, null!, results, []);
        return SummaryCell.Of(report)!;
    }

    // What a measured process prints, 10 operations an iteration.
    static IEnumerable<string> Lines(double[] launch) =>
        from stage in (string[])["Actual", "Result"]
        from iteration in launch.Select((milliseconds, index) => (milliseconds, index))
        select string.Create(CultureInfo.InvariantCulture,
            $"Workload{stage} {iteration.index + 1}: 10 op, {iteration.milliseconds * 10e6:F2} ns, {iteration.milliseconds:F4} ms/op");
}

public class MadeUpCells
{
#pragma warning disable CA1822 // cells are instance methods
    [Benchmark, BenchmarkCategory("Deserialize"), Measures("Slab")]
    public int Deserialize_Slab() => 1;
#pragma warning restore CA1822
}

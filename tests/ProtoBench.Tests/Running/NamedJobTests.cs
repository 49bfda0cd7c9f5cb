using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using ProtoBench.Benchmarks;

namespace ProtoBench.Tests;

/// <summary>No table may hold cells of two jobs that were not asked for.</summary>
public class NamedJobTests
{
    [Theory]
    [InlineData(typeof(MeterBenchmarks), 1)]
    [InlineData(typeof(BreakEvenBenchmarks), 1)]
    [InlineData(typeof(ColdStartBenchmarks), 1)]
    [InlineData(typeof(GcModeBenchmarks), 5)]
    public void Every_job_is_the_named_one(Type type, int jobs)
    {
        var own = OwnOptions.Parse(["--job", "dry"]);
        Assert.Empty(own.Rest);
        var used = Config.Cells(type, Config.Create(own), new(own, null)).BenchmarksCases.Select(cell => cell.Job)
            .DistinctBy(job => job.Id).ToList();
        Assert.Equal(jobs, used.Count);
        Assert.All(used, job => Assert.Equal(1, job.Run.IterationCount));
    }

    // BenchmarkDotNet applied the program's own job to the jobs of classes: cells of the map took 15 iterations of 100 ms.
    [Theory]
    [InlineData(typeof(BreakEvenBenchmarks), 5, 12, 1)]
    [InlineData(typeof(ColdStartBenchmarks), 1, 0, 15)]
    [InlineData(typeof(BreakEvenBenchmarks), 7, 12, 3, "--iterationCount", "7", "--launchCount", "3")]
    public void A_class_with_a_job_of_its_own_is_measured_by_it(Type type, int iterations, int warmups, int launches, params string[] args)
    {
        var own = OwnOptions.Parse(args);
        var config = Config.Create(own);
        var (_, asked, options) = ConfigParser.Parse(args, NullLogger.Instance, config);
        var used = Config.Cells(type, ManualConfig.Union(config, asked), new(own, options)).BenchmarksCases
            .Select(cell => cell.Job).Distinct().ToList();
        var run = used[0].Run;
        Assert.Equal((iterations, warmups, launches),
            (run.IterationCount, run.WarmupCount, run.HasValue(RunMode.LaunchCountCharacteristic) ? run.LaunchCount : 1));
        Assert.Single(used.Select(job => job.Id).Distinct());
    }
}

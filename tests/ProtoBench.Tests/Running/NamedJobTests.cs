using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Running;

namespace ProtoBench.Tests.Running;

/// <summary><c>--job</c> takes the place of every job of the program: no
/// table may hold cells of two jobs that were not asked for.</summary>
[Collection(nameof(Diagnosers.MeterTests))]
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
        try
        {
            Config.Named = own.Job;
            var used = BenchmarkConverter.TypeToBenchmarks(type, Config.Create(own)).BenchmarksCases.Select(cell => cell.Job)
                .DistinctBy(job => job.Id).ToList();
            Assert.Equal(jobs, used.Count);
            Assert.All(used, job => Assert.Equal(1, job.Run.IterationCount));
        }
        finally
        {
            Config.Named = null;
        }
    }

    // BenchmarkDotNet applied the program's own job to the jobs of classes: cells of the map took 15 iterations of 100 ms.
    [Theory]
    [InlineData(typeof(BreakEvenBenchmarks), 5, 12, 1)]
    [InlineData(typeof(ColdStartBenchmarks), 1, 0, 15)]
    [InlineData(typeof(BreakEvenBenchmarks), 7, 12, 3, "--iterationCount", "7", "--launchCount", "3")]
    public void A_class_with_a_job_of_its_own_is_measured_by_it(Type type, int iterations, int warmups, int launches, params string[] args)
    {
        var config = Config.Create(OwnOptions.Parse(args));
        try
        {
            var (_, asked, options) = ConfigParser.Parse(args, NullLogger.Instance, config);
            Config.Given = options;
            var used = BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.Union(config, asked)).BenchmarksCases
                .Select(cell => cell.Job).Distinct().ToList();
            var run = used[0].Run;
            Assert.Equal((iterations, warmups, launches),
                (run.IterationCount, run.WarmupCount, run.HasValue(RunMode.LaunchCountCharacteristic) ? run.LaunchCount : 1));
            Assert.Single(used.Select(job => job.Id).Distinct());
        }
        finally
        {
            Config.Given = null;
        }
    }
}

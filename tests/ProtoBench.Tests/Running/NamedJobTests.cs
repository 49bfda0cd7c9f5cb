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
}

using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using ProtoBench.Benchmarks;

namespace ProtoBench;

/// <summary>A short job for many cells, unless the user names another. Cells with payloads above 16 MiB are excluded.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class BreakEvenMapAttribute : JobsAttribute, IConfigSource
{
    /// <summary>The largest payload of the map, in bytes.</summary>
    public const long Largest = 16 << 20;

    // A map needs factors and not percents. With two iterations of warm-up, cells were still compiled while they were measured, and
    // differed by a factor of ten between iterations.
    public override Job[] Jobs(RunJobs run) => run.OfClass("Map",
        own => own.WithWarmupCount(12).WithIterationCount(5).WithIterationTime(TimeInterval.FromMilliseconds(50)));

    public IConfig Config { get; } = ManualConfig.CreateEmpty()
        .AddFilter(new SimpleFilter(benchmark =>
            !IsAbsent((int)benchmark.Parameters[nameof(BreakEvenBenchmarks.Items)],
                (int)benchmark.Parameters[nameof(BreakEvenBenchmarks.LeafBytes)])));

    public static bool IsAbsent(int items, int leafBytes) => (long)items * leafBytes > Largest;
}

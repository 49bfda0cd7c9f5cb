using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using ProtoBench.Benchmarks;

namespace ProtoBench.Running;

/// <summary>A short job for the many cells of the break-even map, unless the user
/// names another, and no cell whose payload is larger than 16 MiB.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class BreakEvenMapAttribute : Attribute, IConfigSource
{
    /// <summary>The largest payload of the map, in bytes.</summary>
    public const long Largest = 16 << 20;

    // A map shows factors, not percents: five iterations of 50 ms are 1.1 s a cell.
    public IConfig Config { get; } = ManualConfig.CreateEmpty()
        .AddJob(Running.Config.Job("Map",
            own => own.WithWarmupCount(2).WithIterationCount(5).WithIterationTime(TimeInterval.FromMilliseconds(50))))
        .AddFilter(new SimpleFilter(benchmark =>
            !IsAbsent((int)benchmark.Parameters[nameof(BreakEvenBenchmarks.Items)],
                (int)benchmark.Parameters[nameof(BreakEvenBenchmarks.LeafBytes)])));

    /// <summary>Is the payload of this shape too large for the map?</summary>
    public static bool IsAbsent(int items, int leafBytes) => (long)items * leafBytes > Largest;
}

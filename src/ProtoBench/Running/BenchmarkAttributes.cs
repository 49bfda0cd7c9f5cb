using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Engines;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Jobs;
using Perfolizer.Horology;
using ProtoBench.Benchmarks;

namespace ProtoBench;

/// <summary>Called once for each cell, in the parent process, on an instance with its parameters set.</summary>
public interface ISizedCells
{
    long WireBytes(string cell);
}

/// <summary>The table has the columns of a published one: allocations per operation (a second run of each cell, unless <c>--allocations
/// off</c> is given), timed operations and the share of the processor.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class CostColumnsAttribute : Attribute;

/// <summary>For cells that take long. <c>--filter '*'</c> does not select them: a filter has to name their class.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class OnlyWhenNamedAttribute : Attribute;

// BenchmarkDotNet makes attributes itself, so they cannot know the options of the user: Config.Cells asks for the jobs.
abstract class JobsAttribute : Attribute
{
    public abstract Job[] Jobs(RunJobs run);
}

/// <summary>A job for each GC mode. Server modes are without DATAS (dynamic adaptation to application sizes), which is their default
/// since .NET 9. ServerDatas is the default of an ASP.NET Core service.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class GcModesAttribute : JobsAttribute
{
    const string datas = "DOTNET_GCDynamicAdaptationMode";

    public override Job[] Jobs(RunJobs run)
    {
        return
        [
            Mode("Workstation", server: false, concurrent: false),
            Mode("WorkstationConcurrent", server: false, concurrent: true),
            Mode("Server", server: true, concurrent: false).WithEnvironmentVariable(datas, "0"),
            Mode("ServerConcurrent", server: true, concurrent: true).WithEnvironmentVariable(datas, "0"),
            Mode("ServerDatas", server: true, concurrent: true).WithEnvironmentVariable(datas, "1"),
        ];

        // BenchmarkDotNet runs collections between iterations, whose pauses would be counted for the cell. A cell that allocates nothing
        // had 1 to 30 % of pauses.
        Job Mode(string id, bool server, bool concurrent) =>
            run.Job(id).WithGcServer(server).WithGcConcurrent(concurrent).WithGcForce(false);
    }
}

/// <summary>Measures the first call of each cell, in 15 processes, unless the user names another job.</summary>
[AttributeUsage(AttributeTargets.Class)]
sealed class ColdStartAttribute : JobsAttribute
{
    const int processes = 15;

    public override Job[] Jobs(RunJobs run) => run.OfClass("ColdStart", own => own
        .WithStrategy(RunStrategy.ColdStart).WithLaunchCount(processes).WithWarmupCount(0).WithIterationCount(1)
        .WithInvocationCount(1).WithUnrollFactor(1));
}

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

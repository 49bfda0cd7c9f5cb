using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;
using ProtoBench.Columns;
using ProtoBench.Diagnosers;
using ProtoBench.Toolchains;

namespace ProtoBench;

/// <summary>The one configuration of all cells, a reason on each line. Options on the command line are added to it by BenchmarkDotNet.</summary>
static class Config
{
    /// <summary>Seconds that one cell takes with the job below, as seen: 25 s for the nine cells of DeserializeRequest on two cores.</summary>
    public const double SecondsPerCell = 3;

    /// <summary>
    /// How long BenchmarkDotNet may build where it has to (see <see cref="PrebuiltToolchain"/>). Its default of two minutes ends a run on a slow or busy machine;
    /// whoever waits longer than this can see that something hangs.
    /// </summary>
    public static readonly TimeSpan BuildTimeout = TimeSpan.FromHours(1);

    /// <summary>Whether options of BenchmarkDotNet leave the runtime and the toolchain to this program.</summary>
    public static bool RunsPrebuilt(CommandLineOptions options) =>
        PrebuiltToolchain.CanMeasure && !options.RunInProcess && !options.Runtimes.Any() && !options.CoreRunPaths.Any() && options.CliPath is null && options.Platform is null;

    /// <param name="ownJob">False where the user names a job: BenchmarkDotNet would silently prefer ours.</param>
    /// <param name="note">A line to keep with the results.</param>
    /// <param name="allocations">Which cells have their objects counted.</param>
    /// <param name="prebuilt">Measure the assemblies of this program. False where BenchmarkDotNet has to build others: for another runtime, or because these are not optimized.</param>
    public static IConfig Create(bool ownJob, string? note, AllocationCounting allocations = AllocationCounting.Marked, bool prebuilt = true)
    {
        var config = ManualConfig.CreateEmpty()
            .AddLogger(ConsoleLogger.Default) // progress, with the time that remains
            .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Job, DefaultColumnProviders.Params) // which cell; Job shows only what differs
            .AddColumn(StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.StdDev, StatisticColumn.Median) // always all four, so that tables line up
            .AddColumn(BaselineRatioColumn.RatioMean) // the figure that travels between machines
            .AddColumn(HiveColumns.Rate, HiveColumns.PerItem, HiveColumns.Payload) // time as an engineer asks for it
            .AddColumn(new CollectionsColumn(0), new CollectionsColumn(1)) // always: 0 is news
            .AddColumnProvider(DefaultColumnProviders.Metrics) // Allocated
            .AddColumn(CostColumns.Allocations(allocations), CostColumns.Cpu, CostColumns.Operations) // as the published tables: bytes alone do not tell one large object from many small ones
            .AddColumn(HiveColumns.AllocatedPerWireByte) // does it copy the payload once, or five times?
            .AddColumn(HiveColumns.Library) // no table without the version that it measured
            .AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false))) // exact bytes, from a run of its own
            .AddDiagnoser(new AllocationsDiagnoser(allocations)) // and how many objects, from another
            .AddDiagnoser(new CpuDiagnoser()) // the share of the processor, as the published tables
            .AddExporter(MarkdownExporter.GitHub) // for README and results/
            .AddExporter(new ResultExporter(note)) // for compare and report
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory) // ratios within one verb and message
            .WithCategoryDiscoverer(new CategoriesByName()) // no second copy of the name on each cell
            .WithOrderer(new CellOrder()) // the file reads as the table that it prints
            .HideColumns("Type") // a cell is known by its own name
            .WithOptions(ConfigOptions.JoinSummary) // one table at the end, whatever the filter took
            .WithBuildTimeout(BuildTimeout)
            .AddJob(Always(prebuilt));
        return ownJob ? config.AddJob(Job("ProtoBench").AsDefault()) : config; // AsDefault: --iterationCount and the like change it
    }

    /// <summary>15 measurements give the median an interval at 96 %; 100 ms hold 300 operations of the slowest hive cell. So the hive table stays under six minutes.</summary>
    public static Job Job(string id) => new Job(id)
        .WithWarmupCount(4) // tier 1 with PGO is reached in the pilot; four more for caches and branch predictors
        .WithIterationCount(15)
        .WithIterationTime(TimeInterval.FromMilliseconds(100));

    static Job Always(bool prebuilt)
    {
        var job = new Job()
            .WithOutlierMode(OutlierMode.DontRemove); // a slow iteration happened: the median bears it, and n stays 15
        job = prebuilt
            ? job.WithToolchain(new PrebuiltToolchain())
            : job.WithArguments([new MsBuildArgument("/p:RunAnalyzers=false"), .. BuildFacts.GivenProperties.Select(property => new MsBuildArgument($"/p:{property}"))]);
        return job.AsMutator();
    }
}

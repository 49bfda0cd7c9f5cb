using BenchmarkDotNet.Analysers;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.EventProcessors;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;
using ProtoBench.Columns;
using ProtoBench.Diagnosers;
using ProtoBench.Harness;
using ProtoBench.Harness.Toolchains;
using ProtoBench.Pbn;
using ProtoBench.Saving;

namespace ProtoBench.Running;

/// <summary>The one configuration of all cells, a reason on each line. Options
/// on the command line are added to it by BenchmarkDotNet.</summary>
static class Config
{
    /// <summary>Seconds that one cell takes with the job below, as seen: 25
    /// s for the nine cells of DeserializeRequest on two cores.</summary>
    public const double SecondsPerCell = 3;

    /// <summary>Seconds that one cell of the map takes.</summary>
    public const double SecondsPerMapCell = 1.8;

    /// <summary>
    /// How long BenchmarkDotNet may build where it has to (see <see cref="PrebuiltToolchain"/>). Its default of two minutes ends a run on a
    /// slow or busy machine.
    /// </summary>
    public static readonly TimeSpan BuildTimeout = TimeSpan.FromHours(1);

    /// <summary>Whether options of BenchmarkDotNet leave the runtime and the toolchain to this program.</summary>
    public static bool RunsPrebuilt(CommandLineOptions options) =>
        PrebuiltToolchain.CanMeasure && !options.RunInProcess && !options.CoreRunPaths.Any() && options.CliPath is null
        && options.Platform is null;

    /// <summary>What BenchmarkDotNet may remark on a distribution. Its remarks are printed below the table.</summary>
    public static IReadOnlyList<IAnalyser> Analysers { get; } =
        [MultimodalDistributionAnalyzer.Default, MinIterationTimeAnalyser.Default, OutliersAnalyser.Default,
            ZeroMeasurementAnalyser.Default, RuntimeErrorAnalyser.Default];

    /// <summary>
    /// The job that the user named; null for the program's own. Attributes of classes that have jobs of their own read it, and
    /// BenchmarkDotNet alone makes those attributes, so it is set before the first cell is looked at.
    /// </summary>
    public static Job? Named { get; set; }

    /// <summary>The options of BenchmarkDotNet that the user gave; null where nobody gave any. Read as <see cref="Named"/> is.</summary>
    public static CommandLineOptions? Given { get; set; }

    /// <param name="own">The options of the run.</param>
    /// <param name="prebuilt">Measure the assemblies of this program. False where BenchmarkDotNet
    /// has to build others: for another runtime, or because these are not optimized.</param>
    /// <param name="progress">Takes what happens; null: BenchmarkDotNet prints all that it says.</param>
    public static IConfig Create(OwnOptions own, bool prebuilt = true, EventProcessor? progress = null)
    {
        var config = ManualConfig.CreateEmpty()
            .AddLogger(progress is null ? ConsoleLogger.Unicode : NullLogger.Instance) // everything, or the log file alone
            .AddEventProcessor(progress is null ? [] : [progress]) // and one line on the console
            .AddEventProcessor(own.Pause ? [new Pause(Console.Out, Console.In)] : []) // behind the progress, which tells what was not built
            .WithArtifactsPath(Path.GetFullPath("BenchmarkDotNet.Artifacts")) // in the user's folder, wherever BenchmarkDotNet runs
            .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Job, DefaultColumnProviders.Params)
            .AddColumn(StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.StdDev, StatisticColumn.Median) // in every table
            .AddColumn(new RatioColumn()) // ratios can be compared across machines
            .AddColumn([.. HiveColumns.BehindTheTime]) // time as an engineer asks for it
            .AddColumn(CellColumn.Collections(0), CellColumn.Collections(1)) // always: 0 is news
            .AddColumnProvider(DefaultColumnProviders.Metrics) // Allocated
            .AddColumn([.. CostColumns.All(own.Allocations)]) // as the published tables
            .AddColumn([.. HiveColumns.Last]) // no table without the version that it measured
            .AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false))) // exact bytes, from a run of its own
            .AddDiagnoser(new AllocationsDiagnoser(own.Allocations)) // and how many objects, from another
            .AddDiagnoser(new CpuDiagnoser()) // the share of the processor, as the published tables
            .AddExporter(MarkdownExporter.GitHub) // for README and results/
            .AddExporter(new ResultExporter(own.Note)) // for compare and report
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory) // ratios within one verb and message
            .WithCategoryDiscoverer(new CategoriesByName()) // no second copy of the name on each cell
            .WithOrderer(new CellOrder()) // the file reads as the table that it prints
            .HideColumns("Type") // a cell is known by its own name
            .AddAnalyser([.. Analysers]) // for the log file; ResultTable prints what they say
            .WithOptions(ConfigOptions.JoinSummary) // one table at the end, whatever the filter took
            .WithBuildTimeout(BuildTimeout)
            .AddJob(own.NativeAot ? KeepOutliers().AsMutator() : Always(prebuilt));
        if (own.NativeAot)
        {
            // Side by side: the toolchains are the jobs' own, because a mutator would change both.
            var jit = Job("JIT").WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0);
            var toolchain = new NativeAotToolchain("protobuf-net", "protobuf-net.Core", typeof(ProtobufNetHive).Assembly.GetName().Name!);
            var aot = Job("NativeAOT").WithToolchain(toolchain).WithRuntime(NativeAotRuntime.Net10_0);
            return config.AddJob(own.Jit ? [jit, aot] : [aot]);
        }

        return config.AddJob(Job("ProtoBench").AsDefault()); // AsDefault: --iterationCount and the like change it
    }

    /// <summary>
    /// 15 measurements give the median an interval at 96 %; 100 ms hold 300 operations of the slowest hive cell. So the hive table stays
    /// under six minutes. A job that the user named takes the place of that, under its own name where there is but one.
    /// </summary>
    /// <param name="id">The job's name.</param>
    public static Job Job(string id)
    {
        if (Named is { } named)
            return id is "ProtoBench" or "Map" or "ColdStart" ? named.UnfreezeCopy().WithId(named.Id) : named.WithId(id);
        return new Job(id)
            .WithWarmupCount(4) // tier 1 with PGO is reached in the pilot; four more for caches and branch predictors
            .WithIterationCount(15)
            .WithIterationTime(TimeInterval.FromMilliseconds(100));
    }

    /// <summary>The job of a class that is measured in another way. BenchmarkDotNet makes one mutator of the program's own job and the
    /// options of the command line, and applies it to the jobs of all classes. So what the class changes is a second mutator behind it,
    /// without what the command line says.</summary>
    /// <param name="id">The job's name.</param>
    /// <param name="change">What differs from the program's own job.</param>
    public static Job[] JobOfClass(string id, Func<Job, Job> change)
    {
        if (Named is not null)
            return [Job(id)];
        var mutator = change(new Job());
        if (Given?.IterationCount is { } iterations)
            mutator = mutator.WithIterationCount(iterations);
        if (Given?.WarmupIterationCount is { } warmups)
            mutator = mutator.WithWarmupCount(warmups);
        if (Given?.IterationTimeInMilliseconds is { } milliseconds)
            mutator = mutator.WithIterationTime(TimeInterval.FromMilliseconds(milliseconds));
        if (Given?.LaunchCount is { } launches)
            mutator = mutator.WithLaunchCount(launches);
        return [Job(id), mutator.AsMutator()];
    }

    static Job Always(bool prebuilt)
    {
        var job = KeepOutliers();
        job = prebuilt
            ? job.WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0)
            : job.WithArguments(
                [new MsBuildArgument("/p:RunAnalyzers=false"),
                    .. BuildFacts.GivenProperties.Select(property => new MsBuildArgument($"/p:{property}"))]);
        return job.AsMutator();
    }

    // Slow iterations are kept: the median is robust against them, and the number of samples stays 15.
    static Job KeepOutliers() => new Job().WithOutlierMode(OutlierMode.DontRemove);
}

using System.Reflection;
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
using BenchmarkDotNet.Running;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;
using ProtoBench.Harness;
using ProtoBench.Harness.Toolchains;
using ProtoBench.Pbn;

namespace ProtoBench;

/// <summary>BenchmarkDotNet adds the options of the command line to it.</summary>
static class Config
{
    public const double SecondsPerMapCell = 1.8;

    /// <summary>BenchmarkDotNet's default of two minutes is too short on a slow or busy machine.</summary>
    public static readonly TimeSpan BuildTimeout = TimeSpan.FromHours(1);

    public static bool RunsPrebuilt(CommandLineOptions options) =>
        PrebuiltToolchain.CanMeasure && HarnessConfig.RunsPrebuilt(options);

    // Those that examine distributions. Their remarks are printed below the table. That of short iterations is not one of them: it
    // complains about 97 ms where 100 ms were asked for, and report and compare check the lengths.
    public static IReadOnlyList<IAnalyser> Analysers { get; } =
        [MultimodalDistributionAnalyzer.Default, OutliersAnalyser.Default, ZeroMeasurementAnalyser.Default, RuntimeErrorAnalyser.Default];

    /// <param name="prebuilt">False if BenchmarkDotNet must build, for another runtime or because these are not optimized.</param>
    /// <param name="exporter">Has the record after the run; null for a run that is not started.</param>
    public static IConfig Create(OwnOptions own, bool prebuilt = true, EventProcessor? progress = null, ResultExporter? exporter = null)
    {
        var config = ManualConfig.CreateEmpty()
            .AddLogger(progress is null ? ConsoleLogger.Unicode : NullLogger.Instance) // everything, or the log file only
            .AddEventProcessor(progress is null ? [] : [progress]) // and one line on the console
            .AddEventProcessor(own.Pause ? [new Pause(Console.Out, Console.In)] : []) // after the progress, which reports failed builds
            .WithArtifactsPath(Path.GetFullPath("BenchmarkDotNet.Artifacts")) // in the user's current folder
            .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Job, DefaultColumnProviders.Params)
            .AddColumn(StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.StdDev, StatisticColumn.Median) // in every table
            .AddColumn(new RatioColumn()) // ratios can be compared across machines
            .AddColumn([.. HiveColumns.BehindTheTime]) // derived from the time
            .AddColumn(CellColumn.Collections(0), CellColumn.Collections(1)) // shown also if it is 0
            .AddColumnProvider(DefaultColumnProviders.Metrics) // Allocated
            .AddColumn([.. CostColumns.All(own.Allocations)]) // as the published tables
            .AddColumn([.. HiveColumns.Last]) // no table without the version that it measured
            .AddDiagnoser(new MemoryDiagnoser(new MemoryDiagnoserConfig(displayGenColumns: false))) // exact bytes, from a separate run
            .AddDiagnoser(CostColumns.AllocationsDiagnoser(own.Allocations)) // the number of objects, from another run
            .AddDiagnoser(new CpuDiagnoser()) // the share of the processor, as the published tables
            .AddExporter(MarkdownExporter.GitHub) // for README and results/
            .AddExporter(exporter ?? new(own.Note)) // for compare and report
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory) // ratios within one verb and message
            .WithCategoryDiscoverer(new CategoriesByName()) // categories are not repeated on each cell
            .WithOrderer(new CellOrder()) // a file has the order of its table
            .HideColumns("Type") // the name of a cell is sufficient
            .AddAnalyser([.. Analysers]) // for the log file; ResultTable prints their remarks
            .WithOptions(ConfigOptions.JoinSummary) // one table at the end for all selected cells
            .WithBuildTimeout(BuildTimeout)
            .AddJob(own.NativeAot ? KeepOutliers().AsMutator() : Always(prebuilt));
        var jobs = new RunJobs(own, null);
        if (own.NativeAot)
        {
            // Both in one run. The toolchains belong to the jobs, because a mutator would change both.
            var jit = jobs.Job("JIT").WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0);
            var toolchain = new NativeAotToolchain("protobuf-net", "protobuf-net.Core", typeof(ProtobufNetHive).Assembly.GetName().Name!);
            var aot = jobs.Job("NativeAOT").WithToolchain(toolchain).WithRuntime(NativeAotRuntime.Net10_0);
            return config.AddJob(own.Jit ? [jit, aot] : [aot]);
        }

        return config.AddJob(jobs.Job("ProtoBench").AsDefault()); // AsDefault, so that --iterationCount and similar options change it
    }

    /// <summary>Returns the cells of a class. Its own jobs take the place of the program's.</summary>
    public static BenchmarkRunInfo Cells(Type type, IConfig config, RunJobs jobs) => BenchmarkConverter.TypeToBenchmarks(type,
        type.GetCustomAttribute<JobsAttribute>() is { } own
            ? ManualConfig.Union(config, ManualConfig.CreateEmpty().AddJob(own.Jobs(jobs))) : config);

    static Job Always(bool prebuilt)
    {
        var job = KeepOutliers();
        job = prebuilt
            ? job.WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0)
            : job.WithArguments(
                [new MsBuildArgument("/p:RunAnalyzers=false"),
                    .. BuildFacts.Program.GivenProperties.Select(property => new MsBuildArgument($"/p:{property}"))]);
        return job.AsMutator();
    }

    // Slow iterations are kept, because the median is robust against them and the number of samples must be 15.
    static Job KeepOutliers() => new Job().WithOutlierMode(OutlierMode.DontRemove);
}

/// <param name="given">The options of BenchmarkDotNet that the user gave; null if there are none.</param>
sealed class RunJobs(OwnOptions own, CommandLineOptions? given)
{
    /// <summary>15 iterations give the median an interval of 96 %, and 100 ms are 300 operations of the slowest hive cell. So the hive
    /// table takes less than six minutes. A job that the user names replaces this job, with its own name if it is the only one.</summary>
    public Job Job(string id)
    {
        if (own.Job is { } named)
            return id is "ProtoBench" or "Map" or "ColdStart" ? named.UnfreezeCopy().WithId(named.Id) : named.WithId(id);
        return new Job(id)
            .WithWarmupCount(4) // tier 1 with PGO is reached in the pilot; four more iterations are for caches and branch predictors
            .WithIterationCount(15)
            .WithIterationTime(TimeInterval.FromMilliseconds(100));
    }

    // BenchmarkDotNet makes one mutator of the program's job and the options of the command line, and applies it to the jobs of all
    // classes. So the changes of a class are a second mutator after it, which excludes these options.
    public Job[] OfClass(string id, Func<Job, Job> change)
    {
        if (own.Job is not null)
            return [Job(id)];
        var mutator = change(new Job());
        if (given?.IterationCount is { } iterations)
            mutator = mutator.WithIterationCount(iterations);
        if (given?.WarmupIterationCount is { } warmups)
            mutator = mutator.WithWarmupCount(warmups);
        if (given?.IterationTimeInMilliseconds is { } milliseconds)
            mutator = mutator.WithIterationTime(TimeInterval.FromMilliseconds(milliseconds));
        if (given?.LaunchCount is { } launches)
            mutator = mutator.WithLaunchCount(launches);
        return [Job(id), mutator.AsMutator()];
    }
}

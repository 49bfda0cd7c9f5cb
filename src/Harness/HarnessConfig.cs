using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Running;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;
using ProtoBench.Harness.Toolchains;

namespace ProtoBench.Harness;

/// <summary>Creates the configuration of a benchmark project's cells, which is that of ProtoBench.</summary>
static class HarnessConfig
{
    /// <summary>With the job below, in seconds: 25 s for the nine cells of DeserializeRequest on two cores.</summary>
    internal const double SecondsPerCell = 3;

    /// <param name="hasJob">Whether the command line names a job, which then replaces the default.</param>
    /// <param name="progress">Shows the run on the console; null to let BenchmarkDotNet print everything.</param>
    /// <param name="prebuilt">Whether cells run in processes of this build.</param>
    /// <param name="otherCores">Returns <see cref="MachineLoad.Busy"/>; null if nobody looks.</param>
    public static IConfig Create(bool hasJob, AllocationCounting allocations = AllocationCounting.Off, Progress? progress = null,
        bool prebuilt = true, Func<double?>? otherCores = null)
    {
        var config = ManualConfig.CreateEmpty()
            .AddLogger(progress is null ? ConsoleLogger.Unicode : NullLogger.Instance)
            .AddEventProcessor(progress is null ? [] : [progress])
            .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Job, DefaultColumnProviders.Params)
            .AddColumn(StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.Median, new RatioColumn())
            .AddColumn(CallLatencies.Columns)
            .AddColumnProvider(DefaultColumnProviders.Metrics)
            .AddDiagnoser(MemoryDiagnoser.Default, new AllocationsDiagnoser(Counts, allocations == AllocationCounting.Types))
            .AddColumn(AllocationsDiagnoser.Column(Counts))
            .AddExporter(MarkdownExporter.GitHub, new CellFactsExporter(otherCores))
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory)
            .HideColumns("Type", "Categories")
            .WithOptions(ConfigOptions.JoinSummary)
            .WithBuildTimeout(TimeSpan.FromMinutes(30));
        if (prebuilt)
            config.AddJob(new Job().WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0).AsMutator());
        return hasJob ? config : config.AddJob(new Job("Own")
            .WithWarmupCount(4)
            .WithIterationCount(15)
            .WithIterationTime(TimeInterval.FromMilliseconds(100))
            .WithOutlierMode(OutlierMode.DontRemove)
            .AsDefault());

        bool Counts(BenchmarkCase cell) => AllocationsDiagnoser.Counts(allocations, cell);
    }

    /// <summary>Returns whether cells run in processes of this build, because no option asks for another toolchain.</summary>
    public static bool RunsPrebuilt(CommandLineOptions options) =>
        !options.RunInProcess && !options.CoreRunPaths.Any() && options.CliPath is null && options.Platform is null;
}

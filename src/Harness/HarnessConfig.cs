using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using Perfolizer.Horology;
using Perfolizer.Mathematics.OutlierDetection;
using ProtoBench.Harness.Toolchains;

namespace ProtoBench.Harness;

/// <summary>How the cells of a benchmark project are measured: as the tables of ProtoBench are.</summary>
public static class HarnessConfig
{
    /// <summary>The configuration.</summary>
    /// <param name="hasJob">Whether the command line names a job, which then replaces this one.</param>
    public static IConfig Create(bool hasJob)
    {
        var config = ManualConfig.CreateEmpty()
            .AddLogger(ConsoleLogger.Default)
            .AddColumnProvider(DefaultColumnProviders.Descriptor, DefaultColumnProviders.Job, DefaultColumnProviders.Params)
            .AddColumn(StatisticColumn.Mean, StatisticColumn.Error, StatisticColumn.Median, new RatioColumn(),
                new LatencyColumn(50), new LatencyColumn(99))
            .AddColumnProvider(DefaultColumnProviders.Metrics)
            .AddDiagnoser(MemoryDiagnoser.Default)
            .AddExporter(MarkdownExporter.GitHub, JsonExporter.Full)
            .AddLogicalGroupRules(BenchmarkLogicalGroupRule.ByCategory)
            .HideColumns("Type", "Categories")
            .WithOptions(ConfigOptions.JoinSummary)
            .WithBuildTimeout(TimeSpan.FromMinutes(30))
            .AddJob(new Job().WithToolchain(new PrebuiltToolchain()).WithRuntime(CoreRuntime.Core10_0).AsMutator());
        return hasJob ? config : config.AddJob(new Job("Own")
            .WithWarmupCount(4)
            .WithIterationCount(15)
            .WithIterationTime(TimeInterval.FromMilliseconds(100))
            .WithOutlierMode(OutlierMode.DontRemove)
            .AsDefault());
    }
}

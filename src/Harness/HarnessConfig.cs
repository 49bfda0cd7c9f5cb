using System.Reflection;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Columns;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.ConsoleArguments;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Mathematics;
using BenchmarkDotNet.Reports;
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

static class FullJson
{
    public static JsonSerializerOptions Indented { get; } = new() { WriteIndented = true };

    /// <summary>Returns BenchmarkDotNet's full JSON with a node "Cell" for each cell that has such facts.</summary>
    public static JsonObject Of(Summary summary, Func<BenchmarkCase, JsonNode?> factsOf)
    {
        var log = new AccumulationLogger();
        ((ExporterBase)JsonExporter.Full).ExportToLog(summary, log);
        var root = JsonNode.Parse(log.GetLog())!.AsObject();
        foreach (var (cell, report) in root["Benchmarks"]!.AsArray().Zip(summary.Reports))
        {
            if (factsOf(report.BenchmarkCase) is { } facts)
                cell!["Cell"] = facts;
        }

        return root;
    }
}

/// <summary>Writes BenchmarkDotNet's full JSON. Each cell that measures a library has a node "Cell" with its verb, message, library and
/// form: its category, the part of its name between category and library, and the part after them. A reader of the file does not know the
/// category, so it could not find the start of the message's name. The node "ProtoBench" has the command line and a busy machine.</summary>
sealed class CellFactsExporter(Func<double?>? otherCores = null) : ExporterBase
{
    protected override string FileExtension => "json";

    protected override string FileNameSuffix => "-full";

    public override void ExportToLog(Summary summary, ILogger logger)
    {
        var root = FullJson.Of(summary, Parts);
        root["ProtoBench"] = new JsonObject
        {
            ["command"] = Arguments.ThisCommandLine,
            ["otherCores"] = otherCores?.Invoke(),
        };
        logger.WriteLine(root.ToJsonString(FullJson.Indented));

        static JsonNode? Parts(BenchmarkCase cell) => FactsOf(cell.Descriptor.WorkloadMethod) is { } facts
            ? new JsonObject(facts.Parts.Select(part => KeyValuePair.Create(part.Key, (JsonNode?)part.Value)))
            : null;
    }

    /// <summary>Returns the library that a cell measures; null for a cell without the attribute.</summary>
    public static string? LibraryOf(MethodInfo cell) => cell.GetCustomAttribute<MeasuresAttribute>()?.Library;

    /// <summary>Returns what follows the library in a cell's name; null for a library's ordinary cell.</summary>
    public static string? FormOf(MethodInfo cell) => cell.Name.Split('_') is [_, .., var form] ? form : null;

    /// <summary>Returns the parts of a cell's name; null for a cell that measures no library.</summary>
    public static CellFacts? FactsOf(MethodInfo cell)
    {
        if (LibraryOf(cell) is not { } library
            || cell.GetCustomAttribute<BenchmarkCategoryAttribute>()?.Categories is not [var verb, ..])
            return null;
        var name = Regex.Match(cell.Name, $"^{Regex.Escape(verb)}(.+?){Regex.Escape(library)}(?:_([^_]+))?$");
        return name.Success ? new(verb, name.Groups[1].Value, library, Memory: name.Groups[2].Value) : null;
    }
}

/// <summary>Represents the column <c>Ratio</c>: the median of a cell divided by the median of its baseline. The ratio of a baseline is
/// exactly 1.</summary>
class RatioColumn : BaselineCustomColumn
{
    public override string Id => nameof(RatioColumn);

    public override string ColumnName => "Ratio";

    public override int PriorityInCategory => 0;

    public override bool IsNumeric => true;

    public override UnitType UnitType => UnitType.Dimensionless;

    public override string Legend => "Median divided by the baseline's median";

    public override string GetValue(
        Summary summary, BenchmarkCase benchmarkCase, Statistics baseline, IReadOnlyDictionary<string, Metric> baselineMetrics,
        Statistics current, IReadOnlyDictionary<string, Metric> currentMetrics, bool isBaseline) => Text(baseline, current);

    /// <summary>Returns the ratio with two decimals, or three below 0.1.</summary>
    protected static string Text(Statistics baseline, Statistics current)
    {
        var ratio = current.Median / baseline.Median;
        return ratio.ToString(ratio < 0.1 ? "N3" : "N2", CultureInfo.InvariantCulture);
    }
}

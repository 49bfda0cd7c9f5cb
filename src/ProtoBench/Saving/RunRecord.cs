using System.Text.Json;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Environments;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using ProtoBench.Harness;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>The record of a run, made once from its summary. It is BenchmarkDotNet's full JSON with one more node, "ProtoBench", which has
/// the facts for comparisons that BenchmarkDotNet does not write (package versions, commit, GC mode). Each cell of the hive also has a node
/// "Cell" with its verb, message, library and items, and MB/s among its metrics.</summary>
sealed class RunRecord
{
    readonly Summary summary;
    readonly RunFacts facts;
    readonly JsonObject root;

    public RunRecord(Summary summary, string? note, double? otherCores = null)
    {
        this.summary = summary;
        facts = RunFacts.Of(summary, note) with { OtherCores = otherCores };
        root = FullJson.Of(summary, cell => JsonSerializer.SerializeToNode(HiveCell.Of(cell)?.Facts ?? IDataSetCells.FactsOf(cell)));
        foreach (var (cell, report) in root["Benchmarks"]!.AsArray().Zip(summary.Reports))
            AddRate(cell!.AsObject(), report);
        root["ProtoBench"] = JsonSerializer.SerializeToNode(facts);
        Text = root.ToJsonString(FullJson.Indented);
    }

    public string Text { get; }

    public ResultFile Result => ResultFile.Parse(Text, "this run");

    /// <param name="name">The name of the file without extension; null to create it from the cells.</param>
    /// <returns>A sentence about the file, and about where its table can be read.</returns>
    public string Save(string? name) => Saved.Write(facts.Cpu, name ?? Name(), Table(), SavedResult.Of(root));

    /// <param name="plan">The cells of all shards.</param>
    /// <returns>A sentence about the file.</returns>
    public string Save(Shard shard, string name, IReadOnlyList<PlannedCell> plan)
    {
        var control = summary.Reports.Single(report => report.BenchmarkCase.Descriptor.Type == Shard.Control).ResultStatistics
            ?? throw new RunException(ExitCode.Failed, $"shard {shard} is not saved, because the control cell failed");
        var path = ShardFiles.PathOf(shard, name);
        // the one call of a dry run is mostly the JIT compiler
        double? controlNs = ResultTable.IsDry(summary) ? null : control.Median;
        ShardFiles.Write(path, new(shard.Number, shard.Of, Node, controlNs, plan), Table(), SavedResult.Of(root));
        return $"{Path.GetRelativePath(Directory.GetCurrentDirectory(), path)}; the verb merge makes one result of all shards";
    }

    // Slurm has several nodes on a machine of a test
    static string Node => Environment.GetEnvironmentVariable("SLURMD_NODENAME") ?? Environment.MachineName;

    SavedTable Table()
    {
        SummaryTable.SummaryTableColumn[] columns = [.. summary.Table.Columns.Where(column => column.NeedToShow)];
        var common = summary.Table.Columns
            .Where(column => !column.NeedToShow && !column.IsDefault && column.Content.Distinct().Count() == 1)
            .Select(column => $"{column.Header}={column.Content[0]}");
        return new(
            [
                .. facts.Lines, .. summary.HostEnvironmentInfo.ToFormattedString(),
                .. summary.AllRuntimes.Split('\n', StringSplitOptions.TrimEntries),
                .. string.Join("  ", common) is { Length: > 0 } all ? [all] : Array.Empty<string>(),
            ],
            [.. columns.Select(column => column.Header)],
            [.. summary.BenchmarksCases.Select((_, row) => columns.Select(column => column.Content[row]).ToArray())]);
    }

    string Name()
    {
        string[] classes =
            [.. summary.BenchmarksCases.Select(benchmark =>
                benchmark.Descriptor.Type.Name.Replace("Benchmarks", "", StringComparison.Ordinal)).Distinct()];
        return classes.Length == 1
            ? classes[0] : summary.BenchmarksCases.All(benchmark => HiveCell.Of(benchmark) is not null) ? "Hive" : "All";
    }

    // A metric, so that a comparison shows its direction. From the median, like all compared figures.
    static void AddRate(JsonObject cell, BenchmarkReport report)
    {
        if (WireBytes.Of(report.BenchmarkCase) is not { } bytes || report.ResultStatistics is not { } statistics)
            return;
        var metrics = cell["Metrics"]?.AsArray() ?? [];
        metrics.Add(new JsonObject
        {
            ["Value"] = bytes / statistics.Median * 1e3,
            ["Descriptor"] =
                new JsonObject
                {
                    ["Id"] = "MB/s",
                    ["DisplayName"] = "MB/s",
                    ["Legend"] = "Megabytes (10^6 bytes) per second, from the median",
                    ["Unit"] = "MB/s",
                    ["TheGreaterTheBetter"] = true
                },
        });
        cell["Metrics"] = metrics;
    }
}

sealed class ResultExporter(string? note) : ExporterBase
{
    RunRecord? record;

    /// <summary>The load of the machine during the run.</summary>
    public MachineLoad? Load { get; set; }

    public RunRecord RecordOf(Summary summary) => record ??= new(summary, note, Load?.Busy);

    protected override string FileExtension => "json";

    protected override string FileNameSuffix => "-full";

    public override void ExportToLog(Summary summary, ILogger logger)
    {
        logger.WriteLine(RecordOf(summary).Text);
    }
}

/// <summary>Writes saved results: results/&lt;cpu&gt;/NAME.json, with the figures for compare and report and the table for pages.</summary>
static class Saved
{
    static string Root => Checkout.Root ?? Directory.GetCurrentDirectory();

    /// <summary>Tries before a measurement whether a result can be written.</summary>
    public static void Check() => ResultPath.CheckFolder(
        Path.Combine(Root, "results", FolderOf(RunFacts.CpuOf(HostEnvironmentInfo.GetCurrent()))), "--save");

    public static string Write(string cpu, string name, SavedTable table, JsonObject result)
    {
        var file = Path.Combine("results", FolderOf(cpu), name + ".json");
        var path = Path.Combine(Root, file);
        ResultPath.Write(path, () => File.WriteAllText(path, table.Into(result)));
        return $"{file}; {ReadmeTables.PagesOf(Root, file)}";
    }

    public static string Write(string name, DuetResult result, SavedTable table) => Write(result.Environment.Process.Cpu, name,
        table with { About = [.. Head(result), .. table.About] }, DuetResultFile.ToNode(result));

    /// <summary>Converts the name of a processor to that of a folder: lower case letters and digits, separated by dashes.</summary>
    public static string FolderOf(string cpu)
    {
        var words = string.Concat(cpu.ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : ' '))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length == 0 ? "unknown-cpu" : string.Join('-', words);
    }

    /// <summary>Returns the lines above a saved table: day, commit, machine, packages and command, as in other saved tables.</summary>
    internal static string[] Head(DuetResult result)
    {
        var environment = result.Environment;
        var process = environment.Process;
        return
        [
            $"{result.StartedAt.UtcDateTime:yyyy-MM-dd}, {MeasuredBuild.Describe(environment.Commit, environment.Clean)}",
            $"{process.Cpu}, {process.Cores} cores, {process.Runtime}, {process.GcMode} GC",
            PackageList.Of(environment.PackageVersions), $"`{result.Settings.CommandLine}`",
        ];
    }
}

/// <summary>It has only the data that <c>compare</c> and <c>report</c> read.</summary>
static class SavedResult
{
    public static JsonObject Of(JsonObject root)
    {
        var small = new JsonObject(root.Where(member => member.Key != "Benchmarks")
            .Select(member => KeyValuePair.Create(member.Key, member.Value?.DeepClone())));
        small["Benchmarks"] = new JsonArray([.. root["Benchmarks"]!.AsArray().Select(cell => BenchmarkDotNetFile.Small(cell!))]);
        return small;
    }
}

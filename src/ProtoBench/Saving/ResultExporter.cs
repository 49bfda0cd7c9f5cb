using System.Text.Json;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using ProtoBench.Columns;
using ProtoBench.Libraries;

namespace ProtoBench.Saving;

/// <summary>Writes BenchmarkDotNet's full JSON with one more node, "ProtoBench", which has the facts for comparisons that BenchmarkDotNet
/// does not write (package versions, commit, GC mode). Each cell of the hive also has a node "Cell" with its verb, message, library and
/// items, and MB/s among its metrics.</summary>
sealed class ResultExporter(string? note) : ExporterBase
{
    /// <summary>The format of result files.</summary>
    internal static readonly JsonSerializerOptions Indented = new() { WriteIndented = true };

    protected override string FileExtension => "json";

    protected override string FileNameSuffix => "-full";

    public override void ExportToLog(Summary summary, ILogger logger)
    {
        var root = JsonNode.Parse(Text((ExporterBase)JsonExporter.Full, summary))!.AsObject();
        foreach (var (cell, report) in root["Benchmarks"]!.AsArray().Zip(summary.Reports))
        {
            AddRate(cell!.AsObject(), report);
            if ((HiveCell.Of(report.BenchmarkCase)?.Facts ?? IDataSetCells.FactsOf(report.BenchmarkCase)) is { } facts)
                cell["Cell"] = JsonSerializer.SerializeToNode(facts);
        }

        root["ProtoBench"] = JsonSerializer.SerializeToNode(RunFacts.Of(summary, note));
        logger.WriteLine(root.ToJsonString(Indented));
    }

    /// <summary>Returns the output of <paramref name="exporter"/> for <paramref name="summary"/>.</summary>
    internal static string Text(ExporterBase exporter, Summary summary)
    {
        var log = new AccumulationLogger();
        exporter.ExportToLog(summary, log);
        return log.GetLog();
    }

    /// <summary>Adds MB/s as a metric, so that a comparison shows it with its direction. It is computed from the median, like all compared
    /// figures.</summary>
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

using System.Text.Json;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

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

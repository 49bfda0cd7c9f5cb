using System.Text.Json;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Exporters.Json;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;

namespace ProtoBench;

/// <summary>BenchmarkDotNet's full JSON with one more node, "ProtoBench": what a comparison has to know and BenchmarkDotNet does not write (package versions, commit, GC mode).</summary>
sealed class ResultExporter(string? note) : ExporterBase
{
    static readonly JsonSerializerOptions indented = new() { WriteIndented = true };

    protected override string FileExtension => "json";

    protected override string FileNameSuffix => "-full";

    public override void ExportToLog(Summary summary, ILogger logger)
    {
        var root = JsonNode.Parse(TextLogger.Export((ExporterBase)JsonExporter.Full, summary))!.AsObject();
        root["ProtoBench"] = JsonSerializer.SerializeToNode(RunFacts.Of(summary, note));
        logger.WriteLine(root.ToJsonString(indented));
    }
}

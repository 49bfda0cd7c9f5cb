using System.Reflection;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Loggers;
using BenchmarkDotNet.Reports;
using BenchmarkDotNet.Running;

namespace ProtoBench.Harness;

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

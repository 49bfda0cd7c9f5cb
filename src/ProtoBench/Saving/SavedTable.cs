using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Reports;
using ProtoBench.Libraries;
using ProtoBench.Results;

namespace ProtoBench.Saving;

/// <summary>Saves a table as results/&lt;cpu&gt;/NAME.md, with its figures in NAME.json, which compare and report read.</summary>
static class SavedTable
{
    /// <summary>Writes the table of <paramref name="summary"/> with the facts about the run.</summary>
    /// <param name="summary">The run.</param>
    /// <param name="name">The name of the file without extension; null to create it from the cells.</param>
    /// <param name="note">The note of the user.</param>
    /// <param name="map">A table above that of the run.</param>
    /// <returns>The path of the table, relative to the root of the checkout.</returns>
    public static string Write(Summary summary, string? name, string? note, string? map)
    {
        var facts = RunFacts.Of(summary, note);
        var folder = Path.Combine("results", FolderOf(facts.Cpu));
        var root = Checkout.Root ?? Directory.GetCurrentDirectory();
        Directory.CreateDirectory(Path.Combine(root, folder));
        var table = Path.Combine(folder, (name ?? NameOf(summary)) + ".md");
        var head = facts.ToMarkdown() + "\n" + (map is null ? "" : map + "\n\n");
        File.WriteAllText(Path.Combine(root, table),
            (head + ResultExporter.Text((ExporterBase)MarkdownExporter.GitHub, summary)).ReplaceLineEndings("\n").TrimEnd() + "\n");
        File.WriteAllText(Path.Combine(root, Path.ChangeExtension(table, ".json")),
            SavedResult.Of(ResultExporter.Text(new ResultExporter(note), summary)));
        return table;
    }

    /// <summary>Converts the name of a processor to that of a folder: lower case letters and digits, separated by dashes.</summary>
    public static string FolderOf(string cpu)
    {
        var words = string.Concat(cpu.ToLowerInvariant().Select(c => char.IsAsciiLetterOrDigit(c) ? c : ' '))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries);
        return words.Length == 0 ? "unknown-cpu" : string.Join('-', words);
    }

    static string NameOf(Summary summary)
    {
        string[] classes =
            [.. summary.BenchmarksCases.Select(benchmark =>
                benchmark.Descriptor.Type.Name.Replace("Benchmarks", "", StringComparison.Ordinal)).Distinct()];
        return classes.Length == 1
            ? classes[0] : summary.BenchmarksCases.All(benchmark => HiveCell.Of(benchmark) is not null) ? "Hive" : "All";
    }
}

/// <summary>Creates a result file that is small enough to be committed with its table. It has only the data that <c>compare</c>,
/// <c>targets</c> and <c>report</c> read, with one line for each cell.</summary>
static class SavedResult
{
    // seven digits; the noise of a clock is a thousand times larger
    const string digits = "G7";

    static readonly string[] cellFacts = ["DisplayInfo", "Namespace", "Type", "Method", "MethodTitle", "Parameters", "FullName", "Cell"];

    /// <summary>Returns the small form of a result file. Iterations of a single launch are the values of the statistics. With several
    /// launches, each measurement keeps its launch.</summary>
    /// <param name="json">BenchmarkDotNet's full JSON, as <see cref="ResultExporter"/> writes it.</param>
    public static string Of(string json)
    {
        var root = JsonNode.Parse(json)!.AsObject();
        var small = new StringBuilder("{");
        foreach (var (name, value) in root.Where(entry => entry.Key != "Benchmarks"))
            small.Append(CultureInfo.InvariantCulture, $"\n\"{name}\": {value?.ToJsonString() ?? "null"},");
        small.Append("\n\"Benchmarks\": [\n")
            .AppendJoin(",\n", root["Benchmarks"]!.AsArray().Select(cell => Small(cell!.AsObject()).ToJsonString()));
        return small.Append("\n]\n}\n").ToString();
    }

    static JsonObject Small(JsonObject cell)
    {
        var small = new JsonObject();
        foreach (var fact in cellFacts.Where(cell.ContainsKey))
            small[fact] = cell[fact]?.DeepClone();
        var launches = Launches(cell);
        small["Statistics"] = cell["Statistics"] is null ? null : new JsonObject { ["OriginalValues"] = Values(cell, launches) };
        if (cell["Memory"]?["BytesAllocatedPerOperation"] is { } bytes)
            small["Memory"] = new JsonObject { ["BytesAllocatedPerOperation"] = bytes.DeepClone() };
        if (launches.Length > 1)
            small["Measurements"] = new JsonArray([.. launches.SelectMany(launch => launch).Select(Measurement)]);
        if (cell["Metrics"] is JsonArray { Count: > 0 } metrics)
            small["Metrics"] = new JsonArray([.. metrics.Where(IsRead).Select(metric => metric!.DeepClone())]);
        return small;
    }

    // Comparisons do not read collections and allocated bytes from the metrics.
    static bool IsRead(JsonNode? metric) =>
        (string?)metric?["Descriptor"]?["Id"] is { } id && !id.StartsWith("Gen", StringComparison.Ordinal) && id != "Allocated Memory";

    // The same measurements that the reader uses: Workload/Result, which is without the overhead, or else Workload/Actual.
    static JsonObject[][] Launches(JsonObject cell)
    {
        JsonObject[] all =
            [.. (cell["Measurements"] as JsonArray ?? []).Select(measurement => measurement!.AsObject())
                .Where(measurement => (string?)measurement["IterationMode"] == "Workload")];
        var stage = Array.Exists(all, measurement => (string?)measurement["IterationStage"] == "Result") ? "Result" : "Actual";
        return
        [
            .. all.Where(measurement => (string?)measurement["IterationStage"] == stage)
                .GroupBy(measurement => (int?)measurement["LaunchIndex"] ?? 0).Select(launch => launch.ToArray()),
        ];
    }

    static JsonArray Values(JsonObject cell, JsonObject[][] launches) => launches.Length > 1
        ? []
        : new JsonArray([.. launches is [var launch]
            ? launch.Select(measurement => Number((double)measurement["Nanoseconds"]! / (long)measurement["Operations"]!))
            : (cell["Statistics"]!["OriginalValues"] as JsonArray ?? []).Select(value => Number((double)value!))]);

    static JsonObject Measurement(JsonObject measurement) => new()
    {
        ["IterationMode"] = "Workload",
        ["IterationStage"] = measurement["IterationStage"]!.DeepClone(),
        ["LaunchIndex"] = measurement["LaunchIndex"]!.DeepClone(),
        ["Operations"] = 1,
        ["Nanoseconds"] = Number((double)measurement["Nanoseconds"]! / (long)measurement["Operations"]!),
    };

    static JsonNode Number(double value) => JsonNode.Parse(value.ToString(digits, CultureInfo.InvariantCulture))!;
}

/// <summary>Saves the result of a duet with the saved tables.</summary>
static class SavedDuet
{
    /// <summary>Writes NAME.md and NAME.json under results/.</summary>
    /// <param name="name">The name.</param>
    /// <param name="result">The figures.</param>
    /// <param name="table">The table, as Markdown.</param>
    /// <returns>The path of the table, from the root of the checkout.</returns>
    public static string Write(string name, DuetResult result, string table)
    {
        var folder = Path.Combine("results", SavedTable.FolderOf(result.Environment.Process.Cpu));
        var root = Checkout.Root ?? Directory.GetCurrentDirectory();
        Directory.CreateDirectory(Path.Combine(root, folder));
        var path = Path.Combine(folder, name + ".md");
        File.WriteAllText(Path.Combine(root, path), $"{Head(result)}\n{table}");
        DuetResultFile.Write(Path.Combine(root, Path.ChangeExtension(path, ".json")), result);
        return path;
    }

    /// <summary>Returns the lines above a saved table: day, commit, machine, packages and command, as in other saved tables.</summary>
    internal static string Head(DuetResult result)
    {
        var environment = result.Environment;
        var process = environment.Process;
        var commit = (environment.Commit ?? "unknown") + (environment.Clean == false ? ", with changes that are not committed" : "");
        return string.Create(CultureInfo.InvariantCulture,
            $"""
            - {result.StartedAt.UtcDateTime:yyyy-MM-dd}, commit {commit}
            - {process.Cpu}, {process.Cores} cores, {process.Runtime}, {process.GcMode} GC
            - {PackageList.Of(environment.PackageVersions)}
            - `{result.Settings.CommandLine}`

            """);
    }
}

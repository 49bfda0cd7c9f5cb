using BenchmarkDotNet.Exporters;
using BenchmarkDotNet.Reports;
using ProtoBench.Libraries;
using ProtoBench.Running;

namespace ProtoBench.Saving;

/// <summary>A table that is kept: results/&lt;cpu&gt;/NAME.md, with its figures in NAME.json, which compare and report
/// read.</summary>
static class SavedTable
{
    /// <summary>Writes <paramref name="summary"/>'s table and what stood around it.</summary>
    /// <param name="summary">The run.</param>
    /// <param name="name">The file's name without its ending; null: named after what was run.</param>
    /// <param name="note">The user's own line.</param>
    /// <param name="map">A table to put above the run's own.</param>
    /// <returns>The table's path, from the root of the checkout.</returns>
    public static string Write(Summary summary, string? name, string? note, string? map)
    {
        var facts = RunFacts.Of(summary, note);
        var folder = Path.Combine("results", FolderOf(facts.Cpu));
        var root = Checkout.Root ?? Directory.GetCurrentDirectory();
        Directory.CreateDirectory(Path.Combine(root, folder));
        var table = Path.Combine(folder, (name ?? NameOf(summary)) + ".md");
        var head = facts.ToMarkdown() + "\n" + (map is null ? "" : map + "\n\n");
        File.WriteAllText(Path.Combine(root, table),
            (head + CapturedLog.Export((ExporterBase)MarkdownExporter.GitHub, summary)).ReplaceLineEndings("\n").TrimEnd() + "\n");
        File.WriteAllText(Path.Combine(root, Path.ChangeExtension(table, ".json")),
            SavedResult.Of(CapturedLog.Export(new ResultExporter(note), summary)));
        return table;
    }

    /// <summary>A processor's name as a folder's: lower case, letters and digits, one dash between.</summary>
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

using System.Text.Json.Nodes;
using ProtoBench.Results;
using ProtoBench.Saving;

namespace ProtoBench.Verbs;

/// <summary>The report that a launch has left, and what it says of its cells.</summary>
sealed class LaunchReport
{
    ResultFile file;

    LaunchReport(ResultFile file) => this.file = file;

    /// <summary>How many cells it measured.</summary>
    public int Cells => file.Cells.Select(cell => cell.Name).Distinct().Count();

    /// <summary>The cells that failed.</summary>
    public IReadOnlyList<string> Failed => [.. file.Failed.Select(name => name.Full)];

    /// <summary>The cells whose figures cannot be believed.</summary>
    public IReadOnlyList<string> Doubtful => [.. file.Cells.Where(cell => cell.Doubtful).Select(cell => cell.Name.Full).Distinct()];

    /// <summary>The report below a folder; null where there is none that can be read. Our exporter says more than BenchmarkDotNet's own
    /// (commit, versions), so of several reports of one run the one with the most facts is it.</summary>
    public static LaunchReport? Find(string folder)
    {
        if (!Directory.Exists(folder))
            return null;
        try
        {
            return Directory.GetFiles(folder, "*.json", SearchOption.AllDirectories).Select(ResultFile.Read)
                .MaxBy(read => read.Facts.Count) is { } file ? new(file) : null;
        }
        catch (DamagedFileException)
        {
            return null; // a launch that was killed while it wrote
        }
    }

    /// <summary>Takes the cells of another report in place of those with the same names, where those can be believed.</summary>
    public void Replace(LaunchReport repeated)
    {
        var root = JsonNode.Parse(File.ReadAllText(file.Path))!;
        var cells = root["Benchmarks"]!.AsArray();
        var believed = JsonNode.Parse(File.ReadAllText(repeated.file.Path))!["Benchmarks"]!.AsArray()
            .Where(cell => !repeated.Doubtful.Concat(repeated.Failed).Contains(Name(cell!), StringComparer.Ordinal))
            .GroupBy(cell => Name(cell!), StringComparer.Ordinal)
            .ToDictionary(cell => cell.Key, cell => cell.First()!, StringComparer.Ordinal);
        for (var i = 0; i < cells.Count; i++)
        {
            if (Doubtful.Contains(Name(cells[i]!), StringComparer.Ordinal) && believed.TryGetValue(Name(cells[i]!), out var better))
                cells[i] = better.DeepClone();
        }

        File.WriteAllText(file.Path, root.ToJsonString(ResultExporter.Indented));
        file = ResultFile.Read(file.Path);
        static string Name(JsonNode cell) => (string)cell["FullName"]!;
    }

    /// <summary>Puts the report where it is kept.</summary>
    public void MoveTo(string path) => File.Move(file.Path, path);
}

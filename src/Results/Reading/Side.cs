using System.IO.Enumeration;

namespace ProtoBench.Results;

/// <summary>Represents one side of a comparison: the files of one program, pooled.</summary>
public sealed record Side(string Label, IReadOnlyList<ResultFile> Files)
{
    /// <summary>The files that are tables only, which have no part in a comparison.</summary>
    public IReadOnlyList<ResultFile> Tables { get; init; } = [];

    /// <summary>Reads the sides of a command line. Equal labels are one side. A path without a label is a side of its own.</summary>
    /// <param name="arguments"><c>path</c> or <c>label=path</c>: a file, a folder, or with * or ? in its last part.</param>
    public static IReadOnlyList<Side> Read(IReadOnlyCollection<string> arguments, Action<string> warn)
    {
        var named = arguments.Select(argument =>
        {
            var at = argument.IndexOf('=', StringComparison.Ordinal);
            return at <= 0 || Path.Exists(argument) ? (Label: null, Path: argument) : (Label: argument[..at], Path: argument[(at + 1)..]);
        }).ToArray();
        var shortNames = named.Where(side => side.Label == null).CountBy(side => Short(side.Path)).ToDictionary();
        return
        [
            .. named
                .Select(side => (Label: side.Label ?? (shortNames[Short(side.Path)] == 1 ? Short(side.Path) : side.Path), side.Path))
                .GroupBy(side => ResultText.Clean(side.Label), StringComparer.Ordinal)
                .Select(group => Of(group.Key, [.. group.SelectMany(side => Find(side.Path)).Select(ResultFile.Read)])),
        ];

        Side Of(string label, ResultFile[] files) => new(label, Distinct(files.Where(file => file.Table is null), warn))
        {
            Tables = [.. files.Where(file => file.Table is not null)],
        };

        static string Short(string path) =>
            Path.GetFileNameWithoutExtension(Path.TrimEndingDirectorySeparator(path)) is { Length: > 0 } name ? name : path;
    }

    static string[] Find(string path)
    {
        try
        {
            return Listed(path) is { Length: > 0 } files ? files : throw DamagedFileException.Of(path, "no result files there");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw DamagedFileException.Of(path, "cannot be listed: " + e.Message, e);
        }
    }

    static string[] Listed(string path)
    {
        var pattern = Path.GetFileName(path);
        if (Directory.Exists(path))
        {
            // Saved results are in the folder itself. Artifacts of BenchmarkDotNet are in folders below it, possibly as several files
            // for one report.
            string[] files = [.. Directory.GetFiles(path, "*.json")];
            return [.. (files.Length > 0 ? files : Reports(path)).Order(StringComparer.Ordinal)];
        }

        if (!pattern.AsSpan().ContainsAny('*', '?') || File.Exists(path))
            return [path];
        var folder = Path.GetDirectoryName(path) is { Length: > 0 } named ? named : ".";
        return Directory.Exists(folder)
            ? [.. Directory.GetFiles(folder)
                .Where(file => FileSystemName.MatchesSimpleExpression(pattern, Path.GetFileName(file), ignoreCase: false))
                    .Order(StringComparer.Ordinal)]
            : [];
    }

    // Of two files for one report, the one that the exporter of this project writes.
    static IEnumerable<string> Reports(string folder)
    {
        string[] spellings = ["-report-full.json", "-report-full-compressed.json"];
        return Directory.GetFiles(folder, "*-report-full*.json", SearchOption.AllDirectories)
            .Select(file =>
                (File: file, Spelling: Array.FindIndex(spellings, spelling => file.EndsWith(spelling, StringComparison.Ordinal))))
            .Where(report => report.Spelling >= 0)
            .GroupBy(report => report.File[..^spellings[report.Spelling].Length], StringComparer.Ordinal)
            .Select(run => run.MinBy(report => report.Spelling).File);
    }

    // A launch that is read twice would look like two launches that agree perfectly.
    static List<ResultFile> Distinct(IEnumerable<ResultFile> results, Action<string> warn)
    {
        var seen = new Dictionary<string, string>(StringComparer.Ordinal);
        var files = new List<ResultFile>();
        foreach (var file in results)
        {
            var path = file.Path;
            var figures = string.Join('|', file.Cells.Select(cell => $"{cell.Name}:{cell.Unit}:{string.Join(',', cell.Values)}"))
                + string.Join('|',
                    file.Duet?.Duets.Select(pair =>
                        $"{pair.Old.Cell}:{pair.New.Cell}:{string.Join(',', pair.Processes.Select(process => process.Ratio))}") ?? []);
            if (seen.TryGetValue(figures, out var first))
                warn($"{path}: the same measurements as {first}; counted once");
            else
                files.Add(file);
            seen.TryAdd(figures, path);
        }

        return files;
    }
}

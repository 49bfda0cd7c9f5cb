using System.Text;
using System.Text.RegularExpressions;
using ProtoBench.Duet;
using ProtoBench.Report;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Saving;

/// <summary>
/// Fills the marked places of a text with saved tables, so that no figure in README and docs is copied by hand. A place is <c>&lt;!-- table
/// FILE ; rows REGEX ; columns A, B, C --&gt;</c>, any text, and <c>&lt;!-- end --&gt;</c>. Rows are selected by their text, in which cells
/// are joined by <c> | </c>. The columns <c>*</c> are all columns. A table with a column Size is ordered by its numbers. The place
/// <c>&lt;!-- losses FOLDER ; reasons FILE --&gt;</c> has the rows of <see cref="Losses"/>, <c>&lt;!-- versions FILE --&gt;</c> and
/// <c>&lt;!-- upgrades FILE FILE... --&gt;</c> have those of <see cref="VersionsTable"/>, and <c>&lt;!-- best FILE --&gt;</c> has those of
/// <see cref="BestLibraries"/>. <c>&lt;!-- load FILE FILE... --&gt;</c>, <c>&lt;!-- latencies FILE FILE... --&gt;</c> and <c>&lt;!-- parts
/// FILE FILE... --&gt;</c> have the tables of <see cref="LoadTables"/>.
/// </summary>
public static partial class ReadmeTables
{
    const string size = "Size";

    /// <summary>Returns the files with such places: README.md, and the pages under docs.</summary>
    /// <param name="root">The folder of the checkout.</param>
    /// <returns>Paths relative to <paramref name="root"/>, with slashes, in the order of their names.</returns>
    public static IReadOnlyList<string> Files(string root)
    {
        var docs = Path.Combine(root, "docs");
        var pages = Directory.Exists(docs) ? Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories) : [];
        return ["README.md", .. pages.Select(page => Path.GetRelativePath(root, page).Replace('\\', '/')).Order(StringComparer.Ordinal)];
    }

    /// <summary>Returns <paramref name="text"/> with each marked place filled from its file.</summary>
    /// <param name="text">The text with its markers.</param>
    /// <param name="root">The folder of the checkout, to which the files are relative.</param>
    /// <exception cref="InvalidDataException">Thrown when a marker names a column that the table does not have or rows that no row matches,
    /// or a loss has no reason.</exception>
    public static string Refresh(string text, string root)
    {
        text = Refresh(text, file => File.ReadAllText(Path.Combine(root, file)));
        text = LossesMarker().Replace(text,
            match => $"{match.Groups["open"].Value}\n{LossesOf(root, match.Groups["folder"].Value, match.Groups["reasons"].Value)}<!-- end -->");
        return ResultsMarker().Replace(text, match =>
        {
            ResultFile[] files = [.. match.Groups["files"].Value.Split(' ').Select(file => ResultFile.Read(Path.Combine(root, file)))];
            return $"{match.Groups["open"].Value}\n{Of(match.Groups["kind"].Value, files)}<!-- end -->";
        });
    }

    static string Of(string kind, ResultFile[] files)
    {
        switch (kind)
        {
            case "upgrades":
                return VersionsTable.Upgrades(files);
            case "best":
                return BestLibraries.Table(files);
            case "load":
                return LoadTables.Variants(Loads(files));
            case "latencies":
                return LoadTables.Latencies(Loads(files));
            case "parts":
                return LoadTables.Parts(Loads(files));
            default:
                using (var table = new StringWriter { NewLine = "\n" })
                {
                    foreach (var file in files)
                        VersionsTable.Write("md", file.Duet ?? throw new InvalidDataException($"{file.Path} is no duet result"), table);
                    return table.ToString();
                }
        }
    }

    static IEnumerable<LoadResult> Loads(IEnumerable<ResultFile> files) =>
        files.Select(file => file.Load ?? throw new InvalidDataException($"{file.Path} is no result of the load client"));

    static string LossesOf(string root, string folder, string reasons) => Losses.Table(
        Directory.EnumerateFiles(Path.Combine(root, folder), "*.json").Order(StringComparer.Ordinal).Select(ResultFile.Read),
        File.ReadAllText(Path.Combine(root, reasons)));

    /// <summary>Fills the markers of tables only.</summary>
    /// <param name="text">The text with its markers.</param>
    /// <param name="read">Returns the content of a file.</param>
    internal static string Refresh(string text, Func<string, string> read) => Marker().Replace(text, match =>
    {
        string Part(string name) => match.Groups[name].Value.Trim();
        return $"{match.Groups["open"].Value}\n{Cut(read(Part("file")), Part("rows"), Part("columns").Split(',', StringSplitOptions.TrimEntries), Part("file"))}<!-- end -->";
    });

    static string Cut(string markdown, string rows, string[] columns, string file)
    {
        string[][] table =
            [.. markdown.Split('\n').Where(line => line.StartsWith('|'))
                .Select(line => line.Trim('|', ' ').Split('|', StringSplitOptions.TrimEntries))];
        var head = table.FirstOrDefault() ?? throw new InvalidDataException($"{file} holds no table");
        if (columns is ["*"])
            columns = head;
        int[] picked =
            [.. columns.Select(column => Array.IndexOf(head, column) is >= 0 and var at
            ? at : throw new InvalidDataException($"{file} has no column '{column}'"))];
        var body = table.Skip(2).Where(row => row.Any(cell => cell.Length > 0) && Regex.IsMatch(string.Join(" | ", row), rows)).ToList();
        if (body.Count == 0)
            throw new InvalidDataException($"{file}: no row matches {rows}");
        if (Array.IndexOf(head, size) is >= 0 and var sizes)
            body = [.. body.OrderBy(row => row[sizes], SizeText.Order)];
        var result = new StringBuilder();
        void Line(IEnumerable<string> cells) => result.Append("| ").AppendJoin(" | ", cells).Append(" |\n");
        Line(columns);
        Line(columns.Select((_, i) => i == 0 ? "---" : "---:"));
        foreach (var row in body)
            Line(picked.Select(at => row[at]));
        return result.ToString();
    }

    [GeneratedRegex(@"(?<open><!-- (?<kind>versions|upgrades|best|load|latencies|parts) (?<files>\S+( [^-\s]\S*)*) -->)\n.*?<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex ResultsMarker();

    [GeneratedRegex(@"(?<open><!-- losses (?<folder>\S+) ; reasons (?<reasons>\S+) -->)\n.*?<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex LossesMarker();

    [GeneratedRegex(@"(?<open><!-- table (?<file>[^;]+);\s*rows (?<rows>[^;]+);\s*columns (?<columns>[^>]+?)-->)\n.*?<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

/// <summary>Represents a picture of a page: <c>&lt;!-- picture FILE.svg ; RESULT.json ; NAME --&gt;</c>. It is drawn as in the
/// report.</summary>
/// <param name="File">The path of the SVG file, relative to the root of the checkout.</param>
/// <param name="Result">The path of the saved result, relative to the root.</param>
/// <param name="Name">A name of <see cref="ReportPage.PictureAsync"/>.</param>
public sealed partial record ReadmePicture(string File, string Result, string Name)
{
    /// <summary>Returns the pictures of a text.</summary>
    /// <param name="text">The text with its markers.</param>
    public static IEnumerable<ReadmePicture> In(string text) =>
        Marker().Matches(text).Select(match => new ReadmePicture(match.Groups["file"].Value, match.Groups["result"].Value,
            match.Groups["name"].Value));

    /// <summary>Returns the content of <see cref="File"/>.</summary>
    /// <param name="root">The folder of the checkout.</param>
    /// <exception cref="DamagedFileException">Thrown when the result cannot be read.</exception>
    /// <exception cref="UsageException">Thrown when it has no such picture.</exception>
    public async Task<string> DrawAsync(string root) =>
        await ReportPage.PictureAsync(ReportContent.Read([Path.Combine(root, Result)], new ComparisonOptions()), Name) + "\n";

    [GeneratedRegex(@"<!-- picture (?<file>\S+\.svg) ; (?<result>\S+) ; (?<name>[^>]+?) -->", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

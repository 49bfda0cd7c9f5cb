using System.Text;
using System.Text.RegularExpressions;
using ProtoBench.Harness.Duet;
using ProtoBench.Report;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench;

// Fills the marked places of README.md and of the pages under docs from saved results, so that no figure is copied by hand. A place is
// <!-- KIND FILE FILE... ; NAME VALUE ; ... -->, any text, and <!-- end -->:
// - table FILE ; rows REGEX ; columns A, B, C: rows of a saved table, by their text, in which cells are joined by " | ".
//   The columns * are all columns. A table with a column Size is ordered by its numbers.
// - fastest FILE ; rows REGEX ; columns A, B, C: of these rows, the one of each library with the smallest median.
// - all FILE FILE...: whole tables with the facts about their runs, folded.
// - answer FILE ; rows REGEX: what quick prints about these kinds of work.
// - opening FILE FILE...: the sentences with which report opens a page of these files, as a paragraph.
// - ratios FILE ; library NAME: RatioTable.
// - losses FOLDER... ; reasons FILE: Losses. best FILE: BestLibraries. map FILE: BreakEvenTable. shapes FILE: ShapeTable.
// - versions FILE, upgrades FILE...: VersionsTable. load FILE..., latencies FILE..., parts FILE...: LoadTables.
public static partial class ReadmeTables
{
    /// <returns>Paths relative to <paramref name="root"/>, with slashes, in the order of their names.</returns>
    public static IReadOnlyList<string> Files(string root)
    {
        var docs = Path.Combine(root, "docs");
        var pages = Directory.Exists(docs) ? Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories) : [];
        return ["README.md", .. pages.Select(page => Path.GetRelativePath(root, page).Replace('\\', '/')).Order(StringComparer.Ordinal)];
    }

    public static string PagesOf(string root, string file)
    {
        string[] pages = [.. Files(root).Where(page => Path.Combine(root, page) is var path && File.Exists(path)
            && Marker().Matches(File.ReadAllText(path)).Any(place => place.Groups["files"].Value.Split(' ').Contains(file.Replace('\\', '/'))))];
        return pages.Length > 0
            ? $"the verb readme shows it on {string.Join(", ", pages)}"
            : "no page shows it; the verb readme fills a place <!-- all FILE --> <!-- end --> of README.md or docs, and report makes a page";
    }

    public static string Refresh(string text, string root) => Marker().Replace(text, match =>
    {
        string[] files = [.. match.Groups["files"].Value.Split(' ').Select(file => Path.Combine(root, file))];
        var options = match.Groups["options"].Captures.Select(option => option.Value.Split(' ', 2, StringSplitOptions.TrimEntries))
            .ToDictionary(option => option[0], option => option[1], StringComparer.Ordinal);
        return $"{match.Groups["open"].Value}\n{Of(match.Groups["kind"].Value, files, options, root)}<!-- end -->";
    });

    static string Of(string kind, string[] files, Dictionary<string, string> options, string root) => kind switch
    {
        "table" or "fastest" => Cut(files[0], options["rows"], options["columns"], kind == "fastest"),
        "all" => string.Concat(files.Select(Whole)),
        "answer" => $"```\n{QuickVerb.Lines(Duet(files[0]), options["rows"])}```\n",
        "opening" => Wrapped(string.Join(' ', Opening.Of(ReportContent.Read(files, new ComparisonOptions())).Sentences)),
        "losses" => Losses.Table(
            files.SelectMany(folder => Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal)).Select(ResultFile.Read),
            File.ReadAllText(Path.Combine(root, options["reasons"]))),
        "upgrades" => VersionsTable.Upgrades(files.Select(ResultFile.Read)),
        "best" => BestLibraries.Table(files.Select(ResultFile.Read)),
        "map" => BreakEvenTable.Of(BreakEvenTable.Map(ResultFile.Read(files[0]))
            ?? throw new InvalidDataException($"{files[0]} has no cell of the map")),
        "ratios" => RatioTable.Of(Duet(files[0]), options["library"]),
        "shapes" => ShapeTable.Of(Duet(files[0])),
        "load" => LoadTables.Variants(Loads(files)),
        "latencies" => LoadTables.Latencies(Loads(files)),
        "parts" => LoadTables.Parts(Loads(files)),
        _ => string.Concat(files.Select(Versions)),
    };

    static IEnumerable<LoadResult> Loads(IEnumerable<string> files) =>
        files.Select(file => ResultFile.Read(file).Load ?? throw new InvalidDataException($"{file} is no result of the load client"));

    static string Versions(string file)
    {
        using var table = new StringWriter { NewLine = "\n" };
        VersionsTable.Write("md", Duet(file), table);
        return table.ToString();
    }

    static DuetResult Duet(string file) => ResultFile.Read(file).Duet ?? throw new InvalidDataException($"{file} is no duet result");

    static string Cut(string file, string rows, string columns, bool fastest)
    {
        var table = SavedTable.Read(file);
        List<string[]> chosen = [.. table.Rows.Where(row => Regex.IsMatch(string.Join(" | ", row), rows))];
        if (chosen.Count == 0)
            throw new InvalidDataException($"{file}: no row matches {rows}");
        if (table.Columns.Contains("Size"))
            chosen = [.. chosen.OrderBy(row => row[table.ColumnAt("Size")], SizeText.Order)];
        if (fastest)
        {
            var times = ResultFile.Read(file).Cells.Where(cell => cell.Unit.Name == "ns/op").ToArray();
            var name = table.ColumnAt("Method");
            chosen = [.. chosen.OrderBy(Time).DistinctBy(row => RowName.Parse(row[name])?.Library)];

            // a column that has the same text in all rows is not shown
            double Time(string[] row)
            {
                var cell = Array.Find(times, cell => row[name] == cell.Name["method"]
                    && cell.Name.Parameters.All(one => !table.Columns.Contains(one) || row[table.ColumnAt(one)] == cell.Name[one]));
                return cell is null ? double.MaxValue : Median.Of(cell.Values).Value;
            }
        }

        return table.ToMarkdown(columns == "*" ? null : columns.Split(',', StringSplitOptions.TrimEntries), chosen);
    }

    static string Whole(string file)
    {
        var table = SavedTable.Read(file);
        var text = new StringBuilder()
            .Append($"<details><summary>{Path.GetFileNameWithoutExtension(file)}: {table.Rows.Count} rows</summary>\n\n")
            .Append("| Run |\n| --- |\n");
        foreach (var line in table.About)
            text.Append($"| {line.Replace("|", "\\|", StringComparison.Ordinal)} |\n");
        return text.Append('\n').Append(table.ToMarkdown()).Append("\n</details>\n").ToString();
    }

    // as the prose around it
    static string Wrapped(string text)
    {
        const int width = 140;
        var lines = new StringBuilder();
        var length = 0;
        foreach (var word in text.Split(' '))
        {
            var fits = length + 1 + word.Length <= width;
            lines.Append(length == 0 ? "" : fits ? " " : "\n").Append(word);
            length = length == 0 || !fits ? word.Length : length + 1 + word.Length;
        }

        return lines.Append('\n').ToString();
    }

    [GeneratedRegex(
        @"(?<open><!-- (?<kind>table|fastest|all|answer|opening|losses|versions|upgrades|best|map|ratios|shapes|load|latencies|parts) (?<files>[^\s;]+( [^-\s;]\S*)*)( ; (?<options>(rows|columns|reasons|library) [^;>]+?))* -->)\n.*?<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

/// <summary><c>&lt;!-- picture FILE.svg ; RESULT.json ; NAME --&gt;</c>, drawn as in the report.</summary>
public sealed partial record ReadmePicture(string File, string Result, string Name)
{
    public static IEnumerable<ReadmePicture> In(string text) =>
        Marker().Matches(text).Select(match => new ReadmePicture(match.Groups["file"].Value, match.Groups["result"].Value,
            match.Groups["name"].Value));

    public async Task<string> DrawAsync(string root) =>
        await ReportPage.PictureAsync(ReportContent.Read([Path.Combine(root, Result)], new ComparisonOptions()), Name) + "\n";

    [GeneratedRegex(@"<!-- picture (?<file>\S+\.svg) ; (?<result>\S+) ; (?<name>[^>]+?) -->", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

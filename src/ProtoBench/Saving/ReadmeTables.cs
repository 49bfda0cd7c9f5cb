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
// - data FILE FILE...: what the files have, where it was measured, how much unchanged code differs there, and how to see all rows.
// - answer FILE ; rows REGEX: what quick prints about these kinds of work.
// - opening FILE FILE...: the sentences with which report opens a page of these files, as a paragraph.
// - ratios FILE ; rows REGEX ; of NAME: RatioGrid. Without "of", cells are compared with Google's; a duet has its own pairs.
// - chooser FILE FILE...: which library to take, from duets of data sets (Chooser).
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
            : "no page shows it; the verb readme fills a place <!-- data FILE --> <!-- end --> of README.md or docs, and report makes a page";
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
        "data" => DataOf(files, root),
        "answer" => $"```\n{QuickVerb.Lines(Duet(files[0]), options["rows"])}```\n",
        "opening" => Wrapped(string.Join(' ', Opening.Of(ReportContent.Read(files, new ComparisonOptions())).Sentences)),
        "losses" => Losses.Table(
            files.SelectMany(folder => Directory.EnumerateFiles(folder, "*.json").Order(StringComparer.Ordinal)).Select(ResultFile.Read),
            File.ReadAllText(Path.Combine(root, options["reasons"]))),
        "upgrades" => VersionsTable.Upgrades(files.Select(ResultFile.Read)),
        "best" => BestLibraries.Table(files.Select(ResultFile.Read)),
        "map" => BreakEvenTable.Of(BreakEvenTable.Map(ResultFile.Read(files[0]))
            ?? throw new InvalidDataException($"{files[0]} has no cell of the map")),
        "ratios" => Ratios(RatioGrid.Of(ResultFile.Read(files[0]), new(options["rows"]), options.GetValueOrDefault("of", "Google"))),
        "chooser" => Choices(Chooser.Of(files.Select(ResultFile.Read))
            ?? throw new InvalidDataException($"{string.Join(", ", files)}: no duet of the data sets")),
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

    static string Ratios(RatioGrid grid) => Markdown.Table([grid.Heads[0], .. grid.Heads.Skip(1).Select(head => head + ":")],
        grid.Rows.Select(row => (string[])
        [
            row.Name.Replace("|", "\\|", StringComparison.Ordinal), .. row.Time.Length > 0 ? [row.Time] : Array.Empty<string>(),
            .. row.Ratios.Select(ratio => ratio?.ToString() ?? "-"),
        ]));

    static string Choices(Chooser chooser) => Markdown.Table(
        ["What a program does", .. chooser.Kinds.Select(kind => kind.Name)],
        chooser.Rows.Select(row => (string[])[row.Does, .. row.Choices.Select(choice => choice is null ? "-"
            : choice.Take == choice.Fastest ? $"**{choice.Take}** {choice.Ratio}" : $"**{choice.Take}** ({choice.Fastest} {choice.Ratio})")]));

    // One sentence for all files of a page, because a page is measured on one machine at one commit. Otherwise it names each of them.
    static string DataOf(string[] files, string root)
    {
        ResultFile[] results = [.. files.Select(ResultFile.Read)];
        var names = files.Zip(results, (file, result) => $"`{Path.GetFileNameWithoutExtension(file)}` ({Content(file, result)})");
        string[] conditions =
        [
            Distinct(result => Fact(result, "processor") ?? (result.Table?.About is [var first, ..] ? first.Split(',')[0] : null)),
            Distinct(result => Fact(result, "runtime") ?? FirstMatch(result.Table, @"\.NET \d+(\.\d+)*")),
            Distinct(result => (result.Commit ?? FirstMatch(result.Table, "(?<=commit )[0-9a-f]+")) is { } commit
                ? "at commit " + commit[..Math.Min(8, commit.Length)] : null),
        ];
        var spread = Path.Combine(Path.GetDirectoryName(files[0])!, "Unchanged.json") is var unchanged && File.Exists(unchanged)
            ? " " + SameSpread.Of(Duet(unchanged)).Sentence : "";
        var paths = files.Select(file => Path.GetRelativePath(root, file).Replace('\\', '/'));
        return Wrapped($"Data: {string.Join(", ", names)}, measured on {string.Join(", ", conditions.Where(text => text.Length > 0))}.{spread} "
                + "`results/measure NAME` measures one again, and this makes a page of all rows:")
            + $"\n```sh\ndotnet run -c Release --project src/ProtoBench -- report {string.Join(' ', paths)} --out page.html\n```\n";

        static string Content(string file, ResultFile result) => result.Load is { } load
            ? Count(load.Variants.Count, "variant") : result.Duet is { } duet ? Count(duet.Duets.Count, "pair")
            : Count(SavedTable.Read(file).Rows.Count, "row");

        static string Count(int count, string what) => $"{count:N0} {what}{(count == 1 ? "" : "s")}";

        string Distinct(Func<ResultFile, string?> of) => string.Join(" and ", results.Select(of).OfType<string>().Distinct(StringComparer.Ordinal));

        static string? Fact(ResultFile result, string name) =>
            (result.Facts.GetValueOrDefault(name) ?? result.Facts.GetValueOrDefault("client's " + name))?.Split(" (")[0];

        static string? FirstMatch(SavedTable? table, string pattern) =>
            table?.About.Select(line => Regex.Match(line, pattern)).FirstOrDefault(match => match.Success)?.Value;
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
        @"(?<open><!-- (?<kind>table|fastest|data|chooser|answer|opening|losses|versions|upgrades|best|map|ratios|shapes|load|latencies|parts) (?<files>[^\s;]+( [^-\s;]\S*)*)( ; (?<options>(rows|columns|reasons|of) [^;>]+?))* -->)\n.*?<!-- end -->",
        RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

/// <summary><c>&lt;!-- picture FILE.svg ; RESULT.json ; NAME --&gt;</c>, drawn as in the report. The name of a picture of ratios is
/// <c>ratios REGEX</c> or <c>ratios REGEX of NAME</c>, with the parts of the marker <c>ratios</c>.</summary>
public sealed partial record ReadmePicture(string File, string Result, string Name)
{
    public static IEnumerable<ReadmePicture> In(string text) =>
        Marker().Matches(text).Select(match => new ReadmePicture(match.Groups["file"].Value, match.Groups["result"].Value,
            match.Groups["name"].Value));

    public async Task<string> DrawAsync(string root)
    {
        var path = Path.Combine(root, Result);
        return (Ratios().Match(Name) is { Success: true } ratios
            ? await ReportPage.PictureAsync(RatioGrid.Of(ResultFile.Read(path), new(ratios.Groups["rows"].Value),
                ratios.Groups["of"] is { Success: true } of ? of.Value : "Google"))
            : await ReportPage.PictureAsync(ReportContent.Read([path], new ComparisonOptions()), Name)) + "\n";
    }

    [GeneratedRegex("^ratios (?<rows>.+?)( of (?<of>\\w+))?$", RegexOptions.ExplicitCapture)]
    private static partial Regex Ratios();

    [GeneratedRegex(@"<!-- picture (?<file>\S+\.svg) ; (?<result>\S+) ; (?<name>[^>]+?) -->", RegexOptions.ExplicitCapture)]
    private static partial Regex Marker();
}

using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public partial class ReadmeTests
{
    const int mostRows = 6;

    static readonly string[] documents = [.. DocumentCommands.Files];

    public static TheoryData<string> Files { get; } = [.. documents];

    public static TheoryData<string> PagesOfResults { get; } =
        ["README.md", .. documents.Where(file => file.StartsWith("docs/results/", StringComparison.Ordinal))];

    public static TheoryData<string> FilesWithTables { get; } =
        [.. documents.Where(file => DocumentCommands.Text(file).Contains("<!-- end -->", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(FilesWithTables))]
    public void Tables_are_those_that_runs_have_saved(string file)
    {
        Assert.Contains(file, ReadmeTables.Files(Golden.Root)); // or the verb would not renew them
        var text = DocumentCommands.Text(file);
        Assert.Equal(text, ReadmeTables.Refresh(text, Golden.Root));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public async Task Pictures_are_those_of_the_saved_results(string file)
    {
        foreach (var picture in ReadmePicture.In(DocumentCommands.Text(file)))
        {
            Assert.Contains(file, ReadmeTables.Files(Golden.Root));
            var saved = await File.ReadAllTextAsync(Path.Combine(Golden.Root, picture.File), TestContext.Current.CancellationToken);
            Assert.Equal(saved, await picture.DrawAsync(Golden.Root));
        }
    }

    [Theory]
    [InlineData("README.md", 120)]
    [InlineData("ARCHITECTURE.md", 150)]
    public void A_document_to_start_with_is_short(string file, int mostLines) =>
        Assert.InRange(DocumentCommands.Text(file).Split('\n').Length - 1, 20, mostLines);

    /// <summary>Each word in code font that looks like a type is the name of a type, a file or a folder of this repository.</summary>
    [Fact]
    public void What_ARCHITECTURE_names_exists()
    {
        var known = new[] { "src", "tests", "eng" }
            .SelectMany(folder => Directory.EnumerateFileSystemEntries(Path.Combine(Golden.Root, folder), "*", SearchOption.AllDirectories))
            .SelectMany(entry => entry.EndsWith(".cs", StringComparison.Ordinal)
                ? Declaration().Matches(File.ReadAllText(entry)).Select(match => match.Groups["name"].Value).Append(Name(entry))
                : [Name(entry)])
            .Append("ProtoBench").ToHashSet(StringComparer.Ordinal);
        string[] names =
            [.. TypeName().Matches(DocumentCommands.Text("ARCHITECTURE.md")).Select(match => match.Groups["name"].Value).Distinct()];
        Assert.InRange(names.Length, 15, 100);
        Assert.All(names, name => Assert.Contains(name, known));

        static string Name(string entry) => Path.GetFileName(entry).Split('.')[0];
    }

    [Fact]
    public void README_has_one_chooser_of_half_a_screen() =>
        Assert.InRange(
            Assert.Single(Chooser().Matches(DocumentCommands.Text("README.md"))).Groups["rows"].Value.Split('\n').Length - 3, 1, mostRows);

    /// <summary>Figures of sentences (with decimals, or with a unit of time, rate or share) are figures of a table or a block of the page,
    /// of the files whose data it names, or of a page to which the section links: rounded, or a ratio for a percentage.</summary>
    [Theory]
    [MemberData(nameof(PagesOfResults))]
    public void Figures_of_sentences_are_figures_of_tables(string file)
    {
        var text = DocumentCommands.Text(file);
        var tables = Block().Matches(text).Concat(TableRow().Matches(text)).SelectMany(rows => Numbers(rows.Value))
            .Concat(DataFile().Matches(text).SelectMany(data => DataOf(Path.Combine(Golden.Root, data.Value)))).ToArray();
        var prose = TableRow().Replace(Generated().Replace(Block().Replace(text, ""), ""), "");
        foreach (var section in prose.Split("\n#"))
        {
            var linked = Link().Matches(section).Select(link => link.Groups["path"].Value)
                .Where(path => path.EndsWith(".md", StringComparison.Ordinal))
                .SelectMany(path => Numbers(File.ReadAllText(Path.Combine(Golden.Root, Path.GetDirectoryName(file)!, path))));
            var known = tables.Concat(linked).SelectMany(Forms).ToArray();
            foreach (Match figure in Figure().Matches(Code().Replace(Link().Replace(section, "]"), "")))
            {
                var half = 0.5001 * Math.Pow(10, -figure.Groups["digits"].Length);
                Assert.True(Array.Exists(known, one => Math.Abs(one - Number(figure.Value)) <= half), $"{file}: {figure.Value} is in no table");
            }
        }

        static IEnumerable<double> Numbers(string text) => AnyNumber().Matches(text).Select(number => Number(number.Value)).Distinct();

        // results of the load client and of versions have no saved table
        static IEnumerable<double> DataOf(string path) => ResultFile.Read(path) is { Load: null, Duet: null or { Package: null } }
            ? SavedTable.Read(path).Rows.SelectMany(row => row).SelectMany(Numbers) : [];

        static double Number(string text) => double.Parse(text.Replace(",", "", StringComparison.Ordinal));

        // itself, in larger units, a ratio as a percentage, and a percentage as a ratio
        static double[] Forms(double number) =>
            [number, number / 1e3, number / 1e6, (number - 1) * 100, (1 - number) * 100, 1 + (number / 100), 1 - (number / 100)];
    }

    /// <summary>What a reader has to know stands beside the figures, on each page that shows them.</summary>
    [Theory]
    [MemberData(nameof(FilesWithTables))]
    public void A_page_says_which_rows_make_no_strings(string file)
    {
        var text = DocumentCommands.Text(file).ReplaceLineEndings(" ");
        string[] rows = [.. ResultRow().Matches(DocumentCommands.Text(file)).Select(row => row.Value)];
        if (rows.Any(row => Regex.IsMatch(row, "(Deserialize|Unmarshal)[^|]*Slab")))
            Assert.Matches("create(s)? no (\\.NET )?strings", text);
    }

    [Fact]
    public void The_two_commands_are_there()
    {
        Assert.Contains("dotnet run -c Release --project src/ProtoBench -- quick", DocumentCommands.In("README.md"));
        Assert.Contains("dotnet test -c Release", DocumentCommands.In("README.md"));
        Assert.Contains("dotnet test -c Release", File.ReadAllText(Path.Combine(Golden.Root, ".ci", "run")), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Links_lead_somewhere(string file)
    {
        foreach (Match link in Link().Matches(DocumentCommands.Text(file)))
        {
            var path = link.Groups["path"].Value;
            var target = path.Length == 0 ? file
                : Path.GetRelativePath(Golden.Root, Path.Combine(Golden.Root, Path.GetDirectoryName(file)!, path)).Replace('\\', '/');
            Assert.True(Path.Exists(Path.Combine(Golden.Root, target)), $"{file}: {link.Value}");
            if (link.Groups["anchor"].Success)
                Assert.True(Anchors(target).Contains(link.Groups["anchor"].Value), $"{file}: {target} has no heading for {link.Value}");
        }
    }

    [Fact]
    public void Every_page_and_every_saved_table_is_in_the_index()
    {
        var index = DocumentCommands.Text("docs/README.md");
        foreach (var page in documents.Where(file => file.StartsWith("docs/", StringComparison.Ordinal) && file != "docs/README.md"))
            Assert.Contains($"]({page["docs/".Length..]})", index, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_README_links_to_the_glossary()
    {
        foreach (var readme in documents.Where(file => file.EndsWith("README.md", StringComparison.Ordinal)))
            Assert.Contains("glossary", DocumentCommands.Text(readme), StringComparison.OrdinalIgnoreCase);
    }

    [Fact]
    public void The_terms_table_has_every_part_of_a_name()
    {
        var hive = DocumentCommands.Text("docs/results/hive.md");
        string[] terms =
        [
            "Serialize", "Measure", "MeasureSerialize", "DeserializeTouch", "DeserializeStrings", "Request, Response", "Mixed",
            "Google", "GoogleBytes", "PBN", "Floor", "MS", "CS", "BA", "ROM", "ROS", "BW", "_H", "_A",
        ];
        foreach (var term in terms)
            Assert.Matches($@"\n\| ([^|]*, )?{term}(, [^|]*)? \|", hive);
    }

    [Fact]
    public void A_marker_takes_rows_and_columns_from_its_file()
    {
        var table = new SavedTable(["text"], ["Method", "Mean", "Ratio"], [["A_x", "1", "2"], ["B_x", "3", "4"]]);
        Assert.Equal("| Method | Ratio |\n| --- | ---: |\n| B_x | 4 |\n", Filled("table t.json ; rows ^B ; columns Method, Ratio", table));
        Assert.Equal("| Method | Mean | Ratio |\n| --- | ---: | ---: |\n| B_x | 3 | 4 |\n", Filled("table t.json ; rows ^B ; columns *", table));
        Assert.Throws<InvalidDataException>(() => Filled("table t.json ; rows ^C ; columns Method", table));
        Assert.Throws<InvalidDataException>(() => Filled("table t.json ; rows ^A ; columns Median", table));
    }

    [Fact]
    public void A_page_names_its_data_where_it_was_measured_and_the_spread_of_unchanged_code()
    {
        var same = MadeDuet.Result(MadeDuet.Pair("A", "A", [1.01, 1.01]), MadeDuet.Pair("B", "B", [0.97, 0.97]));
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("Unchanged.json"), DuetResultFile.ToJson(same with { Settings = same.Settings with { Same = true } }));
        File.WriteAllText(folder.File("t.json"), DuetResultFile.ToJson(MadeDuet.Result(MadeDuet.Pair("A", "B", [1, 1]))));
        var text = ReadmeTables.Refresh("<!-- data t.json -->\n<!-- end -->", folder.Path).ReplaceLineEndings(" ");
        Assert.Contains("Data: `t` (1 pair), measured on", text, StringComparison.Ordinal);
        Assert.Contains("By duet, 2 cells that were compared with themselves differ here by 2.0 % (median), 3.0 % (nine of ten) and 3.0 % (largest).", text,
            StringComparison.Ordinal);
        Assert.Contains("report t.json --out page.html", text, StringComparison.Ordinal);

        File.WriteAllText(folder.File("t.json"),
            new SavedTable(["Machine, 2 cores, .NET 10.0.12", "2026-12-01, commit 0123456789"], ["Name"], [["A"]]).Into([]));
        text = ReadmeTables.Refresh("<!-- data t.json -->\n<!-- end -->", folder.Path).ReplaceLineEndings(" ");
        Assert.Contains("Data: `t` (1 row), measured on Machine, .NET 10.0.12, at commit 01234567. By duet, 2 cells", text,
            StringComparison.Ordinal);

        File.WriteAllText(folder.File("u.json"), new SavedTable(["Other", "2026-12-01, commit 89abcdef"], ["Name"], [["A"]]).Into([]));
        text = ReadmeTables.Refresh("<!-- data t.json u.json -->\n<!-- end -->", folder.Path).ReplaceLineEndings(" ");
        Assert.Contains("measured on Machine and Other, .NET 10.0.12, at commit 01234567 and at commit 89abcdef. By duet", text, StringComparison.Ordinal);
    }

    [Fact]
    public void The_fastest_row_of_each_library_has_the_smallest_median()
    {
        (string Method, string Size, double Nanoseconds)[] cells =
        [
            ("SerializeRequestGoogle_MS", "1", 1_500), ("SerializeRequestGoogle_BW", "1", 900), ("SerializeRequestSlab_BW", "1", 1_100),
            ("SerializeRequestGoogle_MS", "2", 700), // another row of the table
        ];
        var table = new SavedTable([], ["Method", "Size"], [.. cells.Select(cell => (string[])[cell.Method, cell.Size])]);
        var benchmarks = new JsonArray([.. cells.Select(cell => new JsonObject
        {
            ["Type"] = "T",
            ["Method"] = cell.Method,
            ["FullName"] = $"T.{cell.Method}(Size: {cell.Size})",
            ["Parameters"] = $"Size={cell.Size}",
            ["Statistics"] = new JsonObject { ["OriginalValues"] = new JsonArray(cell.Nanoseconds) },
        })]);
        Assert.Equal("| Method |\n| --- |\n| SerializeRequestGoogle_BW |\n| SerializeRequestSlab_BW |\n",
            Filled("fastest t.json ; rows \\| 1 ; columns Method", table, new() { ["Benchmarks"] = benchmarks }));
    }

    [Fact]
    public void Sizes_are_ordered_as_numbers_and_rows_of_one_size_stay_in_their_order()
    {
        var table = new SavedTable([], ["Method", "Size"], [["B", "1 B"], ["A", "1 MiB"], ["B", "512 KiB"], ["A", "512 KiB"], ["C", "8 KiB"]]);
        Assert.Equal(
            "| Method | Size |\n| --- | ---: |\n| B | 1 B |\n| C | 8 KiB |\n| B | 512 KiB |\n| A | 512 KiB |\n| A | 1 MiB |\n",
            Filled("table t.json ; rows . ; columns Method, Size", table));
    }

    static string Filled(string marker, SavedTable table, JsonObject? result = null)
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("t.json"), table.Into(result ?? []));
        var text = ReadmeTables.Refresh($"<!-- {marker} -->\nold\n<!-- end -->", folder.Path);
        return text[$"<!-- {marker} -->\n".Length..^"<!-- end -->".Length];
    }

    static HashSet<string> Anchors(string file) =>
        [.. Heading().Matches(DocumentCommands.Text(file)).Select(heading => heading.Groups["text"].Value.ToLowerInvariant())
            .Select(text => NoLetter().Replace(text, "").Replace(' ', '-'))];

    [GeneratedRegex(@"\]\((?!\w+:)(?<path>[^)#]*)(#(?<anchor>[^)]+))?\)", RegexOptions.ExplicitCapture)]
    private static partial Regex Link();

    [GeneratedRegex("`(?<name>[A-Z]\\w*[a-z]\\w*)`", RegexOptions.ExplicitCapture)]
    private static partial Regex TypeName();

    [GeneratedRegex("^#+ (?<text>.+)$", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Heading();

    [GeneratedRegex("```.*?```", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex(@"(?<=<!-- data [^>]*)results/\S+\.json")]
    private static partial Regex DataFile();

    [GeneratedRegex("`[^`]*`")]
    private static partial Regex Code();

    [GeneratedRegex("<!-- (?!end).*?-->\n.*?<!-- end -->", RegexOptions.Singleline)]
    private static partial Regex Generated();

    [GeneratedRegex(@"^\|.*$", RegexOptions.Multiline)]
    private static partial Regex TableRow();

    [GeneratedRegex(@"\d[\d,]*(\.\d+)?", RegexOptions.ExplicitCapture)]
    private static partial Regex AnyNumber();

    // no versions (3.4.40), and not the level of an interval
    [GeneratedRegex(@"(?<![\w.])(?!95 %)(\d[\d,]*\.(?<digits>\d+)(?![.\d])|\d[\d,]*(?= ?(%|times|ns|μs|ms|MB/s|GB/s)))", RegexOptions.ExplicitCapture)]
    private static partial Regex Figure();

    [GeneratedRegex(@"[^\w\- ]")]
    private static partial Regex NoLetter();

    [GeneratedRegex("<!-- chooser [^>]*-->\n(?<rows>.*?)<!-- end -->", RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex Chooser();

    [GeneratedRegex(@"\b(class|struct|record|interface|enum)\s+(?<name>\w+)", RegexOptions.ExplicitCapture)]
    private static partial Regex Declaration();

    [GeneratedRegex(@"^\| \w+ \| .*$", RegexOptions.Multiline)]
    private static partial Regex ResultRow();
}

using System.Net;
using System.Text.RegularExpressions;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Model;

public class OpeningTests
{
    static ReportContent Cells(params (string Method, double Nanoseconds)[] cells) => ReportContent.Of(
        [new Side("results", [ResultFile.Parse(Pages.Benchmarks(cells.Select(cell => (cell.Method, "HiveBenchmarks", "", cell.Nanoseconds, 0))), "own.json")])],
        new ComparisonOptions(), []);

    [Fact]
    public void Libraries_are_told_by_their_share_of_Googles_time()
    {
        var opening = Opening.Of(Cells(
            ("DeserializeRequestGoogle_BA", 1_000), ("DeserializeRequestGoogle_BA_H", 500), ("DeserializeRequestSlab_ROM", 120),
            ("DeserializeRequestFloor_Walk", 10), ("SerializeRequestGoogle_BW", 400), ("SerializeRequestSlab_BW", 100), ("SerializeRequestPBN_MS", 480)));
        Assert.Equal(
            "To read Request, Slab (ROM, without .NET strings) takes 0.12 [0.12 to 0.12] of the time of Google (BA); to write an existing Request, Slab (BW) takes 0.25 [0.25 to 0.25] of the time of Google (BW).", Assert.Single(opening.Sentences));
        Assert.Equal(
            ["Deserialize Request: Slab_ROM 0.12, Google_BA 1", "Serialize Request: Slab_BW 0.25, Google_BW 1, PBN_MS 1.2"],
            opening.Works.Select(work => $"{work.Name}: {string.Join(", ", work.Rows.Select(row => $"{row.Cell.Label} {Math.Round(row.Ratio, 2)}"))}"));
    }

    [Fact]
    public void A_ratio_that_the_run_cannot_tell_from_1_is_no_fact()
    {
        var opening = Opening.Of(Cells(("DeserializeRequestGoogle_ROM", 100), ("DeserializeRequestSlab_ROM", 20), ("DeserializeRequestPBN_ROM", 100)));
        Assert.Equal("To read Request, Slab (ROM, without .NET strings) takes 0.20 [0.20 to 0.20] of the time of Google (ROM).", Assert.Single(opening.Sentences));
        Assert.Equal("No clear difference from Google.Protobuf in this run: to read Request: PBN (ROM).", opening.Unclear);
        var alike = Opening.Of(Cells(("DeserializeRequestGoogle_ROM", 100), ("DeserializeRequestPBN_ROM", 100)));
        Assert.Equal("No difference from Google.Protobuf is larger than the error of this run.", Assert.Single(alike.Sentences));
    }

    // the fastest buffer of PBN has no verdict below
    [Fact]
    public void A_cell_without_a_verdict_is_no_headline()
    {
        var content = Cells(("DeserializeRequestGoogle_ROM", 100), ("DeserializeRequestPBN_CS", 20), ("DeserializeRequestPBN_ROM", 130));
        content = content with { Cells = [.. content.Cells.Select(cell => cell with { Doubtful = cell.Name["buffer"] == "CS" })] };
        Assert.Equal("To read Request, PBN (ROM) takes 1.30 [1.30 to 1.30] of the time of Google (ROM).", Assert.Single(Opening.Of(content).Sentences));
    }

    // each of them would be the lowest, or the highest
    [Fact]
    public async Task Neither_a_tile_nor_a_sentence_is_about_a_cell_without_a_verdict()
    {
        var content = Cells(("DoA", 10), ("DoB", 30), ("DoC", 1), ("DoD", 90));
        content = content with { Cells = [.. content.Cells.Select(cell => cell with { Doubtful = cell.Way is "C" or "D" })] };
        Assert.Equal("Hive Do: A has the lowest median, 10 ns; B takes 3.00 times as long.", Assert.Single(Opening.Of(content).Sentences));
        Assert.Matches("<span class=\"figure\">10 ns</span>\\s*<span class=\"who [^>]*>A</span>", await ReportPage.RenderAsync(content));
        content = content with { Cells = [.. content.Cells.Select(cell => cell with { Doubtful = true })] };
        Assert.Empty(Opening.Of(content).Sentences);
        Assert.DoesNotContain("<li data-tile", await ReportPage.RenderAsync(content), StringComparison.Ordinal);

        var sets = Kind("sets");
        sets = sets with { Cells = [.. sets.Cells.Select(cell => cell with { Doubtful = cell.Name["verb"] == "DeserializeTouch" })] };
        Assert.DoesNotContain("every field", Assert.Single(Opening.Of(sets).Sentences), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_headline_says_whether_the_slab_codec_makes_strings()
    {
        Assert.Matches("to read every field, Slab(_Alias)? [(]without .NET strings[)] for [0-9]+; ", Assert.Single(Opening.Of(Kind("sets")).Sentences));
        var page = await ReportPage.RenderAsync(Cells(
            ("DeserializeTouchRequestGoogle_ROM", 100), ("DeserializeTouchRequestSlab_ROM", 20),
            ("DeserializeStringsRequestGoogle_ROM", 100), ("DeserializeStringsRequestSlab_ROM", 60),
            ("SerializeRequestGoogle_BW", 100), ("SerializeRequestSlab_BW", 60)));
        Assert.Contains("<span class=\"label\">Slab, ROM, without .NET strings</span>", page, StringComparison.Ordinal);
        Assert.Contains("<span class=\"label\">Slab, ROM, with .NET strings</span>", page, StringComparison.Ordinal);
        Assert.Contains("<span class=\"label\">Slab, BW</span>", page, StringComparison.Ordinal);
        Assert.Contains(">Slab_ROM, without .NET strings</span>", page, StringComparison.Ordinal);
        var touch = Opening.Of(Cells(("DeserializeTouchRequestGoogle_ROM", 100), ("DeserializeTouchRequestSlab_ROM", 20)));
        Assert.Contains("Slab (ROM, without .NET strings) takes 0.20", Assert.Single(touch.Sentences), StringComparison.Ordinal);
    }

    [Fact]
    public void Other_pages_open_with_a_sentence_too()
    {
        Assert.Equal("Hive Do: A has the lowest median, 10 ns; B takes 3.00 times as long.", Assert.Single(Opening.Of(Cells(("DoA", 10), ("DoB", 30))).Sentences));
        Assert.StartsWith("new against old: ", Assert.Single(Opening.Of(Pages.Pair()).Sentences), StringComparison.Ordinal);
        Assert.Equal("Of 4 pairs of cells that ran alternately, the second cell is faster in 1 and slower in 1, and 2 cannot be told.", Assert.Single(Opening.Of(Pages.Duet()).Sentences));
        Assert.Contains("Of 2 valid variants “inbox-raw” makes the most calls: ", Assert.Single(Opening.Of(Kind("load")).Sentences), StringComparison.Ordinal);
        Assert.Matches("^Of 14 data sets, the least time takes: to write what exists, [^;]+ for [0-9]+; to read every field, [^;]+ for [0-9]+; to read every field with .NET strings, [^;]+ for [0-9]+[.]$", Assert.Single(Opening.Of(Kind("sets")).Sentences));
        Assert.Empty(Opening.Of(Pages.Dry()).Sentences);
    }

    [Fact]
    public void Results_of_several_kinds_open_with_a_sentence_for_each()
    {
        string[] files = ["intel-r-xeon-r-processor/Hive", "intel-r-xeon-r-processor/DataSets", "intel-r-xeon-r-processor/Load-1KB-1", "intel-r-xeon-r-processor/Load"];
        var folder = Path.Combine(Golden.Root, "results");
        var content = ReportContent.Read([.. files.Select(file => Path.Combine(folder, file + ".json"))], new ComparisonOptions());
        Assert.Collection(Opening.Of(content).Sentences,
            library => Assert.StartsWith("To read Request, ", library, StringComparison.Ordinal),
            set => Assert.StartsWith("Of 14 data sets, ", set, StringComparison.Ordinal),
            service => Assert.Matches(
                "^Over grpc-dotnet with a request of 290,699 B, [0-9,]+ calls a second are made with the slab codec and [0-9,]+ with "
                    + "Google.Protobuf, a ratio of [2-3][.][0-9]{2} \\[.+ to .+\\][.] The median latency is [0-9,]+ μs instead of [0-9,]+ μs, and client and "
                    + "host together allocate [0-9,]+ B for a call instead of [0-9,]+ B[.]$", service));
    }

    // peers/run has written the ratios of the table, by its own arithmetic
    [Theory]
    [InlineData("Read")]
    [InlineData("Write")]
    public void What_a_rewrite_would_gain_agrees_with_the_table_of_languages(string verb)
    {
        var path = Path.Combine(Golden.Root, "results", "intel-r-xeon-r-processor", "Languages.json");
        var table = SavedTable.Read(path);
        (string Set, double Ratio, double Low, double High)[] rows =
        [
            .. from row in table.Rows
               where row[table.ColumnAt("Verb")] == verb
               let numbers = Regex.Matches(row[table.ColumnAt("Time of Slab by C++")], "[0-9.]+").Select(number => double.Parse(number.Value)).ToArray()
               select (row[table.ColumnAt("Data set")], numbers[0], numbers[1], numbers[2]),
        ];
        var faster = rows.Where(row => row.High < 1).Select(row => row.Ratio).Order().ToArray();
        var said = string.Join(' ', Opening.Of(ReportContent.Read([path], new ComparisonOptions())).Sentences);
        var sentence = Regex.Match(said, $"The slab codec {verb.ToLowerInvariant()}s .+?[.](?= |$)").Value;
        Assert.StartsWith($"The slab codec {verb.ToLowerInvariant()}s {faster.Length} of {rows.Length} data sets in {faster[0]:F2} to {faster[^1]:F2} of the time of C++, ", sentence, StringComparison.Ordinal);
        foreach (var (set, ratio, low, _) in rows.Where(row => row.High >= 1))
            Assert.Matches($"[ ,]{set}( and \\w+)?(, \\w+)* in " + (low > 1 ? $"([0-9.]+ to )?{ratio:F2}( to [0-9.]+)? of" : "the same time"), sentence);

        // the table has medians, and no round: a data set that C++ is slower at cannot be faster in each round
        var gained = table.Rows.Count(row => row[table.ColumnAt("Verb")] == verb
            && double.Parse(row[table.ColumnAt("C++")]) > double.Parse(row[table.ColumnAt("Google")]));
        var told = int.Parse(Regex.Match(said, $"C\\+\\+ {verb.ToLowerInvariant()}s ([0-9]+) of {rows.Length} data sets in [0-9.]+ to 0[.][0-9]+ of").Groups[1].Value);
        Assert.InRange(told, 1, gained);
    }

    [Fact]
    public async Task The_sentence_and_the_chart_stand_before_the_warnings_which_are_one_line()
    {
        var content = Cells(("DeserializeRequestGoogle_BA", 1_000), ("DeserializeRequestSlab_ROM", 120)) with
        {
            Warnings = [.. Enumerable.Range(0, 57).Select(i => $"warning {i}")],
        };
        var page = await ReportPage.RenderAsync(content);
        var (sentence, chart, warnings) = (page.IndexOf("<p class=\"answer\">", StringComparison.Ordinal),
            page.IndexOf("<figure", StringComparison.Ordinal), page.IndexOf("<details class=\"warnings\">", StringComparison.Ordinal));
        Assert.True(sentence > 0 && sentence < chart && chart < warnings, $"{sentence} {chart} {warnings}");
        Assert.Contains("<summary>57 remarks on these results</summary>", page, StringComparison.Ordinal);
        Assert.Equal(57, Regex.Count(page, "<li>warning "));
    }

    [Fact]
    public async Task The_line_of_warnings_names_what_must_not_be_overlooked()
    {
        var file = ResultFile.Parse(
            """{ "Benchmarks": [ { "Type": "T", "Method": "Fails", "FullName": "T.Fails", "Statistics": null }, { "Type": "T", "Method": "Works", "FullName": "T.Works", "Statistics": { "OriginalValues": [1] } } ] }""", "some.json");
        var page = await ReportPage.RenderAsync(
            ReportContent.Of([new Side("results", [file, ResultFile.Read(Pages.Data("open.json"))])], new ComparisonOptions(), []));
        Assert.Matches("<summary>[0-9]+ remarks on these results, 1 cell failed, 1 about INVALID runs</summary>", page);
    }

    [Fact]
    public void A_chart_of_many_rows_shows_one_of_each_library_first()
    {
        var chart = Category.Of(Pages.Saved("Hive").Cells).Single(category => category.Name == "Deserialize Request");
        Assert.InRange(chart.Cells.Count, 13, 48);
        Assert.Equal(chart.Cells.Select(cell => cell.Way).Distinct().Order(), chart.AtFirst.Select(cell => cell.Way).Order());
        Assert.All(chart.AtFirst, cell => Assert.Equal(
            chart.Cells.Where(other => other.Way == cell.Way && other.Name["memory"] is null).Min(other => other.Time.Value), cell.Time.Value));
        var small = Category.Of(Pages.Saved("Hive").Cells).First(category => category.Cells.Count <= 12);
        Assert.Equal(small.Cells.Count, small.AtFirst.Count);
    }

    [Fact]
    public async Task The_other_rows_are_on_the_page_and_open_on_demand()
    {
        var chart = Category.Of(Pages.Saved("Hive").Cells).Single(category => category.Name == "Deserialize Request");
        var page = await ReportPage.RenderAsync(Pages.Saved("Hive"));
        var figure = Regex.Match(page, "<figure(?:(?!</figure>).)*data-base(?:(?!</figure>).)*?<h3>Deserialize Request</h3>.*?</figure>", RegexOptions.Singleline).Value;
        Assert.Equal(chart.Cells.Count, Regex.Count(figure, "<div class=\"row m "));
        Assert.Equal(chart.Cells.Count - chart.AtFirst.Count, Regex.Count(figure, "<div class=\"row m c\\d rest\""));
        Assert.Contains($"<summary>{chart.Cells.Count - chart.AtFirst.Count} more rows</summary>", figure, StringComparison.Ordinal);
    }

    // The cells of Format differ by a factor of 100 from size to size, those of the hive by less within a chart.
    [Fact]
    public async Task Bars_begin_at_zero_unless_a_chart_spans_sizes()
    {
        Assert.DoesNotContain("<i class=\"dot\"", await ReportPage.RenderAsync(Pages.Saved("Hive")), StringComparison.Ordinal);
        Assert.DoesNotContain("<i class=\"dot\"", await ReportPage.RenderAsync(
            Cells(("DeserializeRequestGoogle_BA", 1_000_000), ("DeserializeRequestSlab_ROM", 10))), StringComparison.Ordinal);
        Assert.All(Category.Of(Pages.Saved("Hive").Cells), category => Assert.False(category.SpansSizes));
        Assert.Contains(Category.Of(Pages.Saved("Format").Cells), category => category.SpansSizes);
    }

    [Fact]
    public async Task Pairs_with_a_lower_bound_are_not_counted()
    {
        var result = Testing.MadeDuet.Result(
            Pair("DeserializeRequestFloor_Walk", "DeserializeRequestSlab_ROM", 3), Pair("DeserializeRequestGoogle_BA", "DeserializeRequestSlab_ROM", 0.2));
        var content = ReportContent.Of([new Side("results", [ResultFile.Parse(DuetResultFile.ToJson(result), "duet.json")])], new ComparisonOptions(), []);
        var page = await ReportPage.RenderAsync(content);
        Assert.Equal(["better 1", "worse 0"],
            Regex.Matches(page, """<span class="what (better|worse)">.*?<span class="figure">(\d+)</span>""", RegexOptions.Singleline)
                .Select(tile => $"{tile.Groups[1].Value} {tile.Groups[2].Value}"));
        Assert.Equal("Of 1 pairs of cells that ran alternately, the second cell is faster in 1 and slower in 0, and 0 cannot be told; one more is the distance from a lower bound.",
            Assert.Single(Opening.Of(content).Sentences));
        Assert.Equal(["lower bound"], Tables.Read(page, "ns/op: ").Where(row => row["Row"].Text.Contains("Floor", StringComparison.Ordinal)).Select(row => row["Verdict"].Text));
    }

    // From 0 to 500,000 bytes an operation is a ratio of a million, and its axis read "0x 0x no change 1000000x".
    [Theory]
    [InlineData(1_000_000)]
    [InlineData(0.000_001)]
    [InlineData(30)]
    [InlineData(1.001)]
    public async Task The_axis_of_ratios_has_figures_that_say_something(double ratio)
    {
        var result = Testing.MadeDuet.Result(Pair("DeserializeRequestGoogle_BA", "DeserializeRequestSlab_ROM", ratio));
        var page = await ReportPage.RenderAsync(
            ReportContent.Of([new Side("results", [ResultFile.Parse(DuetResultFile.ToJson(result), "duet.json")])], new ComparisonOptions(), []));
        var ticks = Regex.Match(page, "<div class=\"ticks\".*?</div>", RegexOptions.Singleline).Value;
        string[] words = [.. Regex.Matches(ticks, "<span[^>]*>([^<]*)</span>").Select(word => word.Groups[1].Value)];
        Assert.Contains("no change", words);
        Assert.InRange(words.Length, 3, 5);
        Assert.Equal(words.Length, words.Distinct().Count());
        Assert.DoesNotContain("0x", words);
        Assert.All(words, word => Assert.InRange(word.Length, 2, 9));
    }

    [Fact]
    public async Task Microseconds_are_written_one_way()
    {
        // files of before have sentences with "us" in them
        foreach (var (name, content) in Pages.Kinds().Where(kind => kind.Name is not ("everything" or "load" or "sweep")))
        {
            var page = await ReportPage.RenderAsync(content);
            var text = Regex.Replace(page, "<(style|script)>.*?</\\1>", "", RegexOptions.Singleline);
            Assert.False(Regex.IsMatch(text, "[0-9] us\\b|\\bus/"), $"{name}: {Regex.Match(text, ".{40}[0-9] us\\b|.{40}\\bus/").Value}");
        }

        Assert.Contains("μs", WebUtility.HtmlDecode(await ReportPage.RenderAsync(Pages.Saved("Hive"))), StringComparison.Ordinal);
        Assert.Contains("\"μs\"", ReportPage.Script, StringComparison.Ordinal);
    }

    // Many files would each bring a sentence of facts into every label.
    [Fact]
    public void Series_of_many_files_are_named_by_their_files()
    {
        ResultFile[] files = [.. Enumerable.Range(0, 5).Select(i => ResultFile.Parse(Pages.DryRun([("SerializeRequestGoogle_BW", 100 + i)])
            .Replace("Dry(", $"Job(Warmups=A rather long text that nobody wants to read {i}, ", StringComparison.Ordinal), $"Run-{i}.json"))];
        Assert.Equal(["Google_BW · Run-0", "Google_BW · Run-1", "Google_BW · Run-2", "Google_BW · Run-3", "Google_BW · Run-4"],
            ReportContent.Of([new Side("results", files)], new ComparisonOptions(), []).Cells.Select(cell => cell.Label).Order());
    }

    static ReportContent Kind(string name) => Pages.Kinds().Single(kind => kind.Name == name).Content;

    static DuetPair Pair(string old, string @new, double ratio) =>
        Testing.MadeDuet.Pair(old, @new, [.. Enumerable.Range(0, 10).Select(i => ratio * (1 + ((i - 4.5) * 0.0001)))], 100, 100);
}

using System.Text.RegularExpressions;
using System.Xml.Linq;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Model;

public sealed class ReportContentTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-report-");

    public void Dispose() => folder.Delete(recursive: true);

    [Fact]
    public void Labels_are_for_all_paths_or_for_none() =>
        Assert.StartsWith("either every path has a label, or none",
            Assert.Throws<UsageException>(() => Read("old=" + Pages.Data("hive.json"), Pages.Data("open.json"))).Message,
                StringComparison.Ordinal);

    [Fact]
    public void Sides_with_nothing_in_common_are_not_compared() =>
        Assert.Equal("nothing to compare: no cell is in old and in new",
            Assert.Throws<UsageException>(() => Read("old=" + Pages.Data("hive.json"), "new=" + Pages.Data("open.json"))).Message);

    [Fact]
    public void What_the_console_says_of_a_busy_machine_is_on_the_page()
    {
        static string Cell(string name, string values) =>
            $$"""{ "Type": "T", "Method": "{{name}}", "FullName": "T.{{name}}", "Statistics": { "OriginalValues": [{{values}}] } }""";
        var file = ResultFile.Parse($$"""
            { "Benchmarks": [ {{Cell("A", "1, 2, 3")}}, {{Cell("B", "1, 1, 1")}} ], "HostEnvironmentInfo": { "LogicalCoreCount": 2 },
              "ProtoBench": { "otherCores": 1.93 } }
            """, "x.json");
        Assert.Equal(["x.json: The machine was busy: other programs used 1.9 of 2 cores.",
            "x.json: The machine was busy: 1 of 2 intervals are wider than ±25 %, the widest ±50 %."],
            ReportContent.Of([new Side("results", [file])], new ComparisonOptions(), []).Warnings);
    }

    [Fact]
    public void Benchmarks_and_load_results_share_a_page_without_a_word_about_their_differences()
    {
        var content = Read(Pages.Data("hive.json"), Pages.Data("attribute.json"));
        Assert.Equal((62, 1), (content.Cells.Count, content.Loads.Count));
        Assert.DoesNotContain(content.Warnings, warning => warning.Contains("differs", StringComparison.Ordinal));
    }

    [Fact]
    public void Launches_of_one_build_are_pooled()
    {
        var content = Read(Pages.Data("hive.json"), Put("second.json", Hive("", "")));
        Assert.DoesNotContain(content.Warnings, warning => warning.Contains("different runs", StringComparison.Ordinal));
        Assert.Equal(62, content.Cells.Count);
        Assert.All(content.Cells, cell => Assert.Equal("2 launches", cell.Time.Basis));
    }

    [Theory]
    [InlineData("\"AMD EPYC\"", "\"Another\"", "processor")] // another machine
    [InlineData("WarmupCount=4", "WarmupCount=9", "job")] // other settings
    [InlineData("2a4f7b9fd487", "0123456789ab", "commit")]
    [InlineData("\"3.25.1\"", "\"3.26.0\"", "version of Google.Protobuf")]
    public void Files_of_different_runs_are_series_of_their_own(string old, string now, string fact)
    {
        var content = Read(Pages.Data("hive.json"), Put("other.json", Hive(old, now)));
        Assert.Equal(2 * 62, content.Cells.Count);
        Assert.All(content.Cells, cell => Assert.Equal("15 iterations", cell.Time.Basis));
        Assert.All(content.Cells, cell => Assert.Contains(fact, cell.Label, StringComparison.Ordinal));
        Assert.Equal(content.Cells.Count, content.Cells.DistinctBy(cell => (cell.Category, cell.Label)).Count());
        Assert.Contains(content.Warnings, warning =>
            warning.StartsWith("these results are of 2 different runs", StringComparison.Ordinal)
            && warning.Contains(fact, StringComparison.Ordinal));
    }

    [Fact]
    public void A_dry_run_beside_measurements_is_left_out_and_named()
    {
        var real = Pages.DryRun([("SerializeRequestGoogle_BW", 7_500)]).Replace("Dry(", "Job-ABCDEF(", StringComparison.Ordinal);
        var dry = Put("dry.json", Pages.DryRun([("SerializeRequestGoogle_BW", 4_400_000)]));
        var content = Read(Put("real.json", real), dry);
        Assert.Equal(7_500, Assert.Single(content.Cells).Time.Value);
        Assert.Contains($"{dry}: left out, it is a dry run, which measures nothing", content.Warnings);
        Assert.False(content.OnlyDry);
    }

    [Fact]
    public async Task A_page_of_dry_runs_says_first_that_it_contains_no_measurements()
    {
        var content = Pages.Dry();
        Assert.True(content.OnlyDry);
        var page = await ReportPage.RenderAsync(content);
        Assert.InRange(page.IndexOf("This page contains no measurements", StringComparison.Ordinal), 0,
            page.IndexOf("<section", StringComparison.Ordinal));
        Assert.DoesNotContain("contains no measurements", await ReportPage.RenderAsync(Pages.Pair()), StringComparison.Ordinal);
    }

    // 37,723 ns for a message with 12 sub-items are 3,143.58 ns for each; of an own message nothing is known.
    [Theory]
    [InlineData("DeserializeOrderGoogle_BA", "", null)]
    [InlineData("DeserializeRequestGoogle_BA", "", null)]
    [InlineData("DeserializeRequestGoogle_BA",
        """ "Cell": { "verb": "Deserialize", "message": "Request", "library": "Google", "buffer": "BA", "items": 12 },""", 3_143.58)]
    [InlineData("DeserializeRequestGoogle_BA",
        """ "Cell": { "verb": "Deserialize", "message": "Request", "library": "Google", "items": 0 },""", null)]
    public void The_time_per_item_divides_by_the_items_that_the_file_names(string method, string cell, double? perItem)
    {
        var path = Put("own.json", $$"""
            { "Benchmarks": [ { "Type": "OrderBenchmarks", "Method": "{{method}}", "FullName": "OrderBenchmarks.{{method}}",{{cell}}
              "Statistics": { "OriginalValues": [37723] } } ] }
            """);
        var actual = Assert.Single(Read(path).Cells).PerItem;
        Assert.Equal(perItem, actual is { } figure ? Math.Round(figure, 2) : null);
    }

    // MB/s times time is size: 100 bytes in 200 ns are 500 MB/s.
    [Fact]
    public async Task Data_sets_are_a_grid_whose_best_cells_are_marked()
    {
        static string Cell(string set, string library, double nanoseconds, double rate) => $$"""
            { "Type": "{{set}}SetBenchmarks", "Method": "DeserializeSet{{library}}", "FullName": "{{set}}.DeserializeSet{{library}}",
              "Parameters": "DataSet={{set}}", "Cell": { "verb": "Deserialize", "message": "{{set}}", "library": "{{library}}" },
              "Statistics": { "OriginalValues": [{{nanoseconds}}] }, "Metrics": [ { "Value": {{rate}},
              "Descriptor": { "Id": "MB/s", "DisplayName": "MB/s", "Unit": "MB/s", "TheGreaterTheBetter": true } } ] }
            """;
        var path = Put("sets.json", $$"""
            { "Benchmarks": [ {{Cell("Log", "One", 200, 500)}}, {{Cell("Log", "Floor", 50, 2_000)}}, {{Cell("Log", "Two", 100, 2_000)}}, {{Cell("Mesh", "One", 800, 1_000)}} ] }
            """);
        var content = Read(path);
        var grid = Assert.Single(SetGrid.Of(content.Cells));
        Assert.Equal(("Deserialize", "Log Mesh", "One Two"), (grid.Verb, string.Join(' ', grid.Sets), string.Join(' ', grid.Libraries)));
        Assert.Equal(
            ["time 200 0.5", "time 100 1", "time 50 2", "size 100 1", "size 200 0.5", "size  0", "allocated  0", "allocated  0", "allocated  0",
                "core 5000000 0.5", "core 10000000 1", "core  0", "network 1250000 1", "network 625000 0.5", "network  0"],
            SetMeasure.All.SelectMany(measure => grid.Row("Log", measure).Select(cell => $"{measure.Id} {cell.Value} {cell.Share}")));
        Assert.Equal([800.0, null, null], grid.Row("Mesh", SetMeasure.All[0]).Select(cell => cell.Value));

        var page = await ReportPage.RenderAsync(content);
        Assert.Contains("<section id=\"sets\">", page, StringComparison.Ordinal);
        Assert.Contains("One (DataSet=Log): 200 ns, 500 MB/s; 2 times the best", page, StringComparison.Ordinal);
        Assert.Contains("Floor (DataSet=Log): 50 ns, 2,000 MB/s; 0.5 times the best", page, StringComparison.Ordinal);
        Assert.Contains("Floor is no library", page, StringComparison.Ordinal);
        Assert.Equal(8, Regex.Count(page, "class=\"best\"")); // one for each set in each measure but bytes, which nobody has
        Assert.DoesNotContain("<section id=\"sets\">", await ReportPage.RenderAsync(Pages.Pair()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Versions_are_lines_that_end_at_the_newest()
    {
        var content = Pages.Versions();
        var chart = Assert.Single(VersionLines.Of(content.Sides.SelectMany(side => side.Files)));
        Assert.Equal("Lib: orders", chart.Title);
        var page = await ReportPage.RenderAsync(content);
        Assert.Equal(
            ["DeserializeRequestLib 1.0 2.5 2 3.125", "DeserializeRequestLib 2.0 0.8 0.64 1", "DeserializeRequestLib 3.0 1  ",
                "SerializeRequestLib 2.0 1 0.8 1.25", "SerializeRequestLib 3.0 1  "],
            Tables.Read(page, "Lib: orders").Select(row => $"{row["Cell"].Text} {row["Version"].Text} {Rounded(row["Times the newest"])} {Rounded(row["Low"])} {Rounded(row["High"])}"));
        Assert.Equal(3, Regex.Count(page, "<line class=\"interval"));
        Assert.Contains("{1.0=3.0}", page, StringComparison.Ordinal); // the pairs are there too
        Assert.DoesNotContain("<section id=\"versions\">", await ReportPage.RenderAsync(Pages.Duet()), StringComparison.Ordinal);

        static double? Rounded((string Text, double? Figure) cell) => cell.Figure is { } figure ? Math.Round(figure, 6) : null;
    }

    [Theory]
    [InlineData("Lib: orders", "DeserializeRequestLib, 1.0: 2.500 times 3.0 [2, 3.125]")]
    [InlineData("DeserializeTouch", "Log, Google: ")]
    public async Task A_picture_is_one_SVG_file_in_both_colours(string name, string title)
    {
        var content = name == "Lib: orders" ? Pages.Versions() : Pages.Kinds().Single(kind => kind.Name == "sets").Content;
        var svg = XElement.Parse(await ReportPage.PictureAsync(content, name));
        Assert.Equal(XName.Get("svg", "http://www.w3.org/2000/svg"), svg.Name);
        Assert.Contains(svg.Descendants(svg.Name.Namespace + "title"), text => text.Value.StartsWith(title, StringComparison.Ordinal));
        Assert.Contains("prefers-color-scheme: dark", svg.Element(svg.Name.Namespace + "style")!.Value, StringComparison.Ordinal);
        // no name that HTML has and XML has not, and everything that is referred to is there
        var ids = svg.Descendants().Attributes("id").Select(id => "#" + id.Value).ToHashSet();
        Assert.All(svg.Descendants().Attributes("href"), href => Assert.Contains(href.Value, ids));
        Assert.All(svg.Descendants(), element => Assert.Equal(svg.Name.Namespace, element.Name.Namespace));
    }

    [Fact]
    public async Task A_picture_that_is_not_there_is_refused_with_those_that_are() =>
        Assert.EndsWith("there are: Lib: orders",
            (await Assert.ThrowsAsync<UsageException>(() => ReportPage.PictureAsync(Pages.Versions(), "Lib: others"))).Message,
            StringComparison.Ordinal);

    // Nine iterations of 10 ms where 100 ms were asked for, and the same of 100 ms.
    [Fact]
    public async Task A_cell_that_compare_does_not_judge_is_marked_where_it_is_drawn()
    {
        static string File(int operations) => $$"""
            { "Benchmarks": [ { "DisplayInfo": "A.B: Own(IterationTime=100ms)", "Type": "A", "Method": "B", "FullName": "A.B",
              "Statistics": { "OriginalValues": [1] }, "Measurements": [
              {{string.Join(',', Enumerable.Range(1, 9).SelectMany(i => new[] { "Actual", "Result" }.Select(stage => $$"""
                { "IterationMode": "Workload", "IterationStage": "{{stage}}", "LaunchIndex": 1, "IterationIndex": {{i}},
                  "Operations": {{operations}}, "Nanoseconds": {{(10_000_000 + i + operations) * operations}} }
                """)))}} ] } ] }
            """;
        const string mark = "no verdict: too short or still warming up";
        var (cold, warm) = (Put("cold.json", File(1)), Put("warm.json", File(10)));
        var content = Read(cold);
        Assert.True(Assert.Single(content.Cells).Sentence.Contains(mark, StringComparison.Ordinal), content.Cells[0].Sentence);
        var page = await ReportPage.RenderAsync(content);
        Assert.Contains($"<span class=\"label\">B, {mark}</span>", page, StringComparison.Ordinal);
        Assert.Contains("1 launch of a cell is shown, and no verdict is based on it, iterations far shorter", page, StringComparison.Ordinal);
        Assert.DoesNotContain(mark, await ReportPage.RenderAsync(Read(warm)), StringComparison.Ordinal);
        // a launch that can be believed is enough: the other one is really left out
        var both = Assert.Single(Read(cold, warm).Cells);
        Assert.Equal(9, both.Iterations.Count);
        Assert.DoesNotContain(mark, both.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void An_invalid_run_is_named() =>
        Assert.Contains(Read(Pages.Data("open.json")).Warnings, warning => warning.Contains("INVALID", StringComparison.Ordinal));

    // the same figures would be counted once
    static string Hive(string old, string now) =>
        File.ReadAllText(Pages.Data("hive.json"))
            .Replace(old.Length == 0 ? "770802" : old, old.Length == 0 ? "770803" : now, StringComparison.Ordinal)
                .Replace("770802", "770803", StringComparison.Ordinal);

    static ReportContent Read(params string[] arguments) => ReportContent.Read(arguments, new ComparisonOptions());

    string Put(string name, string text)
    {
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }
}

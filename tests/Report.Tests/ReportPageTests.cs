using System.Net;
using System.Text.Json;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

public class ReportPageTests
{
    [Fact]
    public async Task The_table_of_all_cells_has_the_figures_of_the_file()
    {
        var page = await ReportPage.RenderAsync(Pages.Everything());
        var rows = Tables.Read(page, "78 cells").ToDictionary(row => row["Cell"].Text);
        using var file = JsonDocument.Parse(await File.ReadAllTextAsync(Pages.Data("hive.json"), TestContext.Current.CancellationToken));
        var checkedCells = 0;
        foreach (var benchmark in file.RootElement.GetProperty("Benchmarks").EnumerateArray())
        {
            var row = rows[benchmark.GetProperty("Method").GetString()!];
            double[] values =
                [.. benchmark.GetProperty("Statistics").GetProperty("OriginalValues").EnumerateArray().Select(value => value.GetDouble())
                    .Order()];
            Assert.Equal(15, values.Length);
            Assert.Equal(values[7], row["Median"].Figure);
            Assert.Equal((values[3], values[11]), (row["Low"].Figure, row["High"].Figure)); // ranks 4 and 12 of 15: 96.5 %
            Assert.Equal(benchmark.GetProperty("Memory").GetProperty("BytesAllocatedPerOperation").GetDouble(), row["Allocated B"].Figure);
            Assert.Equal("15 iterations", row["Interval from"].Text);
            checkedCells++;
        }

        Assert.Equal(62, checkedCells);
    }

    [Fact]
    public async Task The_table_behind_a_chart_has_the_figures_of_the_table_of_all_cells()
    {
        var page = await ReportPage.RenderAsync(Pages.Everything());
        var all = Tables.Read(page, "78 cells").ToDictionary(row => row["Cell"].Text, row => row["Median"].Figure);
        var rows = Tables.Read(page, "Deserialize Request");
        Assert.Equal(all.Keys.Count(name => name.StartsWith("DeserializeRequest", StringComparison.Ordinal)), rows.Count);
        Assert.All(rows, row => Assert.Equal(all["DeserializeRequest" + row["Cell"].Text], row["Median"].Figure));
        var floor = rows.Where(row => row["Cell"].Text.StartsWith("Floor", StringComparison.Ordinal)).Min(row => row["Median"].Figure);
        Assert.All(rows, row => Assert.Equal(row["Median"].Figure / floor, row["Times the floor"].Figure));
    }

    [Fact]
    public async Task Load_figures_are_those_of_the_file()
    {
        var content = Pages.Everything();
        var page = await ReportPage.RenderAsync(content);
        using var file = JsonDocument.Parse(await File.ReadAllTextAsync(Pages.Data("open.json"), TestContext.Current.CancellationToken));
        var rounds = Tables.Read(page, "Rounds: p99")
            .ToLookup(row => (row["Variant"].Text, row["Round"].Figure!.Value, row["Calls/s"].Figure!.Value));
        var medians = Tables.Read(page, "Medians over the rounds").ToLookup(row => row["Figure"].Text);
        foreach (var variant in file.RootElement.GetProperty("variants").EnumerateArray())
        {
            var name = variant.GetProperty("name").GetString()!;
            foreach (var round in variant.GetProperty("rounds").EnumerateArray())
            {
                var row = rounds[(name, round.GetProperty("position").GetDouble() + 1,
                    round.GetProperty("succeededPerSecond").GetDouble())].Single();
                // a bucket of the histogram is 0.1 % wide
                Assert.Equal(round.GetProperty("response").GetProperty("percentilesUs").GetProperty("50").GetDouble(),
                    row["p50"].Figure!.Value, row["p50"].Figure!.Value * 0.001);
                Assert.Equal(round.GetProperty("attempted").GetDouble(), row["Attempted"].Figure);
            }

            // the median of two
            var bytes = variant.GetProperty("rounds").EnumerateArray()
                .Select(round => round.GetProperty("client").GetProperty("allocatedBytesPerCall").GetDouble()).Average();
            Assert.Contains(medians["client B/call"], row => Math.Abs(row[name].Figure!.Value - bytes) <= bytes * 1e-12);
            Assert.Contains(medians["verdict"],
                row => row[name].Text == (variant.GetProperty("verdict").GetProperty("valid").GetBoolean() ? "VALID" : "INVALID"));
            Assert.Contains(Tables.Read(page, "Allocated bytes per call"),
                row => row["Variant"].Text == name && Math.Abs(row["client"].Figure!.Value - bytes) <= bytes * 1e-12);
            var rate = variant.GetProperty("rounds").EnumerateArray().Select(round => round.GetProperty("succeededPerSecond").GetDouble())
                .Average();
            Assert.Contains(Tables.Read(page, "Calls per second"),
                row => row["Variant"].Text == name && Math.Abs(row["Median"].Figure!.Value - rate) <= rate * 1e-12);
        }
    }

    [Fact]
    public async Task The_parts_of_a_call_are_those_of_the_file()
    {
        var rows = Tables.Read(await ReportPage.RenderAsync(Pages.Everything()), "Where the time of a call goes")
            .ToDictionary(row => row["Variant"].Text);
        foreach (var variant in LoadResultFile.Read(Pages.Data("attribute.json")).Variants)
            Assert.All(variant.AttributionUsPerCall!, part => Assert.Equal(part.Value, rows[variant.Name][part.Key].Figure));
    }

    [Fact]
    public async Task A_sweep_shows_every_step_and_its_knee()
    {
        var page = await ReportPage.RenderAsync(Pages.Everything());
        Assert.Equal([20.0, 30, 40, 50, 60, 70, 80, 90],
            Tables.Read(page, "Sweep of inbox-slab").Select(row => row["Load %"].Figure!.Value));
        Assert.Contains("knee ", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_break_even_map_has_every_way_and_its_ratio_to_the_first()
    {
        var rows = Tables.Read(await ReportPage.RenderAsync(Pages.Everything()), "BreakEven Deserialize: every way");
        Assert.Equal(16, rows.Count);
        Assert.Equal(8, rows.Count(row => row["Way"].Text == "Slab_H"));
        Assert.All(rows, row => Assert.Equal(row["Way"].Text == "Google" ? 1 : row["Items"].Figure == 1 ? 4 : 0.25, row["Ratio"].Figure));
    }

    [Fact]
    public async Task Verdicts_are_those_of_compare()
    {
        var content = Pages.Pair();
        var page = await ReportPage.RenderAsync(content);
        Assert.Contains(content.Comparison!.Changes(), change => change.Verdict is Verdict.Better or Verdict.Worse);
        foreach (var block in content.Comparison.Blocks)
        {
            var rows = Tables.Read(page, $"{block.Unit.Name}: new by old").ToDictionary(row => row["Row"].Text);
            foreach (var row in block.Rows.Where(row => row.Changes[1] is not null))
            {
                var verdict = row.Changes[1]!.Verdict switch { Verdict.Better => "better", Verdict.Worse => "worse", _ => "~" };
                Assert.Equal((verdict, row.Samples[0]!.Median.Value, row.Samples[1]!.Median.Value),
                    (rows[row.Name]["Verdict"].Text, rows[row.Name]["old"].Figure!.Value, rows[row.Name]["new"].Figure!.Value));
            }
        }
    }

    [Fact]
    public async Task Whatever_a_file_says_stays_text()
    {
        const string name = """Evil<script>alert(1)</script>"' onload=x& </style><img src=//elsewhere>""";
        var page = await ReportPage.RenderAsync(Pages.Hostile(name));
        Assert.DoesNotContain("<script>alert", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<img", page, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("Evil&lt;script&gt;alert(1)", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rounds_that_rise_or_fall_are_marked()
    {
        const string trend = "the median still falls from round to round: 2237, 1326 μs";
        var result = LoadResultFile.Read(Pages.Data("open.json"));
        Assert.DoesNotContain("Rounds rise or fall", await PageAsync(result), StringComparison.Ordinal);
        var first = result.Variants[0];
        var page = await PageAsync(result with
        {
            Variants = [first with { Verdict = first.Verdict with { Notes = ["another note", trend] } }, .. result.Variants.Skip(1)],
        });
        Assert.Contains($"<summary>Rounds rise or fall: {first.Name}</summary>", page, StringComparison.Ordinal);
        Assert.Contains($"<li>{first.Name}: {trend}</li>", page, StringComparison.Ordinal);

        static async Task<string> PageAsync(LoadResult result) => WebUtility.HtmlDecode(await ReportPage.RenderAsync(ReportContent.Of(
            [new Side("results", [ResultFile.Parse(LoadResultFile.ToJson(result), "open.json")])], new ComparisonOptions(), [])));
    }

    [Fact]
    public async Task Environment_and_commands_are_on_the_page()
    {
        var page = await ReportPage.RenderAsync(Pages.Everything());
        Assert.Contains(Tables.Read(page, "Environment"),
            row => row["What"].Text == "processor" && row["Value"].Text.Contains("AMD EPYC", StringComparison.Ordinal));
        Assert.Contains("src/GrpcHost -- run --codec google,slab --interleave --rate 400", page, StringComparison.Ordinal);
        Assert.Contains("--filter &#x27;*DeserializeTouchBenchmarks*&#x27;", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_busy_machine_is_named_apart_from_other_remarks()
    {
        const string busy = "r.json: The machine was busy: other programs used 1.8 of 2 cores.";
        var page = await ReportPage.RenderAsync(Pages.Everything() with { Warnings = ["some", busy, "more"] });
        Assert.Contains($"<p>{busy}</p>", page, StringComparison.Ordinal);
        Assert.Contains("<summary>2 remarks on these results</summary>", page, StringComparison.Ordinal);
        Assert.Equal(2, page.Split(busy).Length);
        Assert.Contains("<p>duet.json: The machine was busy: other programs used 1.9 of 2 cores.</p>", await ReportPage.RenderAsync(ReportContent.Of(
            [new Side("results", [ResultFile.Parse(DuetResultFile.ToJson(Testing.MadeDuet.Of([1, 1.1]) with { OtherCores = 1.9 }), "duet.json")])],
            new ComparisonOptions(), [])), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Endings_of_names_are_explained_where_they_stand()
    {
        var page = WebUtility.HtmlDecode(await ReportPage.RenderAsync(Pages.Everything()));
        Assert.Contains("<li><code>_ROM</code> a ReadOnlyMemory<byte></li>", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<code>_Alias</code>", page, StringComparison.Ordinal);
        var duet = WebUtility.HtmlDecode(await ReportPage.RenderAsync(Pages.Duet()));
        Assert.Contains("<code>_BW</code>", duet, StringComparison.Ordinal);
        Assert.Contains("<code>_A</code>", duet, StringComparison.Ordinal);
        Assert.DoesNotContain("<code>_MS</code>", duet, StringComparison.Ordinal);
        Assert.DoesNotContain("What the endings of names mean", await ReportPage.RenderAsync(Pages.Versions()), StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_command_of_a_created_project_is_one_of_its_folder()
    {
        var json = Pages.Benchmarks([("DeserializeOrderSlab", "OrderBenchmarks", "", 100, 0)])
            .Replace("\"FullName\":\"", "\"FullName\":\"Benchmarks.", StringComparison.Ordinal);
        var page = WebUtility.HtmlDecode(await ReportPage.RenderAsync(
            ReportContent.Of([new Side("results", [ResultFile.Parse(json, "own.json")])], new ComparisonOptions(), [])));
        Assert.Contains("<code>dotnet run -c Release -- --filter '*OrderBenchmarks*'</code>", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Ten_thousand_cells_stay_under_five_megabytes()
    {
        var page = await ReportPage.RenderAsync(Pages.Many(10_000));
        Assert.Equal(10_000, Tables.Read(page, "10000 cells").Count);
        Assert.InRange(page.Length, 1_000_000, 5_000_000);
    }

    [Fact]
    public async Task A_cell_that_failed_is_named_first()
    {
        var file = ResultFile.Parse(
            """{ "Benchmarks": [ { "Type": "T", "Method": "Fails", "FullName": "T.Fails", "Statistics": null }, { "Type": "T", "Method": "Works", "FullName": "T.Works", "Statistics": { "OriginalValues": [1] } } ] }""", "some.json");
        Assert.Contains("failed: T.Fails",
            await ReportPage.RenderAsync(ReportContent.Of([new Side("results", [file])], new ComparisonOptions(), [])),
                StringComparison.Ordinal);
    }

    [Fact]
    public async Task Duets_are_a_forest_of_their_own()
    {
        var content = Pages.Duet();
        var page = await ReportPage.RenderAsync(content);
        var pairs = content.Duets!.Blocks.Single(block => block.Unit.Name == "ns/op");
        var rows = Tables.Read(page, "ns/op: ").ToDictionary(row => row["Row"].Text);
        Assert.Equal(4, rows.Count);
        foreach (var pair in pairs.Rows)
            Assert.Equal(pair.Changes[1]!.Ratio!.Value.Value, rows[pair.Name]["Change"].Figure);
        Assert.Equal([("better", 1), ("worse", 1)],
            rows.Values.CountBy(row => row["Verdict"].Text).Where(count => count.Key != "~").Select(count => (count.Key, count.Value))
                .Order());
        Assert.Contains("t over processes", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Duets_stand_beside_other_results() =>
        Assert.Equal(62,
            ReportContent.Of([new Side("results", [ResultFile.Read(Pages.Data("hive.json")), .. Pages.Duet().Sides[0].Files])],
                new ComparisonOptions(), []).Cells.Count);

    [Fact]
    public async Task A_sweep_of_which_every_step_is_invalid_has_no_knee()
    {
        var text = (await File.ReadAllTextAsync(Pages.Data("sweep.json"), TestContext.Current.CancellationToken)).Replace("\"valid\": true",
            "\"valid\": false", StringComparison.Ordinal);
        var page = await ReportPage.RenderAsync(
            ReportContent.Of([new Side("results", [ResultFile.Parse(text, "sweep.json")])], new ComparisonOptions(), []));
        Assert.Contains("no knee: every step is INVALID", page, StringComparison.Ordinal);
        Assert.DoesNotContain(">knee<", page, StringComparison.Ordinal);
    }
}

/// <summary>Throughput and p99 over the callers, a picture for each number of the server's cores.</summary>
public class CallersChartTests
{
    [Fact]
    public async Task Throughput_and_p99_are_drawn_over_the_number_of_callers()
    {
        var one = LoadResultFile.Read(Pages.Data("open.json"));
        var process = one.Environment.Client;
        var round = one.Variants[0].Rounds[0];
        LoadVariant[] variants =
        [
            .. from cores in new[] { 1, 2 }
               from codec in new[] { "google", "slab" }
               from callers in new[] { 1, 16 }
               select one.Variants[0] with
               {
                   Name = $"builtin-{codec}, server, {cores} cores, {callers} callers",
                   Codec = codec,
                   GcMode = "server",
                   Callers = callers,
                   Server = process with { Cores = cores },
                   Rounds = [round with { DurationSeconds = round.Succeeded / Rate(cores, codec, callers) }],
               },
        ];
        var file = ResultFile.Parse(LoadResultFile.ToJson(one with { Variants = variants }), "gc.json");
        var page = await ReportPage.RenderAsync(ReportContent.Of([new Side("results", [file])], new ComparisonOptions(), []));
        foreach (var (title, cores) in new[] { ("Calls per second by callers, server on 1 core", 1), ("p99 by callers, server on 1 core", 1),
            ("Calls per second by callers, server on 2 cores", 2), ("p99 by callers, server on 2 cores", 2) })
        {
            var rows = Tables.Read(page, title);
            Assert.Equal(
                [("google", 1.0, Rate(cores, "google", 1)), ("slab", 1, Rate(cores, "slab", 1)), ("google", 16, Rate(cores, "google", 16)),
                    ("slab", 16, Rate(cores, "slab", 16))],
                rows.Select(row => (row["Codec"].Text, row["Callers"].Figure!.Value, Math.Round(row["Calls/s"].Figure!.Value))));
        }

        Assert.DoesNotContain("Medians over the rounds", page, StringComparison.Ordinal);

        static double Rate(int cores, string codec, int callers) => (100 * cores) + callers + (codec == "slab" ? 50 : 0);
    }
}

using System.Text.RegularExpressions;
using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Sections;

public class LoadSectionTests
{
    static readonly LoadResult one = LoadResultFile.Read(Pages.Data("open.json"));

    [Fact]
    public async Task Bars_and_lines_have_the_colour_of_their_codec()
    {
        var page = await PageAsync(Closed(8, Variant("http2", "google"), Variant("http2", "slab"), Variant("socket", "slab"), Variant("socket", "raw")));
        Assert.Equal(["http2-google c1", "http2-slab c2", "socket-slab c2", "socket-raw c0"],
            Rows(Chart(page, "Calls per second")).Select(row => $"{row.Title} {row.Colour}"));
        foreach (var (stack, colours) in new[] { ("http2", new[] { "c1", "c2" }), ("socket", ["c2", "c0"]) })
        {
            foreach (var title in new[] { "Latency percentiles", "Rounds: calls per second", "Rounds: p99" })
                Assert.Equal(colours, Lines(Chart(page, $"{title}, {stack}")).Select(line => line.Colour).Distinct());
        }
    }

    [Fact]
    public async Task Each_of_several_stacks_has_its_own_charts_with_short_names()
    {
        var page = await PageAsync(Closed(8, Variant("http2", "google"), Variant("socket", "google")));
        Assert.Contains("<p class=\"group\">http2</p>", page, StringComparison.Ordinal);
        Assert.Equal(["google", "google"], Rows(Chart(page, "Calls per second")).Select(row => row.Label));
        Assert.DoesNotContain("Latency percentiles, ", await PageAsync(Closed(8, Variant("http2", "google"), Variant("http2", "slab"))),
            StringComparison.Ordinal);
    }

    // Of nine variants the second rounds ran at places 9 to 17 of the run; each is the second of its line.
    [Fact]
    public async Task Rounds_of_one_number_stand_above_each_other()
    {
        var variants = new[] { "google", "slab", "raw" }.Select((codec, i) => Variant("http2", codec) with
        {
            Rounds = [.. Enumerable.Range(0, 4).Select(round => one.Variants[0].Rounds[0] with { Position = (round * 9) + i })],
        }).ToArray();
        var chart = Chart(await PageAsync(Closed(8, variants)), "Rounds: calls per second");
        Assert.Equal(4, Regex.Matches(chart, "<use href=\"#m\\d\" x=\"(?<x>[0-9.]+)%\" y").Select(mark => mark.Groups["x"].Value).Distinct().Count());
    }

    [Fact]
    public async Task Client_and_server_have_colours_of_their_own()
    {
        var page = await ReportPage.RenderAsync(Pages.Everything());
        Assert.Equal(["part client", "part server"],
            Regex.Matches(Chart(page, "Allocated bytes per call"), "<i class=\"(part [a-z]+)\"").Select(part => part.Groups[1].Value).Distinct());
        Assert.Equal(["part client", "part server", "part neither"],
            Regex.Matches(Chart(page, "Where the time of a call goes"), "<i class=\"(part [a-z]+)\"").Select(part => part.Groups[1].Value).Distinct());
    }

    [Fact]
    public async Task Modes_of_the_collector_are_dashes_of_the_colour_of_the_codec()
    {
        var page = await PageAsync(Closed(8,
        [
            .. from codec in new[] { "google", "slab" }
               from mode in new[] { "workstation", "server" }
               from callers in new[] { 1, 16 }
               select Variant("http2", codec) with { Name = $"{codec} {mode} {callers}", GcMode = mode, Callers = callers },
        ]));
        Assert.Equal(["c1 d0", "c1 d1", "c2 d0", "c2 d1"], Lines(Chart(page, "Calls per second by callers")).Select(line => $"{line.Colour} {line.Dash}"));
    }

    // Runs of "run -c 1" and "run -c 8", a file each.
    [Fact]
    public async Task Runs_that_differ_in_their_callers_are_a_chart_over_them()
    {
        LoadVariant[] variants = [Variant("http2", "google"), Variant("http2", "slab")];
        var other = variants.Select(variant => variant with { Transport = variant.Transport with { RequestBytes = 77_000 } }).ToArray();
        var page = await PageAsync(Closed(8, variants), Closed(1, variants), Closed(1, other));
        var rows = Tables.Read(page, "Calls per second by callers");
        Assert.Equal(["google 1", "slab 1", "google 8", "slab 8"], rows.Select(row => $"{row["Codec"].Text} {row["Callers"].Text}"));
        Assert.Equal(2, Regex.Count(page, "<h3>[^<]* by callers, requests of"));
        Assert.Contains("<a href=\"#callers\">Under load</a>", page, StringComparison.Ordinal);
        Assert.DoesNotContain("by callers", await PageAsync(Closed(8, variants), Closed(1, other)), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Several_load_results_are_one_entry_of_the_navigation()
    {
        LoadVariant[] variants = [Variant("http2", "google"), Variant("http2", "slab")];
        var navigation = Regex.Match(await PageAsync(Closed(8, variants), Closed(8, variants)), "<nav.*?</nav>", RegexOptions.Singleline).Value;
        Assert.Equal(2, Regex.Count(navigation, "<a "));
        Assert.Contains("<a href=\"#load-1\">Under load</a>", navigation, StringComparison.Ordinal);
    }

    // Latencies are read by factors, rates by lengths: neither depends on what a file happens to hold.
    [Fact]
    public async Task Latencies_are_logarithmic_and_rates_begin_at_zero()
    {
        var page = await PageAsync(Closed(8, Variant("http2", "google"), Variant("http2", "slab")));
        foreach (var (title, logarithmic) in new[] { ("Latency percentiles", true), ("Rounds: p99", true), ("Rounds: calls per second", false) })
            Assert.Equal(logarithmic, Chart(page, title).Contains("logarithmic scale upwards", StringComparison.Ordinal));
    }

    static LoadVariant Variant(string stack, string codec) =>
        one.Variants[0] with { Name = $"{stack}-{codec}", Stack = stack, Codec = codec, Callers = null, GcMode = null };

    static LoadResult Closed(int callers, params LoadVariant[] variants) => one with
    {
        Settings = one.Settings with { Loop = "closed", Concurrency = callers, RatePerSecond = null, Arrivals = null },
        Variants = variants,
    };

    static Task<string> PageAsync(params LoadResult[] results) => ReportPage.RenderAsync(ReportContent.Of(
        [new Side("results", [.. results.Select((result, i) => ResultFile.Parse(LoadResultFile.ToJson(result), $"Load-{i}.json"))])],
        new ComparisonOptions(), []));

    static string Chart(string page, string title) =>
        Regex.Match(page, $"<figure(?:(?!</figure>).)*?<h3>{Regex.Escape(title)}.*?</figure>", RegexOptions.Singleline).Value is { Length: > 0 } chart
            ? chart : throw new ArgumentException($"no chart {title}");

    static IEnumerable<(string Title, string Colour, string Label)> Rows(string chart) =>
        Regex.Matches(chart, "<div class=\"row m (c\\d)\" title=\"([^:\"]*):.*?<span class=\"label\">(.*?)( \\(INVALID\\))?</span>", RegexOptions.Singleline)
            .Select(row => (row.Groups[2].Value, row.Groups[1].Value, row.Groups[3].Value));

    static IEnumerable<(string Colour, string Dash)> Lines(string chart) =>
        Regex.Matches(chart, "<polyline class=\"line ([co]\\d) (d\\d)\"").Select(line => (line.Groups[1].Value, line.Groups[2].Value));
}

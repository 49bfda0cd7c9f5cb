using System.Net;
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

    // 3.5 s: the third second is without a call, and the last one is not full. Then a round whose last call ended after it.
    [Fact]
    public async Task Seconds_are_drawn_one_behind_the_other()
    {
        SecondRecord[] first = [Second(0, 2_000, 300), Second(1, 100, 400, failed: 7), Second(3, 1, 500)];
        var variant = Variant("http2", "slab") with
        {
            Rounds =
            [
                one.Variants[0].Rounds[0] with { DurationSeconds = 3.5, Seconds = first },
                one.Variants[0].Rounds[0] with { DurationSeconds = 1, Seconds = [Second(0, 3_000, 100), Second(1, 1, 90_000)] },
            ],
        };
        var page = await PageAsync(Closed(8, variant));
        Assert.Equal(["round 1, second 0: 2,000", "round 1, second 1: 100", "round 1, second 2: 0", "round 2, second 0: 3,000"],
            Titles(Chart(page, "Seconds: calls per second")));
        Assert.Equal(
            [
                "round 1, second 0 p50: 300 μs", "round 1, second 1 p50: 400 μs", "round 2, second 0 p50: 100 μs",
                "round 1, second 0 p99: 300 μs", "round 1, second 1 p99: 400 μs, too few", "round 2, second 0 p99: 100 μs",
            ],
            Titles(Chart(page, "Seconds: p50 and p99")));
        Assert.Equal(["0 2000 0", "1 100 7", "2 0 0", "3 1 0", "0 3000 0", "1 1 0"],
            Tables.Read(page, "Seconds: calls per second").Select(row => $"{row["Second"].Figure} {row["Calls"].Figure} {row["Failed"].Figure}"));
        // results of before and rounds below a second have no such chart
        Assert.DoesNotContain("<h3>Seconds: ", await PageAsync(Closed(8, Variant("http2", "slab"))), StringComparison.Ordinal);
    }

    // a stream for the round: its messages are there before its only call has ended
    [Fact]
    public async Task Streams_have_charts_of_their_messages()
    {
        var variant = Variant("http2", "slab") with
        {
            Rounds =
            [
                one.Variants[0].Rounds[0] with
                {
                    DurationSeconds = 2,
                    Messages = Messages(5_000, 4_000, 30, 70),
                    Seconds =
                    [
                        Second(0, 0, 1) with { Messages = Messages(3_000, 2_500, 20, 50) },
                        Second(1, 0, 1) with { Messages = Messages(2_000, 1_500, 40, 90) },
                    ],
                },
            ],
        };
        var page = await PageAsync(Closed(8, variant));
        Assert.Equal([", between messages p50: 30 μs", ", message to answer p50: 70 μs"],
            Regex.Matches(Chart(page, "Message times"), "<title>http2-slab[^,<]*(,[^<]* p50: .*?)</title>").Select(title => WebUtility.HtmlDecode(title.Groups[1].Value)));
        Assert.Equal(
            [
                "round 1, second 0, sent: 3,000", "round 1, second 1, sent: 2,000", "round 1, second 0, received: 2,500",
                "round 1, second 1, received: 1,500",
            ],
            Titles(Chart(page, "Seconds: messages per second")));
        Assert.Equal(["between p50: 20 μs", "between p50: 40 μs", "to answer p50: 50 μs", "to answer p50: 90 μs"],
            Titles(Chart(page, "Seconds: message times")).Where(title => title.Contains("p50", StringComparison.Ordinal))
                .Select(title => title[(title.IndexOf("second ", StringComparison.Ordinal) + "second 0 ".Length)..]));
        Assert.Equal(["0 3000 2500", "1 2000 1500"],
            Tables.Read(page, "Seconds: messages per second").Select(row => $"{row["Second"].Figure} {row["Sent"].Figure} {row["Received"].Figure}"));
        // no call has ended in them
        Assert.DoesNotContain("<h3>Seconds: calls", page, StringComparison.Ordinal);
        Assert.DoesNotContain("essage times", await PageAsync(Closed(8, Variant("http2", "slab"))), StringComparison.Ordinal);

        static StreamRecord Messages(int sent, int received, long between, long toAnswer) =>
            new(sent, received, Latency(received, between), Latency(received, toAnswer));
    }

    // an hour would be 3,600 points
    [Fact]
    public async Task A_point_of_a_long_round_is_several_seconds()
    {
        var variant = Variant("http2", "slab") with
        {
            Rounds =
            [
                one.Variants[0].Rounds[0] with
                {
                    DurationSeconds = 700,
                    Seconds = [.. Enumerable.Range(0, 700).Select(i => Second(i, 1_000 + (i % 3), 200))],
                },
            ],
        };
        var page = await PageAsync(Closed(8, variant));
        var chart = Chart(page, "Seconds: calls per second");
        Assert.Contains("a point is 3 seconds", chart, StringComparison.Ordinal);
        Assert.Equal(233, Regex.Match(chart, "points=\"([^\"]*)\"").Groups[1].Value.Split(' ').Length);
        Assert.Equal(Enumerable.Repeat(3_003.0, 233).Append(1_000), Tables.Read(page, "Seconds: calls per second").Select(row => row["Calls"].Figure!.Value));
    }

    static SecondRecord Second(int second, int calls, long microseconds, long failed = 0) =>
        new(second, failed, Latency(calls, microseconds));

    static LatencyRecord Latency(int times, long microseconds)
    {
        var histogram = new LatencyHistogram();
        if (times > 0)
            histogram.Record(microseconds, times);
        return LatencyRecord.Of(histogram, [50, 99]);
    }

    static IEnumerable<string> Titles(string chart) =>
        Regex.Matches(chart, "<title>http2-slab, (.*?)</title>").Select(match => WebUtility.HtmlDecode(match.Groups[1].Value));

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

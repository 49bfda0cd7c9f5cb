using System.Globalization;
using System.Text.Json;

namespace ProtoBench.Report.Tests;

/// <summary>The pages in a real browser: tests/node/report.mjs looks and clicks, and says what it found. The variable CHROMIUM names a
/// browser that is elsewhere than usual; with REPORT_PICTURES a folder gets pictures.</summary>
public sealed class BrowserTests(BrowserFindings findings) : IClassFixture<BrowserFindings>
{
    public static TheoryData<string> Kinds => [.. Pages.Kinds().Select(kind => kind.Name).Append("hostile")];

    [Theory]
    [MemberData(nameof(Kinds))]
    [InlineData("many")]
    public void The_page_works_and_asks_nothing_of_a_network(string page)
    {
        var found = findings[page];
        Assert.Empty(found.GetProperty("errors").EnumerateArray().Select(error => error.GetString()));
        // the page itself, as often as it was opened
        Assert.Equal(found.GetProperty("opened").GetInt32(), found.GetProperty("requests").GetArrayLength());
        Assert.All(found.GetProperty("requests").EnumerateArray(),
            request => Assert.EndsWith(page + ".html", request.GetString()!.Split('?')[0], StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("everything", 30)]
    [InlineData("pair", 6)]
    [InlineData("hostile", 2)]
    [InlineData("hive", 24)]
    [InlineData("load", 4)]
    [InlineData("sweep", 1)]
    [InlineData("many", 6)]
    public void Every_chart_has_marks_and_a_table_and_takes_the_focus(string page, int least)
    {
        var charts = findings[page].GetProperty("charts").EnumerateArray().ToArray();
        Assert.InRange(charts.Length, least, 200);
        Assert.All(charts, chart => Assert.True(
            chart.GetProperty("marks").GetInt32() > 0 && chart.GetProperty("rows").GetInt32() > 0
            && chart.GetProperty("focusable").GetBoolean(), chart.ToString()));
        Assert.NotEqual("", findings[page].GetProperty("readout").GetString());
        Assert.True(findings[page].GetProperty("tableOpens").GetBoolean());
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Nothing_is_cut_or_covered_and_everything_can_be_read(string page)
    {
        var looks = findings[page].GetProperty("looks").EnumerateObject().ToArray();
        Assert.InRange(looks.Length, 4, 8);
        foreach (var look in looks)
        {
            Assert.True(look.Value.GetProperty("faults").GetArrayLength() == 0, $"{look.Name}: {look.Value}");
            Assert.True(look.Value.GetProperty("compared").GetInt32() > 0, $"{look.Name} compared nothing");
        }
    }

    [Fact]
    public void A_service_is_calculated_for_the_load_that_the_reader_sets()
    {
        var service = findings["chooser"].GetProperty("service");
        string[] Row(string of) => [.. service.GetProperty(of)[1].EnumerateArray().Select(cell => cell.GetString()!)];
        // 225 B; half of the messages are read in 25 ns, and half are made in 50 ns
        Assert.Equal(["slab, text as UTF-8", "0.000", "26,666,667", "555,556"], Row("before"));
        // 6,655 B, read in 25 ns
        Assert.Equal(["slab, text as UTF-8", "0.001", "40,000,000", "1,878"], Row("after"));
        Assert.Equal([false, true], service.GetProperty("over").EnumerateArray().Select(shown => shown.GetBoolean()));
        Assert.Equal("-", Row("without")[1]);
        Assert.Equal("true", service.GetProperty("invalid").GetString());
    }

    [Theory]
    [InlineData("everything", 78)]
    [InlineData("hundreds", 408)]
    [InlineData("many", 10_000)]
    public void The_table_sorts_and_filters(string page, int cells)
    {
        var found = findings[page];
        double[] Sorted(string order) =>
            [.. found.GetProperty(order).EnumerateArray().Select(value => double.Parse(value.GetString()!))];
        Assert.Equal(cells, Sorted("ascending").Length);
        Assert.Equal(Sorted("ascending").Order(), Sorted("ascending"));
        Assert.Equal(Sorted("ascending").OrderDescending(), Sorted("descending"));
        Assert.Equal("descending", found.GetProperty("sort").GetString());
        Assert.NotEmpty(found.GetProperty("filters").EnumerateObject());
        foreach (var filter in found.GetProperty("filters").EnumerateObject())
        {
            var wanted = filter.Value.GetProperty("wanted").GetString();
            Assert.InRange(filter.Value.GetProperty("rows").GetArrayLength(), 1, cells - 1);
            Assert.All(filter.Value.GetProperty("rows").EnumerateArray(), row => Assert.Equal(wanted, row.GetString()));
            Assert.All(filter.Value.GetProperty("drawn").EnumerateArray(), mark => Assert.Equal(wanted, mark.GetString()));
            Assert.Contains($"{filter.Name}={wanted}", Uri.UnescapeDataString(filter.Value.GetProperty("address").GetString()!),
                StringComparison.Ordinal);
        }

        Assert.Equal(cells, found.GetProperty("afterReset").GetInt32());
    }

    [Fact]
    public void The_library_filter_finds_the_cells_of_every_class()
    {
        var content = Pages.Kinds().First(kind => kind.Name == "others").Content;
        var filter = findings["others"].GetProperty("filters").GetProperty("library");
        var wanted = filter.GetProperty("wanted").GetString();
        Assert.Equal(content.Cells.Count(cell => cell.Way == wanted), filter.GetProperty("rows").GetArrayLength());
        Assert.All(content.Cells, cell => Assert.NotEqual("", cell.Way));
    }

    [Fact]
    public void Tiles_show_the_fastest_of_the_cells_that_pass()
    {
        // Google, the second option after "all" in the order of names but for Floor
        var filter = findings["hive"].GetProperty("filters").GetProperty("library");
        var wanted = filter.GetProperty("wanted").GetString();
        foreach (var tile in filter.GetProperty("tiles").EnumerateArray())
        {
            var card = filter.GetProperty("fastest").EnumerateArray()
                .FirstOrDefault(card => card.GetProperty("title").GetString() == tile.GetProperty("name").GetString());
            if (card.ValueKind == JsonValueKind.Object)
                Assert.Equal(card.GetProperty("rows")[0].GetProperty("label").GetString(), tile.GetProperty("who").GetString());
            Assert.StartsWith(wanted!, tile.GetProperty("who").GetString(), StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Ratios_refer_to_the_chosen_baseline_and_the_other_measures_follow_the_figures()
    {
        var measures = findings["hive"].GetProperty("measures");
        var time = measures.GetProperty("time")[0].GetProperty("rows").EnumerateArray()
            .ToDictionary(row => row.GetProperty("label").GetString()!, row => row.GetProperty("ns").GetDouble());
        var slowest = time.MaxBy(row => row.Value).Key;
        var chosen = measures.GetProperty("chosen")[0];
        Assert.Contains(slowest, chosen.GetProperty("sub").GetString(), StringComparison.Ordinal);
        foreach (var row in chosen.GetProperty("rows").EnumerateArray())
        {
            var figures =
                row.GetProperty("value").GetString()!.Split('x', ' ', '[', ',', ']').Where(text => text.Length > 0)
                    .Select(text => double.Parse(text)).ToArray();
            var ratio = time[row.GetProperty("label").GetString()!] / time[slowest];
            Assert.Equal(ratio, figures[0], ratio * 0.006); // three digits
            Assert.True(figures is [_] || (figures[1] <= figures[0] && figures[0] <= figures[2]), row.ToString());
        }

        var content = Pages.Saved("Hive").Cells.ToDictionary(cell => (cell.Category, cell.Label));
        foreach (var row in measures.GetProperty("rateDrawn")[0].GetProperty("rows").EnumerateArray())
        {
            var cell = content[(measures.GetProperty("rateDrawn")[0].GetProperty("title").GetString()!,
                row.GetProperty("label").GetString()!)];
            Assert.Equal(cell.Rate!.Value,
                double.Parse(row.GetProperty("value").GetString()!.Replace(" MB/s", "", StringComparison.Ordinal), NumberStyles.Number,
                    CultureInfo.InvariantCulture), cell.Rate.Value * 0.006);
        }

        Assert.Contains("show=ratio", measures.GetProperty("address").GetString(), StringComparison.Ordinal);
        Assert.Equal(measures.GetProperty("time").ToString(), measures.GetProperty("after").ToString());
    }

    [Fact]
    public void Bars_are_sorted_within_their_group()
    {
        foreach (var page in new[] { "hive", "others" })
        {
            foreach (var card in findings[page].GetProperty("measures").GetProperty("time").EnumerateArray())
            {
                double[] times = [.. card.GetProperty("rows").EnumerateArray().Select(row => row.GetProperty("ns").GetDouble())];
                Assert.Equal(times.Order(), times);
            }
        }
    }

    [Theory]
    [InlineData("everything", 13)]
    [InlineData("hive", 7)]
    [InlineData("load", 4)]
    public void A_printed_page_is_short_and_begins_with_charts(string page, int most)
    {
        const int sheet = 1040; // the height of A4 without its margins, at 96 dots an inch
        Assert.InRange(findings[page].GetProperty("printed").GetInt32(), 1, most);
        Assert.InRange(findings[page].GetProperty("firstChart").GetDouble(), 0, sheet * 0.8);
    }
}

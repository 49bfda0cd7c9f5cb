namespace ProtoBench.Report.Tests;

/// <summary>The pages in a real browser, light and dark, wide and narrow: tests/node/report.mjs looks and clicks, and says what it found. The variable CHROMIUM names a browser that is
/// elsewhere than usual; with REPORT_PICTURES a folder gets pictures.</summary>
public sealed class BrowserTests(BrowserFindings findings) : IClassFixture<BrowserFindings>
{
    [Theory]
    [InlineData("everything")]
    [InlineData("pair")]
    [InlineData("hostile")]
    [InlineData("many")]
    public void The_page_works_and_asks_nothing_of_a_network(string page)
    {
        var found = findings[page];
        Assert.Empty(found.GetProperty("errors").EnumerateArray().Select(error => error.GetString()));
        Assert.Equal(page == "many" ? 1 : 4, found.GetProperty("requests").GetArrayLength()); // the page itself, as often as it was opened
        Assert.All(found.GetProperty("requests").EnumerateArray(), request => Assert.EndsWith(page + ".html", request.GetString(), StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("everything", 24)]
    [InlineData("pair", 5)]
    [InlineData("hostile", 4)]
    [InlineData("many", 8)]
    public void Every_chart_has_marks_and_a_table_and_takes_the_focus(string page, int least)
    {
        var charts = findings[page].GetProperty("charts").EnumerateArray().ToArray();
        Assert.InRange(charts.Length, least, 200);
        Assert.All(charts, chart => Assert.True(
            chart.GetProperty("marks").GetInt32() > 0 && chart.GetProperty("rows").GetInt32() > 0 && chart.GetProperty("focusable").GetBoolean(), chart.ToString()));
        Assert.NotEqual("", findings[page].GetProperty("readout").GetString());
        Assert.True(findings[page].GetProperty("tableOpens").GetBoolean());
    }

    [Theory]
    [InlineData("everything")]
    [InlineData("pair")]
    [InlineData("hostile")]
    public void Nothing_is_cut_and_everything_can_be_read(string page)
    {
        foreach (var look in new[] { "wide", "dark", "narrow", "narrowDark" })
            Assert.True(findings[page].GetProperty(look).GetProperty("faults").GetArrayLength() == 0, $"{look}: {findings[page].GetProperty(look)}");
    }

    [Theory]
    [InlineData("everything", 78)]
    [InlineData("many", 10_000)]
    public void The_table_sorts_and_filters(string page, int cells)
    {
        var found = findings[page];
        double[] Sorted(string order) => [.. found.GetProperty(order).EnumerateArray().Select(value => double.Parse(value.GetString()!, System.Globalization.CultureInfo.InvariantCulture))];
        Assert.Equal(cells, Sorted("ascending").Length);
        Assert.Equal(Sorted("ascending").Order(), Sorted("ascending"));
        Assert.Equal(Sorted("ascending").OrderDescending(), Sorted("descending"));
        Assert.Equal("descending", found.GetProperty("sort").GetString());
        foreach (var part in new[] { "verb", "message", "library", "buffer" })
        {
            var wanted = found.GetProperty(part).GetProperty("wanted").GetString();
            Assert.InRange(found.GetProperty(part).GetProperty("rows").GetArrayLength(), 1, cells - 1);
            Assert.All(found.GetProperty(part).GetProperty("rows").EnumerateArray(), row => Assert.Equal(wanted, row.GetString()));
            Assert.All(found.GetProperty(part).GetProperty("bright").EnumerateArray(), mark => Assert.Equal(wanted, mark.GetString()));
        }

        Assert.Equal(cells, found.GetProperty("afterReset").GetInt32());
    }
}

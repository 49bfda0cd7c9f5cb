using ProtoBench.Report.Model;

namespace ProtoBench.Report.Tests.Model;

public class BreakEvenTests
{
    [Fact]
    public void A_ratio_is_the_time_by_that_of_the_first_way_and_absent_where_one_is_missing()
    {
        var map = Assert.Single(Pages.Saved("Map").Maps);
        Assert.Equal("Google", map.Ways[0]);
        Assert.Equal(1, map.Ratio("Google", 10, 64));
        Assert.Equal(map.Cells[("Slab", 10, 64)].Time.Value / map.Cells[("Google", 10, 64)].Time.Value, map.Ratio("Slab", 10, 64));
        Assert.Null(map.Ratio("Slab", 100_000, 16_384)); // larger than 16 MiB: not measured
        Assert.Null(map.Ratio("nobody", 10, 64));
    }

    [Fact]
    public async Task The_page_has_a_line_chart_for_each_size_of_a_leaf()
    {
        var page = await ReportPage.RenderAsync(Pages.Saved("Map"));
        foreach (var leaf in new[] { "0 B", "4 B", "64 B", "1 KiB", "16 KiB" })
            Assert.Contains($"leaves of {leaf}", page, StringComparison.Ordinal);
    }
}

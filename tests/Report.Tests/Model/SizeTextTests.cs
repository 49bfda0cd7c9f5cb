using ProtoBench.Report.Model;

namespace ProtoBench.Report.Tests.Model;

public class SizeTextTests
{
    [Theory]
    [InlineData("1 B", 1)]
    [InlineData("8 KiB", 8192)]
    [InlineData("1 MiB", 1048576)]
    [InlineData("64K", 65536)]
    [InlineData("10,000", 10_000)]
    [InlineData("0", 0)]
    [InlineData("2^10", 1024)]
    [InlineData("2^10-5 in all", 1019)]
    [InlineData("1.5 KiB", 1536)]
    public void Sizes(string text, double size) => Assert.Equal(size, SizeText.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData(null)]
    [InlineData("?")]
    [InlineData("100 ASCII")]
    [InlineData("Slab")]
    [InlineData("2^1000")]
    [InlineData("-1")]
    [InlineData("1e9")]
    [InlineData("99999999999999999999999999999999")]
    public void Other_values_are_no_sizes(string? text) => Assert.Null(SizeText.Parse(text));

    [Fact]
    public void Sizes_are_sorted_by_size() =>
        Assert.Equal(["1 B", "2^10-5 in all", "1 KiB", "8 KiB", "64 KiB", "1 MiB", "a", "b2", "b10"],
            new[] { "b10", "1 MiB", "64 KiB", "a", "1 B", "8 KiB", "b2", "1 KiB", "2^10-5 in all" }.Order(SizeText.Order));

    [Fact]
    public void Groups_of_a_chart_and_lines_go_by_size()
    {
        var cells = Pages.Saved("Encode").Cells;
        double[] groups = [.. cells.Select(cell => SizeText.Parse(cell.Name["Size"])!.Value)];
        Assert.Equal(groups.Order(), groups);
        var charts = SizeLines.Of(cells);
        Assert.Equal(["Encode", "Encode, in all"], charts.Select(chart => chart.Title));
        foreach (var line in charts.SelectMany(chart => chart.Lines))
            Assert.Equal(line.Cells.Select(cell => cell.Size).Order().Distinct(), line.Cells.Select(cell => cell.Size));
    }

    [Fact]
    public void A_parameter_that_stays_the_same_parts_the_charts() =>
        Assert.Equal(["RpcStack, Concurrency=1", "RpcStack, Concurrency=4"],
            SizeLines.Of(Pages.Saved("RpcStack").Cells).Select(chart => chart.Title));
}

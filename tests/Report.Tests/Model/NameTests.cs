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
    public void Of_many_lines_each_form_has_its_own_chart()
    {
        string[] Titles(int ways) => [.. SizeLines.Of(ReportContent.Of([new Results.Side("results", [Results.ResultFile.Parse(Pages.Benchmarks(
            from way in Enumerable.Range(0, ways)
            from form in new[] { "", "_Plain" }
            from size in new[] { 1, 8 }
            select ($"{(char)('A' + way)}{form}", "OwnBenchmarks", $"Size={size}", 10.0 * size, 0)), "own.json")])], new(), []).Cells)
            .Select(chart => chart.Title)];
        Assert.Equal(["Own"], Titles(5));
        Assert.Equal(["Own", "Own, Plain"], Titles(6).Order());
    }

    [Fact]
    public void A_parameter_that_stays_the_same_parts_the_charts() =>
        Assert.Equal(["RpcStack, Concurrency=1", "RpcStack, Concurrency=1, Plain", "RpcStack, Concurrency=4", "RpcStack, Concurrency=4, Plain"],
            SizeLines.Of(Pages.Saved("RpcStack").Cells).Select(chart => chart.Title).Order());
}

public class MethodWordsTests
{
    [Theory]
    [InlineData("MarshalByGoogle", "Marshal", "Google", "")]
    [InlineData("MarshalByGoogle_BA", "Marshal", "Google", "BA")]
    [InlineData("UnmarshalManyBySystemTextJson", "UnmarshalMany", "SystemTextJson", "")]
    [InlineData("Serial_ArrayPoolShared", "Serial", "ArrayPoolShared", "")]
    [InlineData("ProtoHTTP2_Plain", "", "ProtoHTTP2", "Plain")]
    [InlineData("Decode", "", "Decode", "")]
    [InlineData("_Odd", "", "_Odd", "")]
    [InlineData("", "", "", "")]
    public void A_method_alone(string method, string verb, string way, string form) =>
        Assert.Equal(new MethodWords(verb, way, form), MethodWords.Of([method])[method]);

    [Fact]
    public void What_stands_beside_its_plain_form_is_a_form_of_it()
    {
        var words = MethodWords.Of(["WritePayload", "WritePayload_Odd", "Decode_Google"]);
        Assert.Equal(("WritePayload", "Odd"),
            (words["WritePayload_Odd"].Verb + words["WritePayload_Odd"].Way, words["WritePayload_Odd"].Form));
        Assert.Equal(new MethodWords("Decode", "Google", ""), words["Decode_Google"]);
    }

    [Fact]
    public void Words_that_all_begin_with_are_the_verb()
    {
        var words = MethodWords.Of(["EncodeByteArray", "EncodeDirect", "EncodeSlab"]);
        Assert.Equal(["ByteArray", "Direct", "Slab"], words.Values.Select(word => word.Way));
        Assert.All(words.Values, word => Assert.Equal("Encode", word.Verb));
    }

    [Theory]
    [InlineData("ProtoHTTP1", "ProtoHTTP2", "GRPC")]
    [InlineData("Encode", "EncodeSlab", "EncodeDirect")] // one would keep no word
    [InlineData("Slab", "Slap", "Sla")] // letters are no words
    public void There_is_no_verb_without_a_whole_word_in_all(params string[] methods) =>
        Assert.All(MethodWords.Of(methods).Values, word => Assert.Equal("", word.Verb));

    [Fact]
    public void Forms_of_a_library_stand_in_the_chart_of_their_verb()
    {
        var charts = Category.Of(Pages.Saved("Format").Cells);
        Assert.DoesNotContain(charts, chart => chart.Cells.Count == 1);
        var marshal = Assert.Single(charts, chart => chart.Name == "Format Marshal");
        Assert.Contains(marshal.Cells, cell => cell.Label == "Google");
        Assert.Contains(marshal.Cells, cell => cell.Label == "Google_BA");
        Assert.Equal("Google", marshal.Baseline);
    }
}

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

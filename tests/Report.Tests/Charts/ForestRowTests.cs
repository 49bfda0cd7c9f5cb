using ProtoBench.Report.Charts;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Charts;

public class ForestRowTests
{
    [Theory]
    [InlineData(0.99999, Verdict.Better, "equal", "unclear")] // -0.00%
    [InlineData(1.00001, Verdict.Worse, "equal", "unclear")]
    [InlineData(0.9999, Verdict.Better, "better", "better")] // -0.01%
    [InlineData(1.1, Verdict.Worse, "worse", "worse")]
    [InlineData(1.1, Verdict.Unclear, "~", "unclear")]
    public void A_change_that_is_printed_as_nothing_is_none(double ratio, Verdict verdict, string word, string colour)
    {
        var row = ForestRow.Of("row", new Change { Verdict = verdict, Ratio = new RatioEstimate(ratio, ratio, ratio) })!;
        Assert.Equal((word, colour), (row.Word, row.Colour));
    }

    [Fact]
    public void Without_a_ratio_there_is_no_row()
    {
        Assert.Null(ForestRow.Of("row", new Change { Verdict = Verdict.Unclear }));
        Assert.Null(ForestRow.Of("row", new Change { Verdict = Verdict.Unclear, Ratio = new RatioEstimate(0, 0, 0) }));
    }

    [Fact]
    public async Task The_time_is_not_counted_again_as_a_rate()
    {
        ResultFile Launch(int i, double ns) => ResultFile.Parse($$"""
            { "Benchmarks": [ { "Type": "T", "Method": "SerializeRequestGoogle_BW", "FullName": "T.SerializeRequestGoogle_BW", "Statistics": { "OriginalValues": [{{ns + i}}] },
              "Metrics": [ { "Value": {{1e6 / (ns
                  + i)}}, "Descriptor": { "Id": "MB/s", "DisplayName": "MB/s", "Unit": "MB/s", "TheGreaterTheBetter": true } } ] } ] }
            """, $"{ns}-{i}.json");
        Side Of(string label, double ns) => new(label, [.. Enumerable.Range(0, 5).Select(i => Launch(i, ns))]);
        var page = await ReportPage.RenderAsync(
            Report.Model.ReportContent.Of([Of("old", 1000), Of("new", 2000)], new ComparisonOptions(), []));
        Assert.Single(Tables.Read(page, "ns/op: new by old"));
        Assert.Empty(Tables.Read(page, "MB/s: new by old"));
        Assert.Matches("""worse</span>\s*<span class="figure">1</span>""", page);
    }
}

using ProtoBench.Report.Model;
using ProtoBench.Results;
using static ProtoBench.Report.Tests.RatioGridTests;

namespace ProtoBench.Report.Tests;

public class ChooserTests
{
    [Fact]
    public void A_library_is_taken_if_it_is_surely_faster_and_of_two_destinations_the_faster_one_counts()
    {
        var chooser = Chooser.Of([File(Of("Make", "Slab", 0.6), Of("Make", "PBN", 0.9), Of("Make", "PBN_BW", 0.5), Of("Forward", "Slab", 1.2),
            Of("Call", "Slab", 0.8, low: 0.6, high: 1.01), Of("DeserializeTouch", "Slab", 0.5, low: 0.3, high: 0.7))])!;
        Assert.Equal("small", Assert.Single(chooser.Kinds).Name);
        Assert.Equal(
            [
                ("read every field, text as UTF-8", "slab 0.50 [0.30 to 0.70]"),
                ("make and write", "protobuf-net 0.50 [0.50 to 0.50]"),
                ("forward: read and write again", "Google.Protobuf (slab 1.20 [1.20 to 1.20])"),
                ("serve over gRPC, both sides", "Google.Protobuf (slab 0.80 [0.60 to 1.01])"),
            ],
            chooser.Rows.Select(row => (row.Does, row.Choices[0]?.ToString() ?? "-")));
    }

    [Fact]
    public void Costs_are_Googles_times_the_ratio_and_a_library_without_both_is_left_out()
    {
        var kind = Assert.Single(Chooser.Of([File(Of("Make", "Slab", 0.5), Of("DeserializeTouch", "Slab", 0.25), Of("Make", "PBN", 2))])!.Kinds);
        Assert.Equal([new("Google.Protobuf", 100, 100), new MessageCost("slab, text as UTF-8", 25, 50)], kind.Costs);
    }

    [Fact]
    public void An_unsure_library_does_not_hide_a_sure_one()
    {
        var chooser = Chooser.Of([File(Of("DeserializeTouch", "Slab", 0.5), Of("Make", "Slab", 0.8), Of("Make", "PBN", 0.75, low: 0.5, high: 1.05))])!;
        Assert.Equal("slab 0.80 [0.80 to 0.80]", chooser.Rows.Single(row => row.Does == "make and write").Choices[0]!.ToString());
    }

    [Fact]
    public void Of_two_processors_there_is_no_chooser_and_a_pair_counts_once()
    {
        var file = File(Of("DeserializeTouch", "Slab", 0.5), Of("Make", "Slab", 0.8));
        var again = File(Of("DeserializeTouch", "Slab", 0.4), Of("Make", "Slab", 0.7));
        Assert.Equal("slab 0.50 [0.50 to 0.50]", Chooser.Of([file, again])!.Rows[0].Choices[0]!.ToString());
        var other = file with { Facts = new Dictionary<string, string>(file.Facts) { ["processor"] = "another" } };
        Assert.Null(Chooser.Of([file, other]));
    }

    [Theory]
    [InlineData(100, 1_000)]
    [InlineData(200, 2_000)]
    [InlineData(150, 1_500)]
    [InlineData(250, 3_000)]
    [InlineData(400, 6_000)] // on the line through the nearest two
    [InlineData(0, 0)]
    public void Transport_is_between_the_measured_sizes(double bytes, double nanoseconds) =>
        Assert.Equal(nanoseconds, new Chooser([], [], [(100, 1_000), (200, 2_000), (300, 4_000)]).TransportOf(bytes), 6);

    [Fact]
    public void Without_duets_of_data_sets_there_is_no_chooser() =>
        Assert.Null(Chooser.Of([ResultFile.Parse(DuetResultFile.ToJson(Duet(Pair("ReadGoogle", "ReadSlab", 0.5))), "t.json")]));

    [Fact]
    public async Task The_page_has_a_table_for_each_kind_of_message()
    {
        var content = ReportContent.Of([new("run", [File(Of("Make", "Slab", 0.5), Of("DeserializeTouch", "Slab", 0.25))])], new(), []);
        var page = await ReportPage.RenderAsync(content);
        Assert.Contains("<title>Which library to take</title>", page, StringComparison.Ordinal);
        Assert.Contains("id=\"service-rate\"", page, StringComparison.Ordinal);
        Assert.Contains("data-read=\"25\" data-make=\"50\"", page, StringComparison.Ordinal);
        Assert.Contains("<td class=\"figure\">0.000</td><td class=\"figure\">26,666,667</td>", page, StringComparison.Ordinal); // 1e9 / 37.5 ns
    }

    [Fact]
    public async Task A_page_says_how_much_unchanged_code_differs_and_shows_no_pairs_of_it()
    {
        var page = await ReportPage.RenderAsync(Pages.Chooser());
        Assert.Contains("1 cell that was compared with itself differs here by 2.0 % (median)", page, StringComparison.Ordinal);
        Assert.Equal(4, Pages.Chooser().Duets!.Blocks[0].Rows.Count);
    }

    static DuetPair Of(string verb, string library, double ratio, double? low = null, double? high = null)
    {
        var pair = Pair($"{verb}SetGoogle", $"{verb}Set{library}", ratio, ("DataSet", "Order"));
        return pair with { Low = low ?? ratio, High = high ?? ratio };
    }

    static ResultFile File(params DuetPair[] pairs) => ResultFile.Parse(DuetResultFile.ToJson(Duet(pairs)), "made.json");
}

using ProtoBench.Report.Charts;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Charts;

public class AxisTests
{
    static readonly Unit time = new("ns/op", Scale.Nanoseconds);

    [Theory]
    [InlineData(false, 10, 100)]
    [InlineData(false, 0, 1000)]
    [InlineData(true, 10, 200)]
    [InlineData(true, 1e-3, 1e9)]
    public void Range_decides_the_scale(bool logarithmic, double least, double most) =>
        Assert.Equal(logarithmic, Axis.Of([least, most]).Logarithmic);

    [Fact]
    public void A_linear_axis_begins_at_zero_and_keeps_proportions()
    {
        var axis = Axis.Of([50, 100]);
        Assert.Equal(0, axis.At(0));
        Assert.Equal(axis.At(100), 2 * axis.At(50), 9);
    }

    [Fact]
    public void On_a_logarithmic_axis_equal_factors_are_equal_distances()
    {
        var axis = Axis.Of([1, 1000]);
        Assert.Equal(axis.At(100) - axis.At(10), axis.At(1000) - axis.At(100), 9);
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(5, 5)]
    [InlineData(-3, 12)]
    [InlineData(1e-9, 1e12)]
    [InlineData(3, double.NaN)]
    [InlineData(double.PositiveInfinity, 7)]
    public void Every_range_gets_ticks_within_the_axis(double one, double other)
    {
        var axis = Axis.Of([one, other]);
        Assert.InRange(axis.Ticks.Count, 1, 14);
        Assert.All(axis.Ticks, tick => Assert.InRange(axis.At(tick), 0, 100));
        Assert.InRange(axis.At(one), 0, 100);
        Assert.InRange(axis.At(other), 0, 100);
    }

    [Theory]
    [InlineData("0", 0)]
    [InlineData("200 us", 200_000)]
    [InlineData("1.5 ms", 1_500_000)]
    [InlineData("1 s", 1e9)]
    public void Ticks_have_no_more_digits_than_they_need(string text, double nanoseconds) =>
        Assert.Equal(text, Axis.Text(time, nanoseconds));

    [Fact]
    public void Words_at_an_axis_that_would_touch_are_left_out()
    {
        (double, string)[] marks = [(0, "0"), (45, "0.95x"), (50, "no change"), (55, "1.05x"), (100, "2x")];
        Assert.Equal(["0", "0.95x", "2x"], Axis.Spaced(marks).Select(mark => mark.Text).Where(text => text != "no change"));
        Assert.All(Axis.Spaced(marks).Zip(Axis.Spaced(marks).Skip(1)), pair => Assert.InRange(pair.Second.At - pair.First.At, 10, 100));
        Assert.Empty(Axis.Spaced([]));
        Assert.Single(Axis.Spaced([(50, "one")]));
    }
}

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

public class PaletteTests
{
    static readonly LibraryFacts[] registered =
        [new("Floor", "lower bound", 0), new("Google", "Google.Protobuf", 1), new("PBN", "protobuf-net", 3)];

    [Fact]
    public void A_registered_library_has_its_colour_and_its_label()
    {
        var palette = Palette.OfLibraries(["PBN", "Google", "Floor"], registered);
        Assert.Equal(["c0", "c1", "c3"], [palette.Colour("Floor"), palette.Colour("Google"), palette.Colour("PBN")]);
        Assert.Equal("protobuf-net", palette.Label("PBN"));
    }

    /// <summary>The page finds lower bounds by this colour, and leaves them out of the lowest medians.</summary>
    [Fact]
    public void Lower_bounds_are_grey_in_a_file_without_registered_libraries()
    {
        var palette = Palette.OfLibraries(["Google", "Floor"], []);
        Assert.Equal("c0", palette.Colour("Floor"));
        Assert.NotEqual("c0", palette.Colour("Google"));
    }

    [Fact]
    public void Other_names_take_the_colours_that_no_registered_name_of_the_page_has()
    {
        var palette = Palette.OfLibraries(["Arena", "Google", "NewArray"], registered);
        Assert.Equal(["c2", "c3"], [palette.Colour("Arena"), palette.Colour("NewArray")]);
        Assert.Equal("Arena", palette.Label("Arena"));
    }

    [Fact]
    public void A_colour_that_comes_twice_has_another_marker()
    {
        var palette = Palette.OfLibraries([.. Enumerable.Range(0, 8).Select(i => $"way{i}")], []);
        Assert.Equal(palette.Colour("way0"), palette.Colour("way7"));
        Assert.NotEqual(palette.Mark("way0"), palette.Mark("way7"));
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    [InlineData(99)]
    public void A_colour_of_a_foreign_file_is_one_that_the_page_has(int colour) =>
        Assert.Matches("^c[0-7]$", Palette.OfLibraries(["X"], [new("X", "X", colour)]).Colour("X"));
}

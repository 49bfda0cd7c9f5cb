using System.Text.RegularExpressions;
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
    [InlineData("200 μs", 200_000)]
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
    [InlineData(0.99999, Verdict.Better, "equal")] // -0.00%
    [InlineData(1.00001, Verdict.Worse, "equal")]
    [InlineData(0.9999, Verdict.Better, "better")] // -0.01%
    [InlineData(1.1, Verdict.Worse, "worse")]
    [InlineData(1.1, Verdict.Unclear, "~")]
    public void A_change_that_is_printed_as_nothing_is_none(double ratio, Verdict verdict, string word) =>
        Assert.Equal(word, Row("row", ratio, verdict).Word);

    [Theory]
    [InlineData("SerializeRequest{Google=Slab}_BW", "SerializeRequest_BW: Google → Slab", "c2")]
    [InlineData("DeserializeRequest{Google_BA=Slab_ROM}", "DeserializeRequest: Google_BA → Slab_ROM", "c2")]
    [InlineData("DeserializeRequest{Slab=Google}(Size=1 KiB)", "DeserializeRequest: Slab → Google, 1 KiB", "c1")]
    [InlineData("Growing_{MemoryStream=SlabBufferWriter}(Size=1 KiB, Chunk=8)",
        "Growing: MemoryStream → SlabBufferWriter, Size=1 KiB, Chunk=8", "o0")]
    [InlineData("{A=B}", "A → B", "o0")]
    [InlineData("Encode(Size={1 B=1 KiB})", "Encode: 1 B → 1 KiB", "o0")]
    [InlineData("DeserializeSetGoogle(DataSet=Mesh, Google.Protobuf={3.25.1=3.36.2})", "DeserializeSetGoogle: 3.25.1 → 3.36.2, Mesh", "c1")]
    [InlineData("WriteBuffer{NoPresize=}", "WriteBufferNoPresize → WriteBuffer", "o0")]
    [InlineData("{ProtoHTTP2=GRPC}_Plain(Size=1K)", "Plain: ProtoHTTP2 → GRPC, 1K", "c1")]
    [InlineData("{A(Size=1)=B}", "{A(Size=1)=B}", "o0")]
    [InlineData("SerializeRequestPBN_MS", "SerializeRequestPBN_MS", "c3")]
    public void A_row_has_a_short_label_and_the_colour_of_its_codec(string name, string label, string colour)
    {
        var row = Row(name, 0.5, Verdict.Better);
        Assert.Equal((label, colour), (row.Label, row.Colour));
    }

    // The walk over the fields of a message is what any library has to do: that Slab takes 3 times as long is no regression.
    [Theory]
    [InlineData("DeserializeRequest{Floor_Walk=Slab_ROM}", true)]
    [InlineData("DeserializeRequestFloor_{Copy=Walk}", true)]
    [InlineData("DeserializeRequest{Google_BA=Slab_ROM}", false)]
    [InlineData("DeserializeRequestFloor_Walk", false)] // the same cell before and after
    [InlineData("Write{Floors=Walls}", false)]
    public void A_pair_with_a_lower_bound_has_no_verdict(string row, bool isBound) => Assert.Equal(isBound, ForestRow.WithBound(row, "old", "new"));

    [Fact]
    public void A_column_may_be_the_lower_bound() => Assert.True(ForestRow.WithBound("DeserializeRequest", "Floor", "Slab"));

    static ForestRow Row(string name, double ratio, Verdict verdict) =>
        ForestRow.Of(name, new Change(verdict, new RatioEstimate(ratio, ratio, ratio)))!;

    [Fact]
    public void Without_a_ratio_there_is_no_row()
    {
        Assert.Null(ForestRow.Of("row", new Change(Verdict.Unclear)));
        Assert.Null(ForestRow.Of("row", new Change(Verdict.Unclear, new RatioEstimate(0, 0, 0))));
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

public class SeriesTests
{
    [Fact]
    public void Lines_of_one_colour_have_different_dashes_and_marks()
    {
        var lines = Series.Apart([Line("a", "c1"), Line("b", "c2"), Line("c", "c1"), Line("d", "c1")]);
        Assert.Equal([("a", 0), ("b", 0), ("c", 1), ("d", 2)], lines.Select(line => (line.Name, line.Dash)));
        Assert.Equal(3, lines.Where(line => line.Colour == "c1").Select(line => line.Mark).Distinct().Count());
        Assert.Equal(4, Series.Apart(Enumerable.Range(0, 9).Select(i => Line($"{i}", "c3"))).Select(line => line.Dash).Distinct().Count());

        static Series Line(string name, string colour) => new(name, colour, []);
    }
}

public class PaletteTests
{
    static readonly LibraryFacts[] registered =
        [new("Floor", "lower bound", 0), new("Google", "Google.Protobuf", 1), new("Own", "own codec", 9)];

    [Theory]
    [InlineData("Google", "google", "GoogleSlab", "GRPC", "ProtoHTTP2")]
    [InlineData("Slab", "slab", "SlabAlias", "GRPCSlab")]
    [InlineData("PBN", "PBNRuntime", "pbn", "pbn-runtime", "pbn-slab", "pbn-pool", "GRPCProtobufNet")]
    [InlineData("Floor", "raw")]
    public void A_codec_has_one_colour_however_a_file_spells_it(params string[] names) =>
        Assert.NotNull(Assert.Single(names.Select(CodecColours.Of).Distinct()));

    [Fact]
    public void Codecs_have_different_colours()
    {
        string[] codecs = ["Floor", "Google", "Slab", "PBN", "GoogleBytes", "MessagePack", "Nerdbank", "MemoryPack", "Orleans",
            "SystemTextJson", "Cbor", "FlatBuffers"];
        Assert.Equal(codecs.Length, codecs.Select(codec => CodecColours.Of(codec)!.Value).Distinct().Count());
    }

    [Fact]
    public void What_is_no_codec_has_the_colour_of_none()
    {
        var palette = Palette.Of(["Google", "SlabMemory", "Arena", "NewArray", "NativeRPC"], []);
        Assert.Equal(("c1", "c2"), (palette.Colour("Google"), palette.Colour("ReadDeepSlab")));
        Assert.All(["SlabMemory", "Arena", "NewArray", "NativeRPC", "never seen"],
            name => Assert.Matches("^o[0-5]$", palette.Colour(name)));
        Assert.Equal(4, new[] { "SlabMemory", "Arena", "NewArray", "NativeRPC" }.Select(palette.Colour).Distinct().Count());
    }

    [Fact]
    public void The_style_has_every_class_once_and_no_two_alike()
    {
        foreach (var theme in ReportPage.PictureStyle.Split("@media"))
        {
            string[] names = [.. "cccccccccccc".Select((_, i) => $"c{i}"), .. "oooooo".Select((_, i) => $"o{i}"), "client", "server"];
            string[] colours = [.. names.Select(name => Regex.Match(theme, $"--{name}: (#[0-9a-f]{{6}});").Groups[1].Value)];
            Assert.DoesNotContain("", colours);
            Assert.Equal(names.Length, colours.Distinct().Count());
        }
    }

    [Theory]
    [InlineData("ReadDeepSlab", 2)]
    [InlineData("DeserializeRequestGoogle_BA", 1)]
    [InlineData("Decode_Google", 1)]
    [InlineData("Decode_PBNSlab", 3)]
    [InlineData("DeserializeDTOSlab", 2)]
    [InlineData("Withdraw", null)]
    [InlineData("SerializeSetSystemTextJson", 7)]
    [InlineData("Growing_SlabBufferWriter", null)]
    [InlineData("SLAB", 2)]
    [InlineData("", null)]
    public void A_method_has_the_colour_of_the_codec_that_it_ends_with(string method, int? number) =>
        Assert.Equal(number, CodecColours.OfMethod(method));

    [Fact]
    public void A_registered_library_has_its_label()
    {
        var palette = Palette.Of(["Google", "Arena"], registered);
        Assert.Equal(("Google.Protobuf", "Arena"), (palette.Label("Google"), palette.Label("Arena")));
    }

    [Theory]
    [InlineData(int.MinValue)]
    [InlineData(-1)]
    [InlineData(99)]
    public void A_colour_of_a_foreign_file_is_one_that_the_page_has(int colour) =>
        Assert.Matches("^o[0-5]$", Palette.Of(["X"], [new("X", "X", colour)]).Colour("X"));
}

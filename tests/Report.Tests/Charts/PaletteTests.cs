using ProtoBench.Report.Charts;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Charts;

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

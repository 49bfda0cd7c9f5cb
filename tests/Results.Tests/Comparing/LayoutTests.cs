namespace ProtoBench.Results.Tests;

public class LayoutTests
{
    static readonly Cell[] hive =
    [
        Made.Cell("SerializeRequestGoogle_BW", Made.Time, 30),
        Made.Cell("SerializeRequestSlab_BW", Made.Time, 10),
        Made.Cell("DeserializeRequestGoogle_BA", Made.Time, 50),
        Made.Cell("DeserializeRequestGoogle_ROM", Made.Time, 51),
        Made.Cell("DeserializeRequestSlab_ROM", Made.Time, 5),
        Made.Cell("DeserializeRequestSlab_ROM_A", Made.Time, 2),
        Made.Cell("MeasureResponseGoogle", Made.Time, 3),
        new Cell(Made.Name("EncodeBoxed", ("Size", "64")), Made.Time, [7], "launch"),
        new Cell(Made.Name("EncodeDirect", ("Size", "64")), Made.Time, [6], "launch"),
        new Cell(Made.Name("EncodeDirect", ("Size", "1024")), Made.Time, [6.5], "launch"),
    ];

    [Theory]
    [InlineData("*Google*", "DeserializeRequestGoogle_BA DeserializeRequestGoogle_ROM MeasureResponseGoogle SerializeRequestGoogle_BW")]
    [InlineData("googl", "DeserializeRequestGoogle_BA DeserializeRequestGoogle_ROM MeasureResponseGoogle SerializeRequestGoogle_BW")]
    [InlineData("library=slab", "DeserializeRequestSlab_ROM DeserializeRequestSlab_ROM_A SerializeRequestSlab_BW")]
    [InlineData("verb=Serialize,Measure", "MeasureResponseGoogle SerializeRequestGoogle_BW SerializeRequestSlab_BW")]
    [InlineData("buffer=ro?", "DeserializeRequestGoogle_ROM DeserializeRequestSlab_ROM DeserializeRequestSlab_ROM_A")]
    [InlineData("memory=A", "DeserializeRequestSlab_ROM_A")]
    [InlineData("size=64", "EncodeBoxed(Size=64) EncodeDirect(Size=64)")]
    [InlineData("unit=B/op", "")]
    public void Filters_go_by_text_or_by_part(string filter, string rows)
    {
        var options = new ComparisonOptions { Filters = [filter] };
        if (rows.Length == 0)
            Assert.Throws<UsageException>(() => Rows(options));
        else
            Assert.Equal(rows.Split(' '), Rows(options));
    }

    [Fact]
    public void Filters_all_apply() =>
        Assert.Equal(["DeserializeRequestSlab_ROM_A"], Rows(new ComparisonOptions { Filters = ["library=Slab", "_A"] }));

    [Fact]
    public void Parameters_are_in_natural_order() =>
        Assert.Equal(["EncodeDirect(Size=64)", "EncodeDirect(Size=1024)"], Rows(new ComparisonOptions { Filters = ["EncodeDirect"] }));

    [Fact]
    public void With_several_sides_the_side_is_part_of_the_row() => Assert.Equal(
        [("x: SerializeRequest*_BW", 30, (double?)10), ("y: SerializeRequest*_BW", 30, 10)],
        Figures(Comparer.Compare([Made.Side("x", hive), Made.Side("y", hive)],
            new ComparisonOptions { Pairs = ["Google=Slab"], Filters = ["verb=Serialize"] })));

    [Fact]
    public void Pairs_are_compared_within_a_file()
    {
        var comparison = Comparer.Compare([Made.Side("x", hive)], new ComparisonOptions { Pairs = ["EncodeBoxed=EncodeDirect"] });
        Assert.Equal(["EncodeBoxed", "EncodeDirect"], comparison.Columns);
        Assert.Equal([("*(Size=64)", 7, (double?)6), ("*(Size=1024)", null, 6.5)], Figures(comparison));
    }

    [Fact]
    public void Of_a_pair_the_longer_text_decides()
    {
        Cell[] cells = [Made.Cell("ParseGoogle", Made.Time, 2), Made.Cell("ParseGoogleBytes", Made.Time, 3)];
        Assert.Equal([("Parse*", 2, (double?)3)],
            Figures(Comparer.Compare([Made.Side("x", cells)], new ComparisonOptions { Pairs = ["Google=GoogleBytes"] })));
        Assert.Equal([("Parse*", 3, (double?)2)],
            Figures(Comparer.Compare([Made.Side("x", cells)], new ComparisonOptions { Pairs = ["GoogleBytes=Google"] })));
    }

    [Fact]
    public void Several_pairs_share_a_table() => Assert.Equal(
        [("DeserializeRequest{Google=Slab}_ROM", 51, 5), ("DeserializeRequest{Google=Slab}_ROM_A", null, 2),
            ("DeserializeRequest{Google=Slab}_{BA=ROM}", 50, 5), ("MeasureResponse{Google=Slab}", 3, null),
            ("SerializeRequest{Google=Slab}_BW", 30, 10), ("{EncodeBoxed=EncodeDirect}(Size=64)", 7, (double?)6),
                ("{EncodeBoxed=EncodeDirect}(Size=1024)", null, 6.5)],
        Figures(Comparer.Compare([Made.Side("x", hive)], new ComparisonOptions { Pairs = ["EncodeBoxed=EncodeDirect", "Google=Slab"] })));

    // Google_BA has no Slab_BA
    [Fact]
    public void A_pair_with_different_buffers_says_so()
    {
        var comparison = Comparer.Compare([Made.Side("x", hive)], new ComparisonOptions { Pairs = ["Google=Slab"], Filters = ["verb=Deserialize"] });
        Assert.Contains(("DeserializeRequest*_{BA=ROM}", 50d, (double?)5), Figures(comparison));
        Assert.Contains("--pair: the two cells of 1 row have different buffers, which its name has as {BA=ROM}", comparison.Warnings);
        Assert.DoesNotContain(comparison.Unmatched, row => row.Row.Contains("_BA", StringComparison.Ordinal));
    }

    [Fact]
    public void The_type_is_named_only_where_it_is_needed()
    {
        Cell In(string type, string method) =>
            new(CellName.Benchmark($"Space.{type}.{method}", type, method, [], null), Made.Time, [1], "launch");
        Assert.Equal(["Parse", "Write"],
            Comparer.Compare([Made.Side("x", In("A", "Parse"), In("B", "Write")), Made.Side("y", In("A", "Parse"))],
                new()).Blocks[0].Rows.Select(row => row.Name));
        Assert.Equal(["A.Parse", "B.Parse"],
            Comparer.Compare([Made.Side("x", In("A", "Parse"), In("B", "Parse")), Made.Side("y", In("A", "Parse"))],
                new()).Blocks[0].Rows.Select(row => row.Name));
    }

    [Fact]
    public void The_namespace_is_named_only_where_even_the_type_is_not_enough()
    {
        Cell In(string space) => new(CellName.Benchmark($"{space}.A.Parse", "A", "Parse", [], null), Made.Time, [1], "launch");
        Assert.Equal(["X.A.Parse", "Y.A.Parse"],
            Comparer.Compare([Made.Side("x", In("X"), In("Y")), Made.Side("y", In("X"))], new()).Blocks[0].Rows.Select(row => row.Name));
    }

    [Theory]
    [InlineData("--filter: no cell has a part named 'colour'; there are Size, buffer, library, memory, message, method, type, verb", null,
        "colour=red")]
    [InlineData("--pair: 'Google' is not of the form Old=New", "Google", null)]
    [InlineData("two sides are needed, or --pair", null, null)]
    public void What_cannot_be_laid_out_is_said(string message, string? pair, string? filter)
    {
        var options = new ComparisonOptions { Pairs = pair == null ? [] : [pair], Filters = filter == null ? [] : [filter] };
        Assert.Equal(message, Assert.Throws<UsageException>(() => Comparer.Compare([Made.Side("x", hive)], options)).Message);
    }

    static IEnumerable<string> Rows(ComparisonOptions options) =>
        Comparer.Compare([Made.Side("x", hive), Made.Side("y", hive)], options).Blocks[0].Rows.Select(row => row.Name);

    static IEnumerable<(string, double?, double?)> Figures(Comparison comparison) =>
        comparison.Blocks[0].Rows.Select(row => (row.Name, row.Samples[0]?.Median.Value, row.Samples[1]?.Median.Value));
}

public class NaturalOrderTests
{
    [Fact]
    public void Numbers_are_ordered_as_numbers_and_everything_else_as_text()
    {
        string[] ordered =
            ["", "A(Size=2)", "A(Size=10)", "A(Size=10)x", "A(Size=010)y", "A(Size=99999999999999999999)", "A_", "B1", "B01", "B1a", "a"];
        var random = new Random(3);
        Assert.Equal(ordered.Order(NaturalOrder.Instance), ordered.OrderBy(_ => random.Next()).Order(NaturalOrder.Instance));
        Assert.Equal(["A(Size=2)", "A(Size=10)", "A(Size=99999999999999999999)"],
            ordered.Order(NaturalOrder.Instance).Where(name => name.EndsWith(')')));
    }
}

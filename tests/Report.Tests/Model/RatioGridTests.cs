using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests;

public class RatioGridTests
{
    [Fact]
    public void A_column_names_the_library_and_what_its_time_is_divided_by()
    {
        var grid = Of(Duet(Pair("ReadRequestGoogle_ROM", "ReadRequestSlab_ROM", 0.25), Pair("ReadRequestGoogle_ROM", "ReadRequestPBN_ROM", 1.5)));
        Assert.Equal(["Row", "Google's time", "Slab takes of Google's time", "protobuf-net takes of Google's time"], grid.Heads);
        Assert.Equal("ReadRequest_ROM | 100 ns | 0.25 [0.25 to 0.25] | 1.50 [1.50 to 1.50]", Text(Assert.Single(grid.Rows)));
    }

    [Fact]
    public void Works_of_one_library_over_a_parameter_are_columns()
    {
        var grid = Of(Duet([.. from set in new[] { "Log", "Order", "Tile" } from verb in new[] { "Make", "Serve" }
            select Pair(verb + "SetGoogle", verb + "SetSlab", 0.5, ("DataSet", set))]));
        Assert.Equal(["Data set", "Make: Slab takes of Google's time", "Serve: Slab takes of Google's time"], grid.Heads);
        Assert.Equal(["Log", "Order", "Tile"], grid.Rows.Select(row => row.Name));
    }

    [Fact]
    public void More_libraries_than_a_page_is_wide_are_rows_and_sizes_have_their_order()
    {
        DuetPair[] pairs = [.. from size in new[] { "1 MiB", "8 KiB" } from library in new[] { "A1", "B1", "C1", "D1", "E1" }
            select Pair("WriteGoogle", "Write" + library, 2, ("Size", size))];
        var grid = Of(Duet(pairs));
        Assert.Equal(["Takes of Google's time", "8 KiB", "1 MiB"], grid.Heads);
        Assert.Equal(["A1", "B1", "C1", "D1", "E1"], grid.Rows.Select(row => row.Name));
    }

    [Theory]
    [InlineData("Growing_ArrayPoolBufferWriter", "Growing_SlabBufferWriter", "Growing: SlabBufferWriter takes of ArrayPoolBufferWriter's time")]
    [InlineData("GRPC", "GRPCDefaults", ": GRPCDefaults takes of GRPC's time")]
    [InlineData("WriteMessageBufferNoPresize", "WriteMessageBuffer", "WriteMessage: Buffer takes of BufferNoPresize's time")]
    [InlineData("ReadSlab", "ReadGoogleSlab", "Read: GoogleSlab takes of Slab's time")]
    [InlineData("ReadDeepGoogle_Group", "ReadDeepSlab_Group", "ReadDeep_Group: Slab takes of Google's time")]
    [InlineData("SerializeRequestGoogle_MS", "SerializeRequestPBN_BW", "SerializeRequest: protobuf-net_BW takes of Google_MS's time")]
    public void Names_are_divided_into_the_work_and_two_ways(string old, string now, string expected)
    {
        var grid = Of(Duet(Pair(old, now, 0.9)));
        Assert.Equal(expected, $"{grid.Rows[0].Name}: {grid.Heads[^1]}");
    }

    [Fact]
    public void Cells_are_compared_with_those_of_one_library_and_have_no_interval()
    {
        var file = ResultFile.Parse("""
            { "Benchmarks": [
              { "Type": "T", "Method": "ReadGoogle", "FullName": "T.ReadGoogle(N: 1)", "Parameters": "N=1", "Statistics": { "OriginalValues": [100] } },
              { "Type": "T", "Method": "ReadSlab_Alias", "FullName": "T.ReadSlab_Alias(N: 1)", "Parameters": "N=1", "Statistics": { "OriginalValues": [9.04] } },
              { "Type": "T", "Method": "ReadSlab", "FullName": "T.ReadSlab(N: 2)", "Parameters": "N=2", "Statistics": { "OriginalValues": [1] } } ] }
            """, "t.json");
        var grid = RatioGrid.Of(file, new("Read"));
        Assert.Equal("1 | 100 ns | 0.090", Text(Assert.Single(grid.Rows)));
        Assert.Contains("t.json: no row matches Write", Assert.Throws<InvalidDataException>(() => RatioGrid.Of(file, new("Write"))).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_cell_is_compared_with_the_one_that_does_the_same_work()
    {
        string[] methods = ["ReadGoogle", "ReadSlab", "ReadWriteGoogle", "ReadWriteSlab"];
        var file = ResultFile.Parse($$"""
            { "Benchmarks": [{{string.Join(", ", methods.Select(method =>
                $$"""{ "Type": "T", "Method": "{{method}}", "FullName": "T.{{method}}", "Statistics": { "OriginalValues": [1] } }"""))}}] }
            """, "t.json");
        var grid = RatioGrid.Of(file, new("."));
        Assert.Equal(["Row", "Google's time", "Slab takes of Google's time"], grid.Heads);
        Assert.Equal(["Read", "ReadWrite"], grid.Rows.Select(row => row.Name));
    }

    [Fact]
    public void Two_rows_for_one_place_are_an_error() => Assert.Contains("two rows are Read, ", Assert.Throws<InvalidDataException>(
        () => Of(Duet(Pair("ReadGoogle", "ReadSlab", 0.5), Pair("Read_Google", "Read_Slab", 0.6)))).Message, StringComparison.Ordinal);

    [Fact]
    public async Task The_picture_has_a_mark_for_each_ratio_and_a_line_for_each_interval()
    {
        var grid = Of(Duet(Pair("ReadGoogle", "ReadSlab", 0.25), Pair("ReadGoogle", "ReadPBN", 1.5)));
        var svg = await ReportPage.PictureAsync(grid);
        Assert.Equal(2, svg.Split("class=\"mark\"").Length - 1); // those of the legend have another class
        Assert.Equal(2, svg.Split("class=\"interval\"").Length - 1);
        Assert.Contains("Slab takes of Google&#x27;s time: 0.25 [0.25 to 0.25]", svg, StringComparison.Ordinal);
    }

    static RatioGrid Of(DuetResult duet) => RatioGrid.Of(ResultFile.Parse(DuetResultFile.ToJson(duet), "made.json"), new("."));

    static string Text(RatioRow row) => string.Join(" | ", [row.Name, row.Time, .. row.Ratios.Select(ratio => ratio?.ToString() ?? "-")]);

    internal static DuetResult Duet(params DuetPair[] pairs) => MadeDuet.Result(pairs);

    internal static DuetPair Pair(string old, string now, double ratio, params (string Name, string Value)[] parameters)
    {
        var pair = MadeDuet.Pair(old, now, [ratio, ratio, ratio]);
        var all = parameters.ToDictionary(one => one.Name, one => one.Value);
        return pair with
        {
            Old = pair.Old with { Cell = Cell(pair.Old), Parameters = all, NanosecondsPerOperation = 100 },
            New = pair.New with { Cell = Cell(pair.New), Parameters = all },
        };

        string Cell(DuetSide side) => $"{side.Cell}({string.Join(", ", parameters.Select(one => one.Value))})";
    }
}

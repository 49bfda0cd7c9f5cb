using BenchmarkDotNet.Columns;
using ProtoBench.Harness;

namespace ProtoBench.Tests;

public class HiveColumnsTests
{
    // 290,699 B in 100 μs are 2,906.99 MB/s; 100,000 ns over 3,500 items are 28.57 ns.
    [Theory]
    [InlineData(nameof(HiveColumns.Rate), "2,907")]
    [InlineData(nameof(HiveColumns.PerItem), "28.57")]
    [InlineData(nameof(HiveColumns.Payload), "290,699")]
    [InlineData(nameof(HiveColumns.AllocatedPerWireByte), "2.652")]
    [InlineData("Gen0", "45.00")]
    [InlineData("Gen1", "3.00")]
    public void A_column_computes_what_its_legend_says(string column, string expected)
    {
        var (summary, cell) = MadeUp.Cell("DeserializeRequestGoogle_BA", 100_000, gen0: 45, gen1: 3, allocatedBytes: 770_802);
        Assert.Equal(expected, Column(column).GetValue(summary, cell));
    }

    [Fact]
    public void The_library_column_names_what_is_loaded()
    {
        var (summary, cell) = MadeUp.Cell("DeserializeRequestGoogle_BA", 100_000);
        var loaded = typeof(Google.Protobuf.MessageParser).Assembly.GetName().Version!;
        Assert.Equal($"Google.Protobuf {loaded.Major}.{loaded.Minor}.{loaded.Build}", HiveColumns.Library.GetValue(summary, cell));
    }

    [Theory]
    [InlineData(nameof(HiveColumns.Rate))]
    [InlineData(nameof(HiveColumns.PerItem))]
    [InlineData("Gen0")]
    public void A_cell_that_failed_shows_NA(string column)
    {
        var (summary, cell) = MadeUp.Failed("DeserializeRequestGoogle_BA");
        Assert.Equal("NA", Column(column).GetValue(summary, cell));
    }

    [Fact]
    public void The_response_has_its_own_size()
    {
        var (summary, cell) = MadeUp.Cell("DeserializeResponseGoogle_BA", 143_513);
        Assert.Equal("1,000", HiveColumns.Rate.GetValue(summary, cell));
    }

    static IColumn Column(string name) =>
        (IColumn?)typeof(HiveColumns).GetProperty(name)?.GetValue(null)
        ?? new[] { CellColumn.Collections(0), CellColumn.Collections(1) }.Single(column => column.ColumnName == name);
}

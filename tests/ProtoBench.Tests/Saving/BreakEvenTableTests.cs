using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Tests;

public class BreakEvenTableTests
{
    [Fact]
    public void The_fastest_is_named_with_its_factor_and_with_what_is_as_fast()
    {
        var map = Map(
            Made(1, 4, "Google", 100), Made(1, 4, "Slab", 50), Made(1, 4, "SlabAlias", 51), Made(1, 4, "StructArena", 90),
            Made(1, 64, "Google", 100), Made(1, 64, "Slab", 200),
            Made(1_000, 4, "Slab", 10));
        Assert.Equal(
            "| items \\ leaf bytes | 4 | 64 |\n| --- | ---: | ---: |\n| 1 | Slab 2.0x (SlabAlias) | Google 1.0x |\n| 1,000 | Slab | - |\n",
            BreakEvenTable.Of(map!));
    }

    [Fact]
    public void What_is_too_large_is_listed() =>
        Assert.EndsWith("larger than 16 MiB: 100,000 x 1,024.", BreakEvenTable.Legend(Map(Made(100_000, 4), Made(1, 1_024))!),
            StringComparison.Ordinal);

    [Fact]
    public void It_is_of_the_cells_of_a_result()
    {
        Assert.Equal("| items \\ leaf bytes | 4 |\n| --- | ---: |\n| 10 | Slab |\n", BreakEvenTable.Of(Map(Made(10, 4))!));
        Assert.Null(Map());
    }

    static BreakEven? Map(params Cell[] cells) =>
        BreakEvenTable.Map(new() { Path = "Map.json", Cells = cells, Facts = new Dictionary<string, string>() });

    static Cell Made(int items, int leafBytes, string way = "Slab", double nanoseconds = 5) => new(
        CellName.Benchmark($"{way} {items} {leafBytes}", "BreakEvenBenchmarks", "Decode_" + way,
            [new("Items", Text(items)), new("LeafBytes", Text(leafBytes))], null),
        new("ns/op", Scale.Nanoseconds), [nanoseconds], "launch");

    static string Text(int number) => number.ToString();
}

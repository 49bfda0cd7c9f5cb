using ProtoBench.Results;

namespace ProtoBench.Tests;

public class BreakEvenTableTests
{
    [Fact]
    public void The_fastest_is_named_with_its_factor_and_with_what_is_as_fast()
    {
        BreakEvenTable.Way[] cells =
        [
            new(1, 4, "Google", 100), new(1, 4, "Slab", 50), new(1, 4, "SlabAlias", 51), new(1, 4, "StructArena", 90),
            new(1, 64, "Google", 100), new(1, 64, "Slab", 200),
            new(1_000, 4, "Slab", 10),
        ];
        Assert.Equal(
            "| items \\ leaf bytes | 4 | 64 |\n| --- | ---: | ---: |\n| 1 | Slab 2.0x (SlabAlias) | Google 1.0x |\n| 1,000 | Slab | - |\n",
            BreakEvenTable.Of(cells));
    }

    [Fact]
    public void What_is_too_large_is_listed() =>
        Assert.EndsWith("larger than 16 MiB: 100,000 x 1,024.", BreakEvenTable.Legend([Made(100_000, 4), Made(1, 1_024)]),
            StringComparison.Ordinal);

    [Fact]
    public void It_is_of_the_cells_of_a_result()
    {
        Assert.Equal("| items \\ leaf bytes | 4 |\n| --- | ---: |\n| 10 | Slab |\n", BreakEvenTable.Of([Made(10, 4)]));
        Assert.Null(BreakEvenTable.Of(Array.Empty<Cell>()));
    }

    static Cell Made(int items, int leafBytes) => new(
        CellName.Benchmark("x", "BreakEvenBenchmarks", "Decode_Slab", [new("Items", Text(items)), new("LeafBytes", Text(leafBytes))], null),
        new("ns/op", Scale.Nanoseconds), [5], "launch");

    static string Text(int number) => number.ToString();
}

using ProtoBench.DuetRunner;
using ProtoBench.Harness.Duet;

namespace ProtoBench.Tests;

public class CellPairsTests
{
    static readonly RunnerCell[] cells =
    [
        Cell("A", "ReadGoogle_BA"), Cell("A", "ReadSlab_ROM"), Cell("A", "ReadSlab_BA"), Cell("A", "WriteGoogle_BA"),
        Cell("B", "Boxed", ("Size", "1 B")), Cell("B", "Boxed", ("Size", "1 KiB")), Cell("B", "Direct", ("Size", "1 B")),
            Cell("B", "Direct", ("Size", "1 KiB")),
        Cell("A", "CopyGoogle_BA"), Cell("A", "CopyGoogle_BA_H"), Cell("A", "CopySlab_MS"), Cell("A", "CopySlab_ROM"), Cell("A", "CopySlab_ROM_A"),
        Cell("C", "Grow_MemoryStream"), Cell("C", "Grow_RecyclableMemoryStream"), Cell("C", "Grow_SlabWriter"),
        Cell("MapBenchmarks", "Big") with { OnlyWhenNamed = true },
    ];

    [Theory]
    [InlineData("*ReadSlab_ROM", "ReadSlab_ROM against ReadGoogle_BA")]
    [InlineData("*Read*", "ReadSlab_ROM against ReadGoogle_BA, ReadSlab_BA against ReadGoogle_BA")]
    [InlineData("*read*rom", "ReadSlab_ROM against ReadGoogle_BA")]
    public void Every_chosen_cell_is_compared_with_the_one_against(string filter, string pairs) =>
        Assert.Equal(pairs, string.Join(", ", CellPairs.Against(cells, [filter], "*ReadGoogle_BA").Select(pair => pair.Name)));

    [Fact]
    public void Of_several_the_one_with_the_same_parameters_is_meant()
    {
        var pairs = CellPairs.Against(cells, ["*Direct*"], "*Boxed*");
        Assert.Equal(["Direct(Size: 1 B) against Boxed(Size: 1 B)", "Direct(Size: 1 KiB) against Boxed(Size: 1 KiB)"],
            pairs.Select(pair => pair.Name));
        Assert.Contains("it has to be one",
            Assert.Throws<UsageException>(() => CellPairs.Against(cells, ["*ReadSlab_ROM"], "*Boxed*")).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Pairs_are_found_by_a_part_of_the_name()
    {
        Assert.Equal("ReadSlab_BA against ReadGoogle_BA", Assert.Single(CellPairs.Named(cells, ["*Read*"], ["Google=Slab"])).Name);
        Assert.Equal("ReadSlab_ROM against ReadGoogle_BA", Assert.Single(CellPairs.Named(cells, ["*Read*"], ["Google_BA=Slab_ROM"])).Name);
        Assert.Equal("CopySlab_ROM against CopyGoogle_BA", Assert.Single(CellPairs.Named(cells, ["*Copy*"], ["Google=Slab"])).Name);
        Assert.Equal("Grow_SlabWriter against Grow_MemoryStream",
            Assert.Single(CellPairs.Named(cells, ["*Grow*"], ["MemoryStream=SlabWriter"])).Name);
        Assert.Equal(["Direct(Size: 1 B) against Boxed(Size: 1 B)", "Direct(Size: 1 KiB) against Boxed(Size: 1 KiB)",
            "Grow_SlabWriter against Grow_MemoryStream"],
            CellPairs.Named(cells, ["*"], ["Boxed=Direct", "MemoryStream=SlabWriter"]).Select(pair => pair.Name));
        Assert.Throws<UsageException>(() => CellPairs.Named(cells, ["*"], ["Google"]));
        Assert.Throws<UsageException>(() => CellPairs.Named(cells, ["*"], ["Google=PBN"]));
    }

    [Fact]
    public void Of_two_builds_the_cells_that_both_have_are_compared_and_the_others_are_told()
    {
        var told = new List<string>();
        var pairs = CellPairs.Builds([Cell("A", "Old"), Cell("A", "Both")], [Cell("A", "Both"), Cell("A", "New")], ["*"], told.Add);
        Assert.Equal("Both", Assert.Single(pairs).Name);
        Assert.Equal(
            ["1 cells are in the base only, and are left out: Old", "1 cells are in the current build only, and are left out: New"], told);
        Assert.Contains("both builds",
            Assert.Throws<UsageException>(() => CellPairs.Builds([Cell("A", "Old")], [Cell("A", "New")], ["*"], told.Add)).Message,
                StringComparison.Ordinal);
    }

    [Fact]
    public void A_class_that_runs_only_when_named_has_to_be_named()
    {
        Assert.Equal(16, CellPairs.Same(cells, ["*"]).Length);
        Assert.Equal("Big", Assert.Single(CellPairs.Same(cells, ["*MapBenchmarks*"])).Name);
    }

    [Fact]
    public void A_pattern_without_a_cell_is_wrong_use() =>
        Assert.Contains("--filter *Nope* matches no cell", Assert.Throws<UsageException>(() => CellPairs.Same(cells, ["*Nope*"])).Message,
            StringComparison.Ordinal);

    static RunnerCell Cell(string type, string method, params (string Name, string Value)[] parameters) => new(
        $"N.{type}.{method}{(parameters.Length == 0 ? "" : $"({string.Join(", ", parameters.Select(one => $"{one.Name}: {one.Value}"))})")}",
        type,
        method,
        parameters.ToDictionary(one => one.Name, one => one.Value),
        OnlyWhenNamed: false,
        Waits: false);
}

public class SharedProcessesTests
{
    [Theory]
    [InlineData(1, "A1 A2 A3 B1 B2 C1")]
    [InlineData(2, "A1A2 A3 B1B2 C1")]
    [InlineData(16, "A1A2A3 B1B2 C1")]
    public void Only_pairs_of_the_same_two_methods_share_a_process(int most, string expected)
    {
        string[] names = ["A1", "B1", "A2", "C1", "A3", "B2"];
        var pairs = names.Select(name =>
            new DuetMeasurement(new CellPair(Cell("Old" + name[0], name[1]), Cell("New" + name[0], name[1])), sharedHeap: true, _ => null)).ToArray();
        var processes = SharedProcesses.Of(pairs, most);
        Assert.Equal(expected,
            string.Join(' ',
                processes.Select(process => string.Concat(process.Select(pair => names[Array.IndexOf(pairs, pair)])))
                    .Order(StringComparer.Ordinal)));
    }

    [Theory]
    [InlineData(1, false, true, 1)]
    [InlineData(2, false, true, 2)]
    [InlineData(64, false, true, 3)]
    [InlineData(64, true, true, 1)]
    [InlineData(64, false, false, 1)]
    public void Processes_overlap_unless_their_cells_wait_or_are_of_two_builds(int cores, bool waits, bool oneProcess, int expected)
    {
        var pair = new DuetMeasurement(new CellPair(Cell("Old", '1'), Cell("New", '1') with { Waits = waits }), sharedHeap: true, _ => null);
        Assert.Equal(expected, SharedProcesses.AtATime([pair], oneProcess, cores));
    }

    static RunnerCell Cell(string method, char size) =>
        new($"N.T.{method}(Size: {size})", "T", method, new Dictionary<string, string> { ["Size"] = $"{size}" }, OnlyWhenNamed: false,
            Waits: false);
}

using System.Text.Json;
using System.Text.Json.Nodes;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Loggers;
using ProtoBench.Harness;
using ProtoBench.Results;

namespace ProtoBench.Tests;

/// <summary>The small result file beside a saved table says the same to its readers as the file that the run wrote.</summary>
public class SavedResultTests
{
    static string Data(string name) => File.ReadAllText(Path.Combine(Golden.Root, "tests", "Results.Tests", "Data", name));

    static string Small(string json) => new SavedTable([], [], []).Into(SavedResult.Of(JsonNode.Parse(json)!.AsObject()));

    [Theory]
    [InlineData("as-written.json")] // as BenchmarkDotNet wrote it
    [InlineData("old-1.json")]
    [InlineData("several-jobs.json")] // two launches, two jobs, cells that failed
    public void It_has_the_cells_facts_and_failures_of_the_whole_file(string name)
    {
        var (whole, small) = (ResultFile.Parse(Data(name), name), ResultFile.Parse(Small(Data(name)), name));
        Assert.Equal(whole.Facts, small.Facts);
        Assert.Equal(whole.Commit, small.Commit);
        Assert.Equal(whole.Failed, small.Failed);
        Assert.Equal(whole.Cells.Select(cell => (cell.Name, cell.Unit, cell.Sample)),
            small.Cells.Select(cell => (cell.Name, cell.Unit, cell.Sample)));
        foreach (var (a, b) in whole.Cells.Zip(small.Cells))
        {
            Same(a.Values, b.Values);
            Same(a.Iterations, b.Iterations);
        }
    }

    [Fact]
    public void It_is_small()
    {
        var whole = Data("as-written.json");
        Assert.InRange(Small(whole).Length, 1, whole.Length / 4);
    }

    [Fact]
    public void A_cell_is_a_line_and_our_own_node_is_kept()
    {
        var whole = """{"Title":"t","ProtoBench":{"schema":1,"commit":"abc","note":"'quoted' & <odd>"},"Benchmarks":[{"Type":"T","Method":"A","FullName":"T.A","Statistics":{"OriginalValues":[1.5]}},{"Type":"T","Method":"B","FullName":"T.B","Statistics":null}]}""";
        var small = Small(whole);
        Assert.Equal(2, small.Split('\n').Count(line => line.Contains("FullName", StringComparison.Ordinal)));
        using var document = JsonDocument.Parse(small);
        Assert.Equal("'quoted' & <odd>", document.RootElement.GetProperty("ProtoBench").GetProperty("note").GetString());
        Assert.Equal("T.B", Assert.Single(ResultFile.Parse(small, "small.json").Failed).Full);
    }

    [Theory]
    [InlineData("DeserializeRequestSlab_ROM_A", """{"verb":"Deserialize","message":"Request","library":"Slab","buffer":"ROM","memory":"A","items":3500}""")]
    [InlineData("MeasureResponseGoogle", """{"verb":"Measure","message":"Response","library":"Google","buffer":null,"memory":null,"items":3500}""")]
    public void What_a_cell_of_the_hive_does_is_written_and_kept(string method, string expected)
    {
        var (summary, _) = MadeUp.Cell(method, 100_000);
        var written = new RunRecord(summary, null).Text;
        foreach (var json in new[] { written, Small(written) })
        {
            using var document = JsonDocument.Parse(json);
            var cell = Assert.Single(document.RootElement.GetProperty("Benchmarks").EnumerateArray().ToArray()).GetProperty("Cell");
            Assert.Equal(expected, JsonSerializer.Serialize(cell));
        }
    }

    [Fact]
    public void A_created_project_writes_what_its_cells_do()
    {
        var log = new AccumulationLogger();
        new CellFactsExporter(() => 1.9).ExportToLog(MadeUp.Class(typeof(CreatedCells), 10, 20, 30), log);
        var json = log.GetLog();
        var file = ResultFile.Parse(json, "created.json");
        Assert.Contains(file.Warnings, warning => warning.StartsWith("created.json: The machine was busy: other programs used 1.9 of ", StringComparison.Ordinal));
        Assert.Equal(Arguments.ThisCommandLine, file.Command);
        var parts = file.Cells.Select(cell => cell.Name).Distinct()
            .ToDictionary(name => name["method"]!, name => string.Join(' ', name.Parts.Skip(2).Select(part => $"{part}={name[part]}")));
        Assert.Equal("verb=DeserializeTouch message=Line_Item library=Slab memory=Alias", parts["DeserializeTouchLine_ItemSlab_Alias"]);
        Assert.Equal("verb=Call message=SlabPlace library=Slab", parts["CallSlabPlaceSlab"]);
        Assert.Equal("", parts["Sum"]);
        Assert.Equal("", parts["OfTheUser"]);
    }

    [Fact]
    public void What_is_written_of_a_cell_are_the_parts_of_its_name() => Assert.All(
        BenchmarkClasses.All.SelectMany(type => type.GetMethods()).Select(method => method.Name).Distinct()
            .Select(name => (Name: name, Cell: HiveCell.Parse(name))).Where(method => method.Cell is not null),
        method =>
        {
            var (read, written) = (CellName.Benchmark("", "", method.Name, [], null),
                CellName.Benchmark("", "", method.Name, [], null, method.Cell!.Facts));
            Assert.Equal(read.Parts.Select(part => (part, read[part])), written.Parts.Select(part => (part, written[part])));
        });

    static void Same(IReadOnlyList<double> expected, IReadOnlyList<double> actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        Assert.All(expected.Zip(actual), pair => Assert.Equal(pair.First, pair.Second, Math.Abs(pair.First) * 1e-6));
    }
}

#pragma warning disable CA1822 // cells are instance methods
/// <summary>Cells as the verb <c>new</c> writes them, and one that a user added.</summary>
public class CreatedCells
{
    [Benchmark, BenchmarkCategory("DeserializeTouch"), Measures("Slab")]
    public int DeserializeTouchLine_ItemSlab_Alias() => 1;

    [Benchmark, BenchmarkCategory("Call"), Measures("Slab")]
    public int CallSlabPlaceSlab() => 1;

    [Benchmark, BenchmarkCategory("Deserialize"), Measures("Slab")]
    public int Sum() => 1;

    [Benchmark]
    public int OfTheUser() => 1;
}
#pragma warning restore CA1822

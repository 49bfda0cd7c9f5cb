using System.Text.Json;
using ProtoBench.Results;
using ProtoBench.Saving;
using ProtoBench.Testing;

namespace ProtoBench.Tests.Saving;

/// <summary>The small result file beside a saved table says the same to its readers as the file that the run wrote.</summary>
public class SavedResultTests
{
    static string Data(string name) => File.ReadAllText(Path.Combine(Golden.Root, "tests", "Results.Tests", "Data", name));

    [Theory]
    [InlineData("as-written.json")] // as BenchmarkDotNet wrote it
    [InlineData("old-1.json")]
    [InlineData("several-jobs.json")] // two launches, two jobs, cells that failed
    public void It_has_the_cells_facts_and_failures_of_the_whole_file(string name)
    {
        var (whole, small) = (ResultFile.Parse(Data(name), name), ResultFile.Parse(SavedResult.Of(Data(name)), name));
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
        Assert.InRange(SavedResult.Of(whole).Length, 1, whole.Length / 4);
    }

    [Fact]
    public void A_cell_is_a_line_and_our_own_node_is_kept()
    {
        var whole = """{"Title":"t","ProtoBench":{"schema":1,"commit":"abc","note":"'quoted' & <odd>"},"Benchmarks":[{"Type":"T","Method":"A","FullName":"T.A","Statistics":{"OriginalValues":[1.5]}},{"Type":"T","Method":"B","FullName":"T.B","Statistics":null}]}""";
        var small = SavedResult.Of(whole);
        Assert.Equal(2, small.Split('\n').Count(line => line.Contains("FullName", StringComparison.Ordinal)));
        using var document = JsonDocument.Parse(small);
        Assert.Equal("'quoted' & <odd>", document.RootElement.GetProperty("ProtoBench").GetProperty("note").GetString());
        Assert.Equal("T.B", Assert.Single(ResultFile.Parse(small, "small.json").Failed).Full);
    }

    [Fact]
    public void The_page_divides_by_the_items_that_the_payload_has() => Assert.Equal(Payloads.Hive.Items, Report.Model.Measured.HiveItems);

    static void Same(IReadOnlyList<double> expected, IReadOnlyList<double> actual)
    {
        Assert.Equal(expected.Count, actual.Count);
        Assert.All(expected.Zip(actual), pair => Assert.Equal(pair.First, pair.Second, Math.Abs(pair.First) * 1e-6));
    }
}

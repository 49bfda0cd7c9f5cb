namespace ProtoBench.DuetRunner.Tests;

public class CellCatalogTests
{
    readonly CellCatalog catalog = new(typeof(CellCatalogTests).Assembly);

    [Fact]
    public void Cells_have_the_names_and_parameters_that_BenchmarkDotNet_gives_them()
    {
        var cells = catalog.List().Where(cell => cell.Type == nameof(CountingBenchmarks)).ToArray();
        Assert.Equal(cells.Where(cell => cell.Method.EndsWith("Async", StringComparison.Ordinal)), cells.Where(cell => cell.Waits));
        Assert.Equal(18, cells.Length);
        Assert.Contains(cells,
            cell => cell is { Name: "ProtoBench.DuetRunner.Tests.CountingBenchmarks.Count(Size: 3)", Method: "Count" }
            && cell.Parameters["Size"] == "3");
        var say = Assert.Single(cells, cell => cell.Name == "ProtoBench.DuetRunner.Tests.CountingBenchmarks.Say(word: \"two\", Size: 5)");
        Assert.Equal(("5", "two"), (say.Parameters["Size"], say.Parameters["word"].Trim('"')));
    }

    [Fact]
    public void A_cell_is_set_up_and_cleaned_up_as_a_run_would()
    {
        using (var cell = catalog.Find("ProtoBench.DuetRunner.Tests.SetUpBenchmarks.CountLaterAsync(Size: 3)"))
        {
            Assert.Equal("made set up with 3 ", SetUpBenchmarks.Story);
            cell.Call(2);
            Assert.True(cell.Waits);
            Assert.Equal(4, cell.OperationsPerCall);
        }

        Assert.Equal("made set up with 3 called called cleaned up", SetUpBenchmarks.Story);
    }

    [Fact]
    public void A_cell_with_an_iteration_setup_is_refused_with_the_reason()
    {
        const string name = "ProtoBench.DuetRunner.Tests.RefusedBenchmarks.NeedsPreparing";
        Assert.Contains("[IterationSetup] Prepare", Assert.Single(catalog.List(), cell => cell.Name == name).Refused,
            StringComparison.Ordinal);
        Assert.Contains("[IterationSetup] Prepare", Assert.Throws<RunnerException>(() => catalog.Find(name)).Message,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_cell_that_is_not_there_is_named() =>
        Assert.Contains("N.T.Nothing: there is no such cell", Assert.Throws<RunnerException>(() => catalog.Find("N.T.Nothing")).Message,
            StringComparison.Ordinal);
}

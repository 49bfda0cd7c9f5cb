using ProtoBench.Verbs;

namespace ProtoBench.Tests.Verbs;

public sealed class TargetsVerbTests : IDisposable
{
    readonly Sandbox sandbox = new();

    public void Dispose() => sandbox.Dispose();

    [Fact]
    public void Held_targets_are_exit_code_0_and_others_1()
    {
        Assert.Equal(0, Targets(List("Slow / Fast >= 8"), Launch()).Exit);
        Assert.Equal(1, Targets(List("Slow / Fast >= 12"), Launch()).Exit);
    }

    [Fact]
    public void A_target_whose_cells_were_not_measured_does_not_pass()
    {
        var (exit, output, error) = Targets(List("Slow / Fast >= 8", "Slow / Gone >= 2"), Launch());
        Assert.Equal(4, exit);
        Assert.Contains("| Fast against Slow |", output, StringComparison.Ordinal);
        Assert.Equal("not measured: Slow / Gone\nthe cells of 1 of 2 targets are not in these files; --filter chooses targets\n", error);
        Assert.Equal(0, Targets(List("Slow / Fast >= 8", "Slow / Gone >= 2"), Launch(), "--filter", "Fast").Exit);
        Assert.Equal(4, Targets(List("Slow / Gone >= 2"), Launch()).Exit);
        Assert.Equal(1, Targets(List("Slow / Fast >= 12", "Slow / Gone >= 2"), Launch()).Exit);
        Assert.Equal(2, Targets(List("Slow / Fast >= 8"), Launch(), "--filter", "Nothing").Exit);
    }

    [Theory]
    [InlineData("Slow / Fast >= 1.2.3")]
    [InlineData("Slow / Fast >= .")]
    public void A_damaged_list_is_one_line(string line) => OneLine(Targets(List(line), Launch()));

    [Fact]
    public void Paths_that_cannot_be_read_or_written_are_one_line()
    {
        OneLine(Targets(sandbox.Folder, Launch()));
        OneLine(Targets(Path.Combine(sandbox.Folder, "absent.txt"), Launch()));
        OneLine(Targets(List("Slow / Fast >= 8"), Launch(), "--out", sandbox.Folder));
        OneLine(Targets(List("Slow / Fast >= 8"), Launch(), "--out", Path.Combine(sandbox.Folder, "absent", "table.md")));
    }

    [Fact]
    public void The_table_is_written_too()
    {
        var path = Path.Combine(sandbox.Folder, "table.md");
        var (_, output, _) = Targets(List("Slow / Fast >= 8"), Launch(), "--out", path);
        Assert.Equal(File.ReadAllText(path), output);
    }

    static void OneLine((int Exit, string Output, string Error) said)
    {
        Assert.Equal(2, said.Exit);
        Assert.Equal(said.Error.Length - 1, said.Error.IndexOf('\n', StringComparison.Ordinal));
    }

    string List(params string[] lines)
    {
        var path = Path.Combine(sandbox.Folder, "targets.txt");
        File.WriteAllLines(path, lines);
        return path;
    }

    string Launch() => sandbox.Put("launch.json", ("Slow", 100), ("Fast", 10));

    static (int Exit, string Output, string Error) Targets(string list, string launch, params string[] options) =>
        Sandbox.Run(TargetsVerb.Create(), [launch, "--list", list, .. options]);
}

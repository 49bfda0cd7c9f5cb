namespace ProtoBench.Tests;

public sealed class TargetsVerbTests : IDisposable
{
    readonly Sandbox sandbox = new();

    public void Dispose() => sandbox.Dispose();

    [Theory]
    [InlineData("Slow / Fast >= 1.2.3")]
    [InlineData("Slow / Fast >= .")]
    public void A_damaged_list_is_one_line(string line) => OneLine(Targets(List(line)));

    [Fact]
    public void Paths_that_cannot_be_read_are_one_line()
    {
        OneLine(Targets(sandbox.Folder));
        OneLine(Targets(Path.Combine(sandbox.Folder, "absent.txt")));
    }

    [Fact]
    public void A_filter_that_chooses_no_target_is_one_line() => OneLine(Targets(List("Slow / Fast >= 8"), "--filter", "Nothing"));

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

    static (int Exit, string Output, string Error) Targets(string list, params string[] options) =>
        Sandbox.Run(TargetsVerb.Create(), ["--list", list, .. options]);
}

public class TargetsTests
{
    [Fact]
    public void The_committed_list_names_cells_that_exist()
    {
        var names = File.ReadAllLines(Path.Combine(Golden.Root, "tests", "ProtoBench.Tests", "Libraries", "cells.txt"))
            .Select(name => name[(name.LastIndexOf('.') + 1)..]).ToHashSet();
        var targets = Target.ParseAll(File.ReadAllText(Path.Combine(Golden.Root, "results", "targets.txt")), "targets.txt");
        Assert.NotEmpty(targets);
        Assert.All(targets.SelectMany(target => new[] { target.Slow, target.Fast }), cell => Assert.Contains(cell.Split('(')[0], names));
    }

    [Fact]
    public void A_cell_may_have_arguments()
    {
        var target = Assert.Single(Target.ParseAll("EncodeByteArray(Size: 1 B) / EncodeDirect(Size: 1 B) >= 1.43", "t.txt"));
        Assert.Equal(new("EncodeByteArray(Size: 1 B)", "EncodeDirect(Size: 1 B)", 1.43), target);
    }

    [Theory]
    [InlineData("a / b >= 1.2.3")]
    [InlineData("a / b >= .")]
    [InlineData("a / b >= 0")]
    [InlineData("a / b >= -1")]
    [InlineData("a / b >= 1e5")]
    [InlineData("a / b >= 99999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999999")]
    public void A_figure_that_is_none_is_named(string line) =>
        Assert.StartsWith("t.txt:1: '", Assert.Throws<UsageException>(() => Target.ParseAll(line, "t.txt")).Message,
            StringComparison.Ordinal);

    [Fact]
    public void A_bad_line_is_named() =>
        Assert.Contains("t.txt:2: 'a over b' is no target",
            Assert.Throws<UsageException>(() => Target.ParseAll("# comment\na over b\n", "t.txt")).Message, StringComparison.Ordinal);
}

using System.Globalization;
using ProtoBench.Results;
using ProtoBench.Testing;
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

    // Launch medians 100, 120, 110 against 10, 10, 11: 110 / 10 = 11, and within the launches 10, 12 and 10.
    [Fact]
    public void A_ratio_is_that_of_the_medians_and_its_range_that_of_the_launches()
    {
        var launches = new[] { Launch(100, 10), Launch(120, 10), Launch(110, 11) };
        var judged = Assert.Single(Targets.Judge([new("Slow", "Fast", 11.5)], launches));
        Assert.Equal((11, 10, 12, 3, false), (judged.Times, judged.Low, judged.High, judged.Launches, judged.Reached));
        Assert.Contains("| Fast against Slow | 11.0 | 10.0 to 12.0 | 11.5, not reached | 3 |", Targets.ToMarkdown([judged]),
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_target_without_its_cells_is_not_judged() => Assert.Empty(Targets.Judge([new("Slow", "Other", 1)], [Launch(1, 1)]));

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

    static ResultFile Launch(double slow, double fast)
    {
        string Cell(string name, double ns) => $$"""
            { "DisplayInfo": "T.{{name}}: Job", "Namespace": "N", "Type": "T", "Method": "{{name}}", "MethodTitle": "{{name}}", "Parameters": "", "FullName": "N.T.{{name}}",
              "Statistics": { "OriginalValues": [{{Text(ns)}}], "N": 1, "Median": {{Text(ns)}}, "Mean": {{Text(ns)}} },
              "Memory": { "BytesAllocatedPerOperation": 0, "Gen0Collections": 0, "Gen1Collections": 0, "Gen2Collections": 0, "TotalOperations": 1 },
              "Measurements": [ { "IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1, "IterationIndex": 1, "Operations": 1, "Nanoseconds": {{Text(ns)}} } ], "Metrics": [] }
            """;
        return ResultFile.Parse(
            $$"""{ "Title": "t", "HostEnvironmentInfo": { "BenchmarkDotNetVersion": "0.14.0" }, "Benchmarks": [ {{Cell("Slow", slow)}}, {{Cell("Fast", fast)}} ] }""", "launch.json");
    }

    static string Text(double value) => value.ToString(CultureInfo.InvariantCulture);
}

namespace ProtoBench.Tests;

public sealed class CompareVerbTests : IDisposable
{
    readonly Sandbox sandbox = new();

    [Fact]
    public void The_table_goes_to_standard_output_and_warnings_go_to_standard_error()
    {
        var (exit, output, error) = Compare(Sides(1.0, 0.8));
        Assert.Equal(0, exit);
        Assert.Contains("better", output, StringComparison.Ordinal);
        Assert.DoesNotContain("warning", output, StringComparison.Ordinal);
        Assert.Equal("", error);

        var path = sandbox.Put("twice.json", ("Parse", 7));
        Assert.Contains("warning: ", Compare("a=" + path, "a=" + path, "b=" + path).Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(1.2, "worse", 1)]
    [InlineData(1.2, "any", 1)]
    [InlineData(1.2, null, 0)]
    [InlineData(0.8, "worse", 0)]
    [InlineData(0.8, "any", 1)]
    [InlineData(1.0001, "any", 0)]
    public void A_guard_is_an_exit_code(double factor, string? failOn, int exit) =>
        Assert.Equal(exit, Compare([.. Sides(1.0, factor), .. failOn == null ? Array.Empty<string>() : ["--fail-on", failOn]]).Exit);

    // 24 cells, ten times slower, five launches a side: Holm asks for p = 0.05/24, and 2/252 is the smallest there is.
    [Fact]
    public void A_guard_that_cannot_judge_does_not_pass()
    {
        string[] Many(int launches, double factor) =>
        [
            .. new[] { ("old", 1.0), ("new", factor) }.SelectMany(side => Enumerable.Range(0, launches).Select(launch =>
                $"{side.Item1}={sandbox.Put($"{side.Item1}-{launches}-{launch}.json", [.. Enumerable.Range(0, 24).Select(cell => ($"Cell{cell}", (100 + launch) * side.Item2))])}")),
        ];
        var (exit, output, error) = Compare([.. Many(5, 10), "--fail-on", "worse"]);
        Assert.Equal(3, exit);
        Assert.Contains("24 undecided", output, StringComparison.Ordinal);
        Assert.Equal(
            "--fail-on: 24 of 24 changes could not have been called better or worse, however large; 7 launches a side would do "
                + "(--launchCount 7), or use the verb duet\n", error);
        Assert.Equal(1, Compare([.. Many(7, 10), "--fail-on", "worse"]).Exit);
        Assert.Equal(0, Compare([.. Many(7, 1), "--fail-on", "any"]).Exit);
        Assert.Equal(0, Compare(Many(5, 10)).Exit);
    }

    [Fact]
    public void Missing_cells_do_not_pass()
    {
        string[] apart = ["old=" + sandbox.Put("a.json", ("Parse", 1)), "new=" + sandbox.Put("b.json", ("Write", 1))];
        Assert.Equal((4, "nothing was compared: no row is in old and in another column\n"), (Compare(apart).Exit, Compare(apart).Error));
        Assert.Equal(4, Compare([.. apart, "--fail-on", "worse"]).Exit);
        string[] fewer = ["old=" + sandbox.Put("c.json", ("Parse", 1), ("Write", 1)), "new=" + sandbox.Put("d.json", ("Write", 1))];
        Assert.Equal(4, Compare([.. fewer, "--fail-on", "worse"]).Exit);
        Assert.Contains("1 rows of old are missing in another column; --filter leaves them out",
            Compare([.. fewer, "--fail-on", "worse"]).Error, StringComparison.Ordinal);
        Assert.Equal(1, Compare([.. fewer, "--fail-on", "any"]).Exit);
    }

    [Fact]
    public void Changed_rows_are_chosen()
    {
        string[] sides =
        [
            .. new[] { ("old", 1.0), ("new", 1.5) }.SelectMany(side => Enumerable.Range(0, 8).Select(launch =>
                $"{side.Item1}={sandbox.Put($"{side.Item1}-{launch}.json", ("Same", 100 + launch), ("Slower", (100 + launch) * side.Item2), ("Faster", (100 + launch) / side.Item2 / side.Item2))}")),
        ];
        string Rows(params string[] options) =>
            string.Join(' ',
                Compare([.. sides, .. options]).Output.Split('\n').Select(line => line.Split(' ')[0])
                    .Where(name => name is "Same" or "Slower" or "Faster"));
        Assert.Equal("Faster Same Slower", Rows());
        Assert.Equal("Faster Slower", Rows("--changed"));
        Assert.Equal("Faster", Rows("--changed", "--threshold", "60%"));
        Assert.Equal(1, Compare([.. sides, "--changed", "--fail-on", "worse"]).Exit);
    }

    [Fact]
    public void A_change_below_the_threshold_guards_nothing() =>
        Assert.Equal(0, Compare([.. Sides(1.0, 1.2), "--fail-on", "worse", "--threshold", "25%"]).Exit);

    [Theory]
    [InlineData("text", "ns/op, lower is better")]
    [InlineData("md", "| `Parse` |")]
    [InlineData("json", "\"schemaVersion\": 1")]
    [InlineData("customSmallerIsBetter", "\"name\": \"Parse - ns/op\"")]
    public void There_are_four_forms(string format, string part) =>
        Assert.Contains(part, Compare([.. Sides(1, 2), "--format", format]).Output, StringComparison.Ordinal);

    [Fact]
    public void Pairs_and_filters_are_understood()
    {
        var path = sandbox.Put("hive.json", ("SerializeRequestGoogle_BW", 30), ("SerializeRequestSlab_BW", 10), ("MeasureRequestSlab", 1));
        Assert.Contains("SerializeRequest*_BW", Compare(path, "--pair", "Google=Slab", "--filter", "verb=Serialize").Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--threshold", "5")]
    [InlineData("--threshold", "-5%")]
    [InlineData("--threshold", "five%")]
    [InlineData("--threshold", "99999999999999999999999999999999%")]
    [InlineData("--fail-on", "sometimes")]
    [InlineData("--format", "html")]
    [InlineData("--colour", "red")]
    [InlineData("--filter", "NoSuchCell")]
    public void Wrong_use_is_exit_code_2(string option, string value)
    {
        var (exit, _, error) = Compare([.. Sides(1, 1), option, value]);
        Assert.Equal(2, exit);
        Assert.NotEqual("", error);
    }

    [Theory]
    [InlineData("", "the file is empty")]
    [InlineData("<html>", "not JSON, or cut short")]
    [InlineData("{ \"Benchmarks\": [null] }", "damaged: $.Benchmarks[0] is null")]
    [InlineData("{}", "neither BenchmarkDotNet's full JSON")]
    [InlineData("{ \"Benchmarks\": [ {", "not JSON, or cut short")]
    public void A_damaged_file_is_one_line_and_exit_code_2(string text, string reason)
    {
        var path = Path.Combine(sandbox.Folder, "damaged.json");
        File.WriteAllText(path, text);
        var (exit, output, error) = Compare(path, path);
        Assert.Equal((2, ""), (exit, output));
        Assert.StartsWith($"{path}: {reason}", error, StringComparison.Ordinal);
        Assert.Equal(error.Length - 1, error.IndexOf('\n', StringComparison.Ordinal));
    }

    [Fact]
    public void Nothing_to_compare_is_wrong_use()
    {
        Assert.Equal(2, Compare().Exit);
        Assert.Equal((2, "two sides are needed, or --pair\n"),
            (Compare(sandbox.Put("one.json", ("Parse", 1))).Exit, Compare(sandbox.Put("one.json", ("Parse", 1))).Error));
    }

    string[] Sides(double old, double @new) =>
    [
        .. Enumerable.Range(0, 6).Select(i => "old=" + sandbox.Put($"old-{i}.json", ("Parse", (100 + i) * old))),
        .. Enumerable.Range(0, 6).Select(i => "new=" + sandbox.Put($"new-{i}.json", ("Parse", (100 + i) * @new))),
    ];

    public void Dispose() => sandbox.Dispose();

    static (int Exit, string Output, string Error) Compare(params string[] arguments) => Sandbox.Run(CompareVerb.Create(), arguments);
}

using ProtoBench.Verbs;

namespace ProtoBench.Tests.Verbs;

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

    [Fact]
    public void A_change_below_the_threshold_guards_nothing() =>
        Assert.Equal(0, Compare([.. Sides(1.0, 1.2), "--fail-on", "worse", "--threshold", "25%"]).Exit);

    [Theory]
    [InlineData("text", "ns/op, lower is better")]
    [InlineData("md", "| `Parse` |")]
    [InlineData("csv", "unit,row,column")]
    [InlineData("json", "\"schemaVersion\": 1")]
    [InlineData("customSmallerIsBetter", "\"name\": \"Parse - ns/op\"")]
    public void There_are_five_forms(string format, string part) => Assert.Contains(part, Compare([.. Sides(1, 2), "--format", format]).Output, StringComparison.Ordinal);

    [Fact]
    public void Rows_columns_pairs_and_filters_are_understood()
    {
        var path = sandbox.Put("hive.json", ("SerializeRequestGoogle_BW", 30), ("SerializeRequestSlab_BW", 10), ("MeasureRequestSlab", 1));
        Assert.Contains("SerializeRequest_BW", Compare(path, "--col", "library=Google,Slab", "--filter", "verb=Serialize").Output, StringComparison.Ordinal);
        Assert.Contains("Serialize_BW", Compare(path, "--col", "library", "--row", "verb,buffer", "--filter", "verb=Serialize").Output, StringComparison.Ordinal);
        Assert.Contains("SerializeRequest*_BW", Compare(path, "--pair", "Google=Slab").Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--threshold", "5")]
    [InlineData("--threshold", "-5%")]
    [InlineData("--threshold", "five%")]
    [InlineData("--alpha", "2")]
    [InlineData("--alpha", "0,05")]
    [InlineData("--fail-on", "sometimes")]
    [InlineData("--format", "html")]
    [InlineData("--correction", "luck")]
    [InlineData("--colour", "red")]
    [InlineData("--col", "colour")]
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
        Assert.Equal((2, "two sides are needed, or --pair, or --col\n"), (Compare(sandbox.Put("one.json", ("Parse", 1))).Exit, Compare(sandbox.Put("one.json", ("Parse", 1))).Error));
    }

    string[] Sides(double old, double @new) =>
    [
        .. Enumerable.Range(0, 6).Select(i => "old=" + sandbox.Put($"old-{i}.json", ("Parse", (100 + i) * old))),
        .. Enumerable.Range(0, 6).Select(i => "new=" + sandbox.Put($"new-{i}.json", ("Parse", (100 + i) * @new))),
    ];

    public void Dispose() => sandbox.Dispose();

    static (int Exit, string Output, string Error) Compare(params string[] arguments) => Sandbox.Run(CompareVerb.Create(), arguments);
}

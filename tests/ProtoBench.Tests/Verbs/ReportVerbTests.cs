namespace ProtoBench.Tests;

public sealed class ReportVerbTests : IDisposable
{
    readonly Sandbox sandbox = new();

    string Page => Path.Combine(sandbox.Folder, "report.html");

    public void Dispose() => sandbox.Dispose();

    [Fact]
    public void Results_become_a_page_that_names_its_command()
    {
        var result = sandbox.Put("one.json", ("SerializeRequestGoogle_BW", 30));
        Assert.Equal((0, $"{Page}: 1 cells, 0 load results\n", ""), Report(result, "--out", Page));
        Assert.Contains($"report {result} --out {Page}", File.ReadAllText(Page), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{")]
    [InlineData("")]
    [InlineData("[1]")]
    public void A_damaged_file_is_one_line_and_exit_code_2_and_leaves_no_page(string text)
    {
        var path = Path.Combine(sandbox.Folder, "damaged.json");
        File.WriteAllText(path, text);
        var (exit, output, error) = Report(sandbox.Put("one.json", ("Parse", 1)), path, "--out", Page);
        Assert.Equal((2, ""), (exit, output));
        Assert.StartsWith(path + ": ", error, StringComparison.Ordinal);
        Assert.Equal(error.Length - 1, error.IndexOf('\n', StringComparison.Ordinal));
        Assert.False(File.Exists(Page));
    }

    [Fact]
    public void Wrong_use_is_one_line_and_exit_code_2()
    {
        var (one, other) = (sandbox.Put("one.json", ("Parse", 1)), sandbox.Put("other.json", ("Write", 1)));
        Assert.Equal((2, "", "nothing to compare: no cell is in old and in new\n"), Report("old=" + one, "new=" + other, "--out", Page));
        Assert.Equal((2, "", $"--out: {one} is one of the results\n"), Report(one, "--out", one));
        Assert.StartsWith("--out: cannot write ", Report(one, "--out", sandbox.Folder).Error, StringComparison.Ordinal);
        Assert.Equal(2, Report(Path.Combine(sandbox.Folder, "absent.json")).Exit);
        Assert.Equal(2, Report().Exit);
    }

    static (int Exit, string Output, string Error) Report(params string[] arguments) => Sandbox.Run(ReportVerb.Create(), arguments);
}

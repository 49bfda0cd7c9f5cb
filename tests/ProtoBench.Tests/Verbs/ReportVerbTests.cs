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
        Assert.Equal((0, $"{Page}: 1 cell\n", ""), Report(result, "--out", Page));
        Assert.Contains($"report {result} --out {Page}", File.ReadAllText(Page), StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_only_a_table_is_on_the_page_but_not_in_a_comparison()
    {
        var table = Path.Combine(sandbox.Folder, "settings.json");
        File.WriteAllText(table, """{ "table": { "about": ["made by hand"], "columns": ["Setting", "Calls/s"], "rows": [["one", "1,046"]] } }""");
        Assert.Equal((0, $"{Page}: 1 table\n", ""), Report(table, "--out", Page));
        var page = File.ReadAllText(Page);
        Assert.Contains("<h3>settings</h3>", page, StringComparison.Ordinal);
        Assert.Contains("""<td data-v="1046">1,046</td>""", page, StringComparison.Ordinal);
        Assert.Equal((2, "", $"--out: {table} is one of the results\n"), Report(table, "--out", table));
        var (exit, _, error) = Sandbox.Run(CompareVerb.Create(), "old=" + table, "new=" + sandbox.Put("one.json", ("Parse", 1)));
        Assert.Equal((2, $"{table}: a table, without figures to compare\n"), (exit, error));
    }

    [Fact]
    public void Other_pages_are_in_the_navigation()
    {
        var result = sandbox.Put("one.json", ("Parse", 30));
        Assert.Equal(0, Report(result, "--out", Page, "--link", "Under load=load.html", "Pairs=pairs.html?a=b").Exit);
        var page = File.ReadAllText(Page);
        Assert.Contains("""<li><a href="load.html">Under load</a></li>""", page, StringComparison.Ordinal);
        Assert.Contains("""<li><a href="pairs.html?a=b">Pairs</a></li>""", page, StringComparison.Ordinal);
        Assert.Equal((2, "", "--link: 'load.html' is not NAME=ADDRESS, such as Load=load.html\n"), Report(result, "--out", Page, "--link", "load.html"));
    }

    [Theory]
    [InlineData("{")]
    [InlineData("")]
    [InlineData("[1]")]
    [InlineData("""{ "table": 5 }""")]
    [InlineData("""{ "table": { "about": [], "columns": ["A", "B"], "rows": [["1"]] } }""")]
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

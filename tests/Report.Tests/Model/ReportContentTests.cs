using ProtoBench.Report.Model;
using ProtoBench.Results;

namespace ProtoBench.Report.Tests.Model;

public sealed class ReportContentTests : IDisposable
{
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-report-");

    public void Dispose() => folder.Delete(recursive: true);

    [Theory]
    [InlineData("")]
    [InlineData("{")]
    [InlineData("[]")]
    [InlineData("not JSON")]
    [InlineData("""{ "Benchmarks": [] }""")]
    [InlineData("""{ "Benchmarks": [ { "Type": "T" } ] }""")]
    [InlineData("""{ "schemaVersion": 99, "variants": [] }""")]
    public void A_damaged_file_is_one_line_that_names_it(string text)
    {
        var path = Put("damaged.json", text);
        var damaged = Assert.Throws<DamagedFileException>(() => Read(Pages.Data("hive.json"), path));
        Assert.StartsWith(path + ": ", damaged.Message, StringComparison.Ordinal);
        Assert.DoesNotContain('\n', damaged.Message);
    }

    [Fact]
    public void A_file_that_was_cut_short_anywhere_is_damaged()
    {
        var whole = File.ReadAllText(Pages.Data("attribute.json"));
        for (var length = 0; length < whole.TrimEnd().Length; length += 997)
            Assert.Throws<DamagedFileException>(() => Read(Put("cut.json", whole[..length])));
    }

    [Fact]
    public void Labels_are_for_all_paths_or_for_none() =>
        Assert.StartsWith("either every path has a label, or none", Assert.Throws<UsageException>(() => Read("old=" + Pages.Data("hive.json"), Pages.Data("open.json"))).Message, StringComparison.Ordinal);

    [Fact]
    public void Sides_with_nothing_in_common_are_not_compared() =>
        Assert.Equal("nothing to compare: no cell is in old and in new", Assert.Throws<UsageException>(() => Read("old=" + Pages.Data("hive.json"), "new=" + Pages.Data("open.json"))).Message);

    [Fact]
    public void Benchmarks_and_load_results_share_a_page_without_a_word_about_their_differences()
    {
        var content = Read(Pages.Data("hive.json"), Pages.Data("attribute.json"));
        Assert.Equal((62, 1), (content.Cells.Count, content.Loads.Count));
        Assert.DoesNotContain(content.Warnings, warning => warning.Contains("differs", StringComparison.Ordinal));
    }

    [Fact]
    public void Files_whose_cells_become_one_figure_have_to_agree()
    {
        var other = File.ReadAllText(Pages.Data("hive.json")).Replace("\"AMD EPYC\"", "\"Another\"", StringComparison.Ordinal).Replace("770802", "770803", StringComparison.Ordinal);
        var content = Read(Pages.Data("hive.json"), Put("other.json", other));
        Assert.Contains(content.Warnings, warning => warning.StartsWith("processor differs", StringComparison.Ordinal));
        Assert.All(content.Cells, cell => Assert.Equal("2 launches", cell.Time.Basis));
    }

    [Fact]
    public void An_invalid_run_is_named() => Assert.Contains(Read(Pages.Data("open.json")).Warnings, warning => warning.Contains("INVALID", StringComparison.Ordinal));

    static ReportContent Read(params string[] arguments) => ReportContent.Read(arguments, new ComparisonOptions());

    string Put(string name, string text)
    {
        var path = Path.Combine(folder.FullName, name);
        File.WriteAllText(path, text);
        return path;
    }
}

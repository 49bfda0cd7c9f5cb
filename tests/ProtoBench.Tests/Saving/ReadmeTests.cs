using System.Text.RegularExpressions;
using ProtoBench.Saving;
using ProtoBench.Testing;

namespace ProtoBench.Tests.Saving;

/// <summary>README's tables and links are true, or this is red.</summary>
public partial class ReadmeTests
{
    static readonly string readme = File.ReadAllText(Path.Combine(Golden.Root, "README.md"));

    [Fact]
    public void Tables_are_those_that_runs_have_saved() =>
        Assert.Equal(readme, ReadmeTables.Refresh(readme, file => File.ReadAllText(Path.Combine(Golden.Root, file))));

    [Fact]
    public void The_two_commands_are_there()
    {
        Assert.Contains("dotnet run -c Release --project src/ProtoBench -- --filter '*Request*'", ReadmeCommandTests.Commands);
        Assert.Contains("dotnet test -c Release", ReadmeCommandTests.Commands);
        Assert.Contains("dotnet test -c Release", File.ReadAllText(Path.Combine(Golden.Root, ".ci", "run")), StringComparison.Ordinal);
    }

    [Fact]
    public void Links_lead_somewhere() =>
        Assert.All(Link().Matches(readme).Select(link => link.Groups["path"].Value), path => Assert.True(Path.Exists(Path.Combine(Golden.Root, path)), path));

    [Fact]
    public void The_terms_table_has_every_part_of_a_name()
    {
        foreach (var term in new[] { "Serialize", "Measure", "MeasureSerialize", "DeserializeTouch", "DeserializeStrings", "Request, Response", "Mixed", "Google", "GoogleBytes", "PBN", "Floor", "MS", "CS", "BA", "ROM", "ROS", "BW", "_H", "_A" })
            Assert.Matches($@"\n\| ([^|]*, )?{term}(, [^|]*)? \|", readme);
    }

    [Fact]
    public void A_marker_takes_rows_and_columns_from_its_file()
    {
        const string table = "text\n| Method | Mean | Ratio |\n|--- |---:|---:|\n| A_x | 1 | 2 |\n| | | |\n| B_x | 3 | 4 |\n";
        Assert.Equal(
            "<!-- table t.md ; rows ^B ; columns Method, Ratio -->\n| Method | Ratio |\n| --- | ---: |\n| B_x | 4 |\n<!-- end -->",
            ReadmeTables.Refresh("<!-- table t.md ; rows ^B ; columns Method, Ratio -->\nold\n<!-- end -->", _ => table));
        Assert.Throws<InvalidDataException>(() => ReadmeTables.Refresh("<!-- table t.md ; rows ^C ; columns Method -->\n<!-- end -->", _ => table));
        Assert.Throws<InvalidDataException>(() => ReadmeTables.Refresh("<!-- table t.md ; rows ^A ; columns Median -->\n<!-- end -->", _ => table));
    }

    [GeneratedRegex(@"\]\((?<path>[^)#:]+)\)", RegexOptions.ExplicitCapture)]
    private static partial Regex Link();
}

using System.Text.RegularExpressions;

namespace ProtoBench.Tests;

public partial class HowEachIsCalledTests
{
    [Fact]
    public void The_page_has_the_calls_of_the_cells()
    {
        var page = File.ReadAllText(Path.Combine(Golden.Root, "docs", "results", "how-each-is-called.md"));
        var rows = Row().Matches(page);
        Assert.NotEmpty(rows);
        var code = string.Concat(Directory.GetFiles(Path.Combine(Golden.Root, "src", "ProtoBench", "Benchmarks"), "*.cs").Select(File.ReadAllText));
        Assert.All(rows, row => Assert.Contains(row.Groups["call"].Value, BodyOf(row.Groups["cell"].Value, code), StringComparison.Ordinal));
    }

    static string BodyOf(string cell, string code)
    {
        var start = code.IndexOf($" {cell}()", StringComparison.Ordinal);
        Assert.True(start >= 0, $"there is no cell {cell}");
        return code[start..code.IndexOf("[Benchmark", start, StringComparison.Ordinal)];
    }

    [GeneratedRegex(@"^\| [^|`]+ \| (?<cell>\w+) \| `(?<call>[^`]+)` \|\r?$", RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex Row();
}

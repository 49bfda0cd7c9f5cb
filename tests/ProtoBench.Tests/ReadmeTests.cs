using System.Text.RegularExpressions;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Running;
using ProtoBench.Testing;

namespace ProtoBench.Tests;

/// <summary>README's commands, tables and links are true, or this is red.</summary>
public partial class ReadmeTests
{
    static readonly string readme = File.ReadAllText(Path.Combine(Golden.Root, "README.md"));

    public static TheoryData<string> Commands { get; } = [.. CodeBlock().Matches(readme).SelectMany(block => block.Groups["lines"].Value.Split('\n')).Where(line => line.Length > 0).Distinct()];

    [Fact]
    public void Tables_are_those_that_runs_have_saved() =>
        Assert.Equal(readme, ReadmeTables.Refresh(readme, file => File.ReadAllText(Path.Combine(Golden.Root, file))));

    [Fact]
    public void The_two_commands_are_there()
    {
        Assert.Contains("dotnet run -c Release --project src/ProtoBench -- --filter '*Request*'", Commands.Select(row => row.Data));
        Assert.Contains("dotnet test -c Release", Commands.Select(row => row.Data));
        Assert.Contains("dotnet test -c Release", File.ReadAllText(Path.Combine(Golden.Root, ".ci", "run")), StringComparison.Ordinal);
    }

    /// <summary>Each command names a project that exists, a filter that matches, a verb or an option that the program has.</summary>
    [Theory]
    [MemberData(nameof(Commands))]
    public void A_command_would_run(string command)
    {
        var words = Word().Matches(command).Select(word => word.Value.Trim('\'', '"')).ToList();
        if (words.IndexOf("--project") is >= 0 and var project)
            Assert.True(Directory.Exists(Path.Combine(Golden.Root, words[project + 1])), words[project + 1]);
        foreach (var at in Enumerable.Range(0, words.Count - 1).Where(i => words[i] == "--filter" && command.Contains("src/ProtoBench", StringComparison.Ordinal)))
            Assert.Contains(BenchmarkClasses.All, type => BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty().AddFilter(new GlobFilter([words[at + 1]]))).BenchmarksCases.Length > 0);
        foreach (var option in words.Where(word => word is "--save" or "--note"))
            Assert.Contains(option, Help.Text, StringComparison.Ordinal);
        if (command.Contains("src/ProtoBench", StringComparison.Ordinal) && words.IndexOf("--") is >= 0 and var dashes && !words[dashes + 1].StartsWith('-'))
            Assert.Contains($"\n  {words[dashes + 1]} ", Help.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void Links_lead_somewhere() =>
        Assert.All(Link().Matches(readme).Select(link => link.Groups["path"].Value), path => Assert.True(Path.Exists(Path.Combine(Golden.Root, path)), path));

    [Fact]
    public void The_terms_table_has_every_part_of_a_name()
    {
        foreach (var term in new[] { "Serialize", "Measure", "MeasureSerialize", "DeserializeTouch", "Request, Response", "Mixed", "Google", "GoogleBytes", "PBN", "Floor", "MS", "CS", "BA", "ROM", "ROS", "BW", "_H", "_A" })
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

    [GeneratedRegex("```sh\n(?<lines>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex CodeBlock();

    [GeneratedRegex("""'[^']*'|"[^"]*"|\S+""")]
    private static partial Regex Word();

    [GeneratedRegex(@"\]\((?<path>[^)#:]+)\)", RegexOptions.ExplicitCapture)]
    private static partial Regex Link();
}

using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using ProtoBench.Benchmarks;
using ProtoBench.Results;
using ProtoBench.Saving;

namespace ProtoBench.Tests.Saving;

/// <summary>A table that was saved says by itself how it came about.</summary>
public sealed partial class SavedTableTests : IDisposable
{
    readonly string root = Directory.CreateTempSubdirectory("saved-").FullName;

    [Fact]
    public void Each_table_has_the_facts_of_its_own_run()
    {
        var summary = MadeUp.Class(typeof(MeasureBenchmarks), 100, 101, 102);
        var first = Save("First", "made from sources");
        var second = Save("Second", null);
        Assert.Contains("\nNote: made from sources\n", Facts(first), StringComparison.Ordinal);
        Assert.DoesNotContain("Note:", Facts(second), StringComparison.Ordinal);
        Assert.All([first, second], table =>
        {
            var facts = Facts(table);
            var written = JsonNode.Parse(File.ReadAllText(Path.ChangeExtension(table, ".json")))!["ProtoBench"]!;
            foreach (var (name, value) in new[] { ("CPU", "cpu"), ("Runtime", "runtime"), ("GC", "gc"), ("Date", "date") })
                Assert.Contains($"\n{name}: {written[value]}\n", "\n" + facts, StringComparison.Ordinal);
            Assert.Contains($"\nCommit: {Git.Commit(AppContext.BaseDirectory) ?? "unknown"}", facts, StringComparison.Ordinal);
            Assert.Contains("\nGoogle.Protobuf: ", facts, StringComparison.Ordinal);
            Assert.All(BuildFacts.OptionalPackages,
                package => Assert.Contains($"\n{package.Key}: {package.Value}\n", facts, StringComparison.Ordinal));
            Assert.Matches(@"\nDate: \d{4}-\d\d-\d\d\n", facts);
        });
        Assert.Equal(4, Directory.GetFiles(Path.GetDirectoryName(first)!).Length); // two tables with their figures, and nothing shared

        string Save(string name, string? note) => Path.Combine(root, SavedTable.Write(root, summary, name, note, map: null));
    }

    /// <summary>README and docs cut their rows out of saved tables.</summary>
    [Fact]
    public void The_facts_are_no_rows()
    {
        var table = File.ReadAllText(Path.Combine(root,
            SavedTable.Write(root, MadeUp.Class(typeof(MeasureBenchmarks), 100, 101, 102), "Measure", "a note", map: null)));
        var place = ReadmeTables.Refresh("<!-- table t.md ; rows . ; columns Method -->\n<!-- end -->", _ => table);
        Assert.All(place.Split('\n')[3..^1], row => Assert.Matches(@"^\| Measure\w+ \|$", row));
    }

    public void Dispose() => Directory.Delete(root, recursive: true);

    static string Facts(string table) =>
        LastBlock().Match(File.ReadAllText(table)) is { Success: true } block ? block.Groups["facts"].Value
        : throw new InvalidDataException("no facts below the table");

    [GeneratedRegex(@"\n\n```\n(?<facts>CPU: [^`]*)```\n\z", RegexOptions.ExplicitCapture)]
    private static partial Regex LastBlock();
}

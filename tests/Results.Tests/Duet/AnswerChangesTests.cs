using ProtoBench.Testing;

namespace ProtoBench.Results.Tests.Duet;

public sealed class AnswerChangesTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("answers-").FullName;

    [Fact]
    public void The_last_two_results_are_compared_and_overlapping_intervals_are_no_change()
    {
        Save("2026-01-01-0000", MadeDuet.Pair("Google", "Slab", [9, 9, 9]));
        Save("2026-01-02-0000", MadeDuet.Pair("Google", "Slab", [0.5, 0.5, 0.5]), MadeDuet.Pair("Google", "PBN", [1, 2, 3]));
        Save("2026-01-03-0000", MadeDuet.Pair("Google", "Slab", [0.4, 0.4, 0.4]), MadeDuet.Pair("Google", "PBN", [2, 2, 2]),
            MadeDuet.Pair("Google", "New", [1, 1, 1]));
        var lines = Write().ReplaceLineEndings("\n").TrimEnd('\n').Split('\n');
        Assert.Equal(3, lines.Length);
        Assert.StartsWith("2026-01-02-0000.json -> 2026-01-03-0000.json: ", lines[0], StringComparison.Ordinal);
        Assert.Equal("Slab against Google: 0.50 [0.50 to 0.50] -> 0.40 [0.40 to 0.40]", lines[1]);
        Assert.Matches(@"^PBN against Google: 1\.82 \[.*\] -> 2\.00 \[2\.00 to 2\.00\], no change that these runs show$", lines[2]);
    }

    [Fact]
    public void One_result_is_not_enough()
    {
        Save("2026-01-01-0000", MadeDuet.Pair("Google", "Slab", [9, 9, 9]));
        Assert.Contains("has no two results to compare", Assert.Throws<UsageException>(Write).Message, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    void Save(string name, params DuetPair[] pairs) => DuetResultFile.Write(Path.Combine(folder, name + ".json"), MadeDuet.Result(pairs));

    string Write()
    {
        using var output = new StringWriter();
        AnswerChanges.Write(folder, output);
        return output.ToString();
    }
}

using System.CommandLine;

namespace ProtoBench.Results.Tests.Duet;

public sealed class AnswerChangesTests : IDisposable
{
    readonly string folder = Directory.CreateTempSubdirectory("answers-").FullName;

    [Fact]
    public void The_last_two_results_are_compared_and_overlapping_intervals_are_no_change()
    {
        Save("2026-01-01-0000", MadeDuet.Pair("Google", "Slab", [9, 9, 9]));
        var old = Save("2026-01-02-0000", MadeDuet.Pair("Google", "Slab", [0.5, 0.5, 0.5]), MadeDuet.Pair("Google", "PBN", [1, 2, 3]),
            MadeDuet.Pair("Google", "Old", [1, 1, 1]));
        var now = Save("2026-01-03-0000", MadeDuet.Pair("Google", "Slab", [0.4, 0.4, 0.4]), MadeDuet.Pair("Google", "PBN", [2, 2, 2]),
            MadeDuet.Pair("Google", "New", [1, 1, 1]));
        var lines = Compare().Output.TrimEnd('\n').Split('\n');
        Assert.Equal("2026-01-02-0000 -> 2026-01-03-0000: the time of a cell as a share of the one that it is compared with [95% interval]",
            lines[0]);
        Assert.Equal("Slab against Google: 0.50 [0.50 to 0.50] -> 0.40 [0.40 to 0.40]", lines[1]);
        Assert.Matches(@"^PBN against Google: 1\.82 \[.*\] -> 2\.00 \[2\.00 to 2\.00\], no change that these runs show$", lines[2]);
        Assert.Equal(["only in 2026-01-02-0000: Old against Google", "only in 2026-01-03-0000: New against Google"], lines[3..]);

        // the same two by name; an option asks for the table of all pairs
        Assert.Equal(Compare(), Compare(old, now));
        Assert.Contains("Holm", Compare(old, now, "--threshold", "5%").Output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_run_that_was_stopped_has_no_empty_brackets()
    {
        Save("2026-01-01-0000", MadeDuet.Pair("Google", "Slab", [0.61]));
        Save("2026-01-02-0000", MadeDuet.Pair("Google", "Slab", [0.6, 0.6, 0.6]));
        Assert.EndsWith("\nSlab against Google: 0.61 (one process, not judged) -> 0.60 [0.60 to 0.60]\n", Compare().Output, StringComparison.Ordinal);
    }

    [Fact]
    public void One_result_is_not_enough()
    {
        Save("2026-01-01-0000", MadeDuet.Pair("Google", "Slab", [9, 9, 9]));
        var (exit, _, error) = Compare();
        Assert.Equal(2, exit);
        Assert.Contains("has no two results to compare", error, StringComparison.Ordinal);
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    string Save(string name, params DuetPair[] pairs)
    {
        var path = Path.Combine(folder, name + ".json");
        DuetResultFile.Write(path, MadeDuet.Result(pairs));
        return path;
    }

    (int Exit, string Output, string Error) Compare(params string[] arguments)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter { NewLine = "\n" };
        var parsed = new RootCommand { CompareVerb.Create(folder) }.Parse(["compare", .. arguments]);
        var exit = CommandRunner.RunAsync(parsed, output: new() { Output = output, Error = error }).GetAwaiter().GetResult();
        return (exit, output.ToString(), error.ToString());
    }
}

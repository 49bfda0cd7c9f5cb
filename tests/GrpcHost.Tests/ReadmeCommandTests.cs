using System.Text.RegularExpressions;
using ProtoBench.GrpcHost.Tests.Runs;
using ProtoBench.Testing;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Every command of this program in README is run, with fewer calls.</summary>
public sealed partial class ReadmeCommandTests : IDisposable
{
    const string program = "dotnet run -c Release --project src/GrpcHost -- ";
    readonly DirectoryInfo folder = Directory.CreateTempSubdirectory("protobench-");

    public static TheoryData<string> Commands { get; } =
    [
        .. File.ReadAllLines(Path.Combine(Golden.Root, "README.md")).Where(line => line.StartsWith(program, StringComparison.Ordinal)).Select(line => line[program.Length..]).Distinct(),
    ];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task A_command_runs(string command)
    {
        List<string> words = [.. Word().Matches(command).Select(word => word.Value.Trim('\'', '"'))];
        if (words.IndexOf("--out") is >= 0 and var file)
            words[file + 1] = Path.Combine(folder.FullName, words[file + 1]);
        words.AddRange(["--warmup", "0s"]);
        if (words.Contains("--rate") || words[0] == "sweep")
            words.AddRange(["--duration", "200ms"]);
        else if (words.IndexOf("--requests") is >= 0 and var requests)
            words[requests + 1] = "50";
        else
            words.AddRange(["--requests", "50"]);
        var (exitCode, output, error) = await TheProgram.RunAsync([.. words]);
        if (words[0] == "sweep")
            Assert.True(exitCode is 0 or 3, output + error); // 3 if no load of the sweep was valid: SweepTests looks closer
        else
            Verdict.AssertFollows(exitCode, output, error);
        Assert.NotEmpty(output);
    }

    public void Dispose() => folder.Delete(recursive: true);

    [GeneratedRegex("""'[^']*'|"[^"]*"|\S+""")]
    private static partial Regex Word();
}

using System.Text.RegularExpressions;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Every command of this program in the documents is run, with fewer calls.</summary>
public sealed partial class ReadmeCommandTests : IDisposable
{
    readonly DirectoryInfo outer = Directory.CreateTempSubdirectory("protobench-");
    readonly string folder;

    public ReadmeCommandTests() => folder = outer.CreateSubdirectory("checkout").FullName;

    /// <summary>Documents with the commands that need nothing but this program, and those of a service of the reader's own.</summary>
    public static TheoryData<string, string> Commands { get; } = Where(words => !OfAnotherService(words) && !OfWorkers(words));

    public static TheoryData<string> OwnServices { get; } =
        [.. DocumentCommands.Files.Where(file => Ours(file).Any(command => OfAnotherService(DocumentCommands.Arguments(command))))];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task A_command_runs(string document, string command)
    {
        Assert.Contains(command, DocumentCommands.In(document));
        List<string> words = [.. DocumentCommands.Arguments(command)];
        foreach (var option in new[] { "--out", "--markdown", "--csv", "--html" })
        {
            if (words.IndexOf(option) is >= 0 and var file)
                words[file + 1] = Path.Combine(folder, words[file + 1]);
        }

        if (words.IndexOf("--warmup") is >= 0 and var warmup)
            words.RemoveRange(warmup, 2);
        words.AddRange(["--warmup", "0s"]);
        if (words[0] == "settings")
        {
            words.Remove("--quick");
            if (!words.Contains("--setting"))
                words.AddRange(["--setting", "gzip"]); // SettingsTests look at the others
            foreach (var option in (string[])["--callers", "--delay", "--duration"])
            {
                if (words.IndexOf(option) is >= 0 and var given)
                    words.RemoveRange(given, 2);
            }

            words.AddRange(["--callers", "2", "--delay", "0", "--requests", "20", "--codec", "slab"]);
            if (!words.Contains("--rounds"))
                words.AddRange(["--rounds", "1"]);
        }
        else if (words.Contains("--rate") || words[0] == "sweep")
            words.AddRange(["--duration", "200ms"]);
        else if (words.IndexOf("--requests") is >= 0 and var requests)
            words[requests + 1] = "20";
        else
            words.AddRange(["--requests", "20"]);
        if (words.IndexOf("--rounds") is >= 0 and var rounds)
            words[rounds + 1] = "2";
        if (words[0] == "run" && !words.Contains("--codec"))
            words.AddRange(["--codec", "google,slab"]); // EveryCodecTests run the others
        var (exitCode, output, error) = await TheProgram.RunAsync([.. words]);
        if (words[0] is "sweep" or "settings")
            Assert.True(exitCode is 0 or 3, output + error); // 3 if no load was valid: SweepTests and SettingsTests look closer
        else
            Verdict.AssertFollows(exitCode, output, error);
        Assert.NotEmpty(output);
    }

    /// <summary>The page shows the load first and its server last: here the server is started first, on a free port.</summary>
    [Theory]
    [MemberData(nameof(OwnServices))]
    public async Task Commands_for_a_service_of_the_readers_own_run(string document)
    {
        foreach (var (path, content) in DocumentCommands.ShownFiles(document))
        {
            var file = new FileInfo(Path.Combine(folder, path));
            file.Directory!.Create();
            await File.WriteAllTextAsync(file.FullName, content);
        }

        var commands = Ours(document).Select(DocumentCommands.Arguments).Where(OfAnotherService).ToList();
        var shown = Assert.Single(commands, words => words[0] == "host");
        await using var host = await TheProgram.StartHereAsync([.. Replaced(InFolder(shown), "--port", "0"), "--until-stdin-ends"]);
        foreach (var words in commands.Where(words => words[0] != "host"))
        {
            var shorter = Replaced(Replaced(InFolder(words), "--target", $"localhost:{host.Endpoint.Port}"), "--requests", "50");
            var (exitCode, output, error) = await TheProgram.RunAsync(shorter);
            Verdict.AssertFollows(exitCode, output, error);
            if (!words.Contains("--target")) // what it prints does not depend on the machine
                Assert.Contains($"```\n{output}```", DocumentCommands.Text(document), StringComparison.Ordinal);
            else
                Assert.Contains("successful rate 1 = 50/50", output, StringComparison.Ordinal);
        }
    }

    /// <summary>The workers of the page on free ports, its scenarios in a second each, and what follows.</summary>
    [Fact]
    public async Task Commands_for_many_machines_run()
    {
        var commands = DocumentCommands.Files.SelectMany(Ours).Select(DocumentCommands.Arguments).Where(OfWorkers).ToList();
        List<WorkerProcess> workers = [];
        try
        {
            foreach (var words in commands.Where(words => words[0] == "worker"))
                workers.Add(await WorkerProcess.StartAsync(InFolder(words)[3..]));
            var scenarios = Path.Combine(folder, "scenarios.json");
            foreach (var words in commands.Where(words => words[0] != "worker"))
            {
                var shorter = InFolder(words);
                if (words[0] == "drive")
                {
                    var file = Path.Combine(Golden.Root, words[Array.IndexOf(words, "--scenarios") + 1]);
                    await File.WriteAllTextAsync(scenarios, Seconds().Replace(await File.ReadAllTextAsync(file), "$1: 1"));
                    shorter = Replaced(Replaced(shorter, "--scenarios", scenarios), "--workers",
                        string.Join(',', workers.Select(worker => worker.Address)));
                }

                var (exitCode, output, error) = await TheProgram.RunAsync(shorter);
                Assert.True(exitCode == 0 || (exitCode == 3 && words[0] == "drive"), output + error); // DriveTests look closer
                Assert.DoesNotContain("was lost", output, StringComparison.Ordinal);
                Assert.DoesNotContain("failed", output, StringComparison.Ordinal);
            }
        }
        finally
        {
            foreach (var worker in workers)
                await worker.DisposeAsync();
        }
    }

    [GeneratedRegex("(_seconds\"): [0-9]+")]
    private static partial Regex Seconds();

    public void Dispose() => outer.Delete(recursive: true);

    static TheoryData<string, string> Where(Func<string[], bool> wanted)
    {
        var data = new TheoryData<string, string>();
        foreach (var (file, command) in DocumentCommands.Files.SelectMany(file => Ours(file).Select(command => (file, command)))
            .DistinctBy(row => row.command))
        {
            if (wanted(DocumentCommands.Arguments(command)))
                data.Add(file, command);
        }

        return data;
    }

    static IEnumerable<string> Ours(string file) =>
        DocumentCommands.In(file).Where(line => line.StartsWith(DocumentCommands.GrpcHost, StringComparison.Ordinal));

    static bool OfAnotherService(string[] words) => words[0] is "host" or "load";

    static bool OfWorkers(string[] words) => words[0] is "worker" or "drive" or "merge";

    /// <summary>Paths of the arguments, as they are meant in the checkout.</summary>
    string[] InFolder(string[] words) =>
        [.. words.Select(word => IsFile(word) ? Path.GetFullPath(word, folder) : word)];

    static bool IsFile(string word) => word.StartsWith("../", StringComparison.Ordinal) || word.EndsWith(".json", StringComparison.Ordinal)
        || word.EndsWith(".hlog", StringComparison.Ordinal);

    static string[] Replaced(string[] words, string option, string value) =>
        [.. words.Select((word, at) => at > 0 && words[at - 1] == option ? value : word)];
}

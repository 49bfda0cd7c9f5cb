using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Running;

namespace ProtoBench.Tests;

/// <summary>Every command of this program in the documents and in its help is run, in the order in which they stand there, in a folder that
/// looks like a checkout. A cell runs once, in the process of the program except where the command is about processes, a series has as few
/// launches as it may have, and more than <see cref="few"/> cells are listed only, unless PROTOBENCH_LONG is 1. What is the same command then
/// runs once.</summary>
public sealed class ReadmeCommandTests : IDisposable
{
    const int few = 20;
    const string results = "BenchmarkDotNet.Artifacts/results";
    static readonly bool everything = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";
    static readonly HashSet<string> ran = [];

    /// <summary>Commands that this test does not run, and what runs them.</summary>
    static readonly (string Command, string RunBy)[] elsewhere =
    [
        ("CI=true dotnet build -c Release", ".ci/run"),
        ("dotnet test -c Release", ".ci/run"),
        ("dotnet format whitespace --folder . --verify-no-changes --exclude artifacts tests/node", ".ci/run"),
        ("cd ../hive-bench && dotnet run -c Release", ".ci/own-messages, with another schema"),
        ("cd ../orders-bench", ".ci/own-messages, with another schema"),
        ("dotnet run -c Release", ".ci/own-messages, with another schema"),
        ("dotnet run -c Release -- --saved --rate 5000", ".ci/own-messages"),
        ("dotnet run -c Release -- duet --filter '*DeserializeOrderSlab' --against '*DeserializeOrderSlab_Alias'",
            ".ci/own-messages, with another pair of cells"),
        ("dotnet run -c Release -- versions --filter '*OrderGoogle' --package Google.Protobuf --versions 3.25.1,3.36.2",
            ".ci/own-messages, with one cell"),
        ("dotnet pack -c Release -o ../slab-packages", ".ci/consumer"),
        ("dotnet run -c Release --project samples/Orders", ".ci/consumer"),
        ("dotnet new web -o Shop && cd Shop", ".ci/consumer builds and runs such a project"),
        ("dotnet new nugetconfig", ".ci/consumer has such a file"),
        ("dotnet nuget add source ../slab-packages --name slab --configfile nuget.config", ".ci/consumer has such a file"),
        ("dotnet add package ProtoBench.Codec.Build --prerelease", ".ci/consumer builds and runs such a project"),
        ("mkdir protos", ".ci/consumer builds and runs such a project"),
        ("dotnet run --urls http://localhost:5000 &", "not run: a web service of the reader"),
        (@"printf '\n\003Ada\022\007\n\003tea\020\002' > order.bin", "not run: a web service of the reader"),
        ("curl -s --retry 60 --retry-delay 1 --retry-connrefused --data-binary @order.bin http://localhost:5000/orders | strings -n 3",
            "not run: a web service of the reader"),
        ("kill %1", "not run: a web service of the reader"),
        ("dotnet build -c Release src/GrpcHost", ".ci/run, with everything else"),
        ("peers/run", ".ci/peers, with one set and short times"),
        ("peers/run --languages cpp --sets Log,Hive", ".ci/peers, with one set and all languages"),
        ("peers/run grpc", ".ci/peers, with short times"),
        ("peers/run originals", ".ci/peers, with two cases"),
        (".ci/layouts ../slab-packages", ".ci/consumer"),
        (".ci/layouts ../slab-packages Protobuf", "not run: it builds with Grpc.Tools only"),
        (".ci/load-client 3 3", "LoadClientScriptTests, for a second instead of three"),
        ("eng/call-time", "not run: it needs perf, and takes minutes; CallTimeTests have its classification"),
        ("GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=1073741824 dotnet run -c Release",
            "not run: the small program of that page, on a processor that shows the effect"),
    ];

    static readonly Dictionary<string, string> processes = new()
    {
        ["*ColdStart*"] = "*ColdStartBenchmarks.FirstReadSlab",
        ["*GcModeBenchmarks*"] = "*GcModeBenchmarks.Decode_Slab*",
    };

    readonly string outer = Directory.CreateTempSubdirectory("protobench-readme-").FullName;
    readonly string folder;

    public static TheoryData<string> Documents { get; } = [.. DocumentCommands.Files.Where(file => DocumentCommands.In(file).Any(IsOurs))];

    static IEnumerable<string> Examples =>
        Help.Text.Split('\n', StringSplitOptions.TrimEntries).SkipWhile(line => !IsOurs(line)).Skip(1).TakeWhile(line => line.Length > 0)
            .Select(line => $"{DocumentCommands.ProtoBench} -- {line.Split("   ")[0]}");

    public ReadmeCommandTests()
    {
        // the program finds the checkout by this file, and writes results/, README.md and docs/ there
        folder = Directory.CreateDirectory(Path.Combine(outer, "checkout")).FullName;
        File.WriteAllText(Path.Combine(folder, "ProtoBench.sln"), "");
        File.Copy(Path.Combine(Golden.Root, "README.md"), Path.Combine(folder, "README.md"));
        Copy(Path.Combine(Golden.Root, "docs"), Path.Combine(folder, "docs"), file => file.EndsWith(".md", StringComparison.Ordinal));
        Copy(Path.Combine(Golden.Root, "protos"), Path.Combine(folder, "protos"), _ => true);
        Copy(Path.Combine(Golden.Root, "results"), Path.Combine(folder, "results"), _ => true);
        var program = Path.GetDirectoryName(typeof(BenchmarkClasses).Assembly.Location)!;
        // only these folders: the runs of other tests make and delete theirs beside the program at the same time
        Copy(program, Path.Combine(folder, "bin"), file => Path.GetExtension(file) is ".dll" or ".json", SearchOption.TopDirectoryOnly);
        foreach (var part in new[] { "protoc", "runtimes" })
            Copy(Path.Combine(program, part), Path.Combine(folder, "bin", part), _ => true);
    }

    [Theory]
    [MemberData(nameof(Documents))]
    public void Every_command_of_a_document_runs(string document)
    {
        Prepare(document);
        foreach (var command in DocumentCommands.In(document).Where(IsOurs))
            Run(command);
    }

    [Fact]
    public void Every_example_of_the_help_is_in_a_document() =>
        Assert.Subset(DocumentCommands.Files.SelectMany(DocumentCommands.In).ToHashSet(), Examples.ToHashSet());

    [Fact]
    public void Every_command_is_run_by_a_test_or_listed_here_with_what_runs_it()
    {
        var others = DocumentCommands.Files.SelectMany(DocumentCommands.In)
            .Where(line => !IsOurs(line) && !line.StartsWith(DocumentCommands.GrpcHost, StringComparison.Ordinal)).ToHashSet();
        Assert.Equal(others.Order(StringComparer.Ordinal), elsewhere.Select(row => row.Command).Order(StringComparer.Ordinal));
        foreach (var (_, runBy) in elsewhere.Where(row => row.RunBy.StartsWith('.')))
            Assert.True(File.Exists(Path.Combine(Golden.Root, runBy.Split(',', ' ')[0])), runBy);
    }

    public void Dispose() => Directory.Delete(outer, recursive: true);

    static bool IsOurs(string line) => line.StartsWith(DocumentCommands.ProtoBench, StringComparison.Ordinal);

    /// <summary>The files that a document shows, and a result for each of old.json and new.json.</summary>
    void Prepare(string document)
    {
        foreach (var (path, content) in DocumentCommands.ShownFiles(document))
        {
            var file = new FileInfo(Path.Combine(folder, path));
            file.Directory!.Create();
            File.WriteAllText(file.FullName, content);
        }

        foreach (var name in DocumentCommands.In(document).SelectMany(DocumentCommands.Arguments)
            .Where(word => word is "old.json" or "new.json"))
            File.Copy(Path.Combine(folder, "results", "intel-r-xeon-r-processor", "Hive.json"), Path.Combine(folder, name), overwrite: true);
    }

    void Run(string command)
    {
        var words = DocumentCommands.Arguments(command);

        // results of a program that is not run here, or of a command that was only listed
        var missing = Array.Find(words, word => word.EndsWith(results, StringComparison.Ordinal));
        if (missing is not null && !Directory.Exists(Path.Combine(folder, missing)))
            Start(["--filter", "*MeasureRequestSlab", "--job", "dry", "--inProcess", "--artifacts", Path.GetDirectoryName(missing)!], 0);

        // the results of a created project, which is not run here
        if (Array.Find(words, word => word.EndsWith("-bench/results", StringComparison.Ordinal)) is { } created)
        {
            var kept = Directory.CreateDirectory(Path.Combine(folder, created)).FullName;
            File.Copy(Path.Combine(folder, "results", "intel-r-xeon-r-processor", "Quick.json"), Path.Combine(kept, "2026-01-01-0000.json"), overwrite: true);
        }

        // few processes reach no target for sure, and one launch a side cannot be judged
        int[] allowed = words[0] == "targets" ? [0, 1, ExitCode.Invalid, ExitCode.Incomplete]
            : words.Contains("--fail-on") ? [0, 1, ExitCode.Invalid]
            : [0];
        var shorter = Short(words);
        if (ran.Add(string.Join(' ', shorter)))
            Start(shorter, allowed);
    }

    void Start(string[] words, params int[] allowed)
    {
        var (exit, output, error) = TheProgram.Run([], words, folder, Path.Combine(folder, "bin", "ProtoBench.dll"));
        Assert.True(allowed.Contains(exit), $"{string.Join(' ', words)}: exit code {exit}\n{output}{error}");
        Assert.NotEmpty(output);
    }

    static string[] Short(string[] words)
    {
        if (words[0] == "duet")
            return ShortDuet(words);
        if (words[0] is "versions" or "quick") // a minute each: .ci/run has them
            return [words[0], "--help"];
        if (words[0] == "targets")
            return [.. words, "--filter", "*MeasureSerializeRequestSlab*"];
        if (!words[0].StartsWith('-') || words.Contains("--list") || words.Contains("--help"))
            return words;
        if (!everything && Count(words) > few)
            return [.. words, "--list", "flat"];
        var dry = words.Contains("--job") ? words : [.. words, "--job", "dry"];
        if (Array.IndexOf(dry, "--launchCount") is >= 0 and var launches)
        {
            dry[launches + 1] = "2";
            return dry;
        }

        // these measure processes: one for each job of one cell
        if (Array.Find(words, word => processes.ContainsKey(word)) is { } many)
            return [.. dry.Select(word => word == many ? processes[many] : word)];
        return [.. dry, "--inProcess", "--noForcedGCs"];
    }

    /// <summary>This folder is no checkout, so that a base is the cells themselves here. DuetVerbTests have a base.</summary>
    static string[] ShortDuet(string[] words)
    {
        Assert.InRange(Count(words), 1, int.MaxValue);
        List<string> shorter = [.. words];
        var first = shorter.IndexOf("--filter") + 1;
        shorter.RemoveRange(first + 1, shorter.Skip(first + 1).TakeWhile(word => !word.StartsWith('-')).Count());
        shorter[first] = shorter.Contains("--pair") ? "*MeasureRequest*" : "*MeasureRequestSlab";
        if (shorter.IndexOf("--against") is >= 0 and var against)
            shorter[against + 1] = "*MeasureRequestGoogle";
        if (shorter.IndexOf("--base") is >= 0 and var at)
        {
            shorter.RemoveRange(at, 2);
            shorter.Add("--same");
        }

        foreach (var option in new[] { "--processes", "--time" })
        {
            if (shorter.IndexOf(option) is >= 0 and var given)
                shorter.RemoveRange(given, 2);
        }

        // fewer than three make no verdict, which only a guard needs
        return [.. shorter, "--processes", shorter.Contains("--fail-on") ? "3" : "1", "--time", "100ms"];
    }

    static int Count(string[] words)
    {
        string[] filters = words.Contains("--map")
            ? ["*BreakEven*"]
            : words.Contains("--headline") ? [.. OwnOptions.Headline]
            : [.. words.SkipWhile(word => word != "--filter").Skip(1).TakeWhile(word => !word.StartsWith('-'))];
        var config = ManualConfig.CreateEmpty().AddFilter(new GlobFilter(filters));
        return BenchmarkClasses.MeantBy(filters).Sum(type => BenchmarkConverter.TypeToBenchmarks(type, config).BenchmarksCases.Length);
    }

    static void Copy(string from, string to, Func<string, bool> wanted, SearchOption search = SearchOption.AllDirectories)
    {
        foreach (var file in Directory.EnumerateFiles(from, "*", search).Where(wanted))
        {
            var copy = new FileInfo(Path.Combine(to, Path.GetRelativePath(from, file)));
            copy.Directory!.Create();
            File.Copy(file, copy.FullName, overwrite: true);
        }
    }
}

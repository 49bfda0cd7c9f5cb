using System.Text.RegularExpressions;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Filters;
using BenchmarkDotNet.Running;
using ProtoBench.Running;
using ProtoBench.Testing;

namespace ProtoBench.Tests;

/// <summary>
/// Every command of this program in README and in its help is run, in the order in which they stand there, in a folder that looks like a checkout. A cell runs once, a series has as few
/// launches as it may have, and more than <see cref="few"/> cells are listed only, unless PROTOBENCH_LONG is 1.
/// </summary>
[Collection(nameof(Diagnosers.MeterTests))]
public sealed partial class ReadmeCommandTests : IDisposable
{
    const int few = 20;
    const string program = "dotnet run -c Release --project src/ProtoBench";
    static readonly bool everything = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1";
    readonly string folder = Directory.CreateTempSubdirectory("protobench-readme-").FullName;

    /// <summary>All lines of README's shell blocks.</summary>
    public static IReadOnlyList<string> Commands { get; } =
        [.. CodeBlock().Matches(File.ReadAllText(Path.Combine(Golden.Root, "README.md"))).SelectMany(block => block.Groups["lines"].Value.Split('\n')).Where(line => line.Length > 0).Distinct()];

    static IEnumerable<string> Examples => Help.Text.Split('\n', StringSplitOptions.TrimEntries).Where(line => line.StartsWith(program, StringComparison.Ordinal)).Select(line => line.Split("   ")[0]);

    public ReadmeCommandTests()
    {
        // the program finds the checkout by this file, and writes results/ and README.md there
        File.WriteAllText(Path.Combine(folder, "ProtoBench.sln"), "");
        File.Copy(Path.Combine(Golden.Root, "README.md"), Path.Combine(folder, "README.md"));
        Copy(Path.Combine(Golden.Root, "results"), Path.Combine(folder, "results"), _ => true);
        Copy(Path.GetDirectoryName(typeof(BenchmarkClasses).Assembly.Location)!, Path.Combine(folder, "bin"), file => Path.GetExtension(file) is ".dll" or ".json" or ".so" or ".dylib");
    }

    [Fact]
    public void Every_command_runs()
    {
        Run(["--filter", "*MeasureRequestSlab", "--job", "dry"], 0); // what "report" reads, where the command before it was only listed
        var commands = Commands.Where(line => line.StartsWith(program, StringComparison.Ordinal)).Concat(Examples).ToList();
        Assert.InRange(commands.Count, 10, 100);
        foreach (var command in commands)
        {
            string[] words = [.. Word().Matches(command[(command.IndexOf(" -- ", StringComparison.Ordinal) + 4)..]).Select(word => word.Value.Trim('\'', '"'))];

            // a dry run reaches no target and measures few of their cells; one launch a side cannot be judged
            int[] allowed = words[0] == "targets" ? [0, 1, ExitCode.Incomplete] : words.Contains("--fail-on") ? [0, 1, ExitCode.CannotJudge] : [0];
            Run(Short(words), allowed);
        }
    }

    public void Dispose() => Directory.Delete(folder, recursive: true);

    void Run(string[] words, params int[] allowed)
    {
        var (exit, output, error) = TheProgram.Run([], words, folder, Path.Combine(folder, "bin", "ProtoBench.dll"));
        Assert.True(allowed.Contains(exit), $"{string.Join(' ', words)}: exit code {exit}\n{output}{error}");
        Assert.NotEmpty(output);
    }

    static string[] Short(string[] words)
    {
        if (words[0] is "repeat" or "noise")
            return [words[0], words[0] == "repeat" ? "1" : "2", .. words[2..], "--", "--job", "dry"];
        if (words[0] == "duet") // a base is a commit, and the folder is none; DuetVerbTests have one
            return ["duet", words[1], words[2], "--same", "--processes", "2", "--time", "100ms"];
        if (!words[0].StartsWith('-') || words.Contains("--list") || words.Contains("--help"))
            return words;
        if (!everything && Count(words) > few)
            return [.. words, "--list", "flat"];
        return words.Contains("--job") ? words : [.. words, "--job", "dry"];
    }

    static int Count(string[] words)
    {
        string[] filters = words.Contains("--map") ? ["*BreakEven*"] : [.. words.SkipWhile(word => word != "--filter").Skip(1).TakeWhile(word => !word.StartsWith('-'))];
        var config = ManualConfig.CreateEmpty().AddFilter(new GlobFilter(filters));
        return BenchmarkClasses.MeantBy(filters).Sum(type => BenchmarkConverter.TypeToBenchmarks(type, config).BenchmarksCases.Length);
    }

    static void Copy(string from, string to, Func<string, bool> wanted)
    {
        foreach (var file in Directory.EnumerateFiles(from, "*", SearchOption.AllDirectories).Where(wanted))
        {
            var copy = new FileInfo(Path.Combine(to, Path.GetRelativePath(from, file)));
            copy.Directory!.Create();
            File.Copy(file, copy.FullName, overwrite: true);
        }
    }

    [GeneratedRegex("```sh\n(?<lines>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex CodeBlock();

    [GeneratedRegex("""'[^']*'|"[^"]*"|\S+""")]
    private static partial Regex Word();
}

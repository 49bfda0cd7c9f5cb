using System.Text.RegularExpressions;

namespace ProtoBench.Testing;

static partial class DocumentCommands
{
    /// <summary>What the lines that start this program begin with; the arguments stand behind " -- ".</summary>
    public const string ProtoBench = "dotnet run -c Release --project src/ProtoBench",
        GrpcHost = "dotnet run -c Release --project src/GrpcHost";

    /// <summary>Paths from the root: README and the others beside it, the pages under docs, and the READMEs of the projects.</summary>
    public static IReadOnlyList<string> Files { get; } =
    [
        .. Directory.EnumerateFiles(Golden.Root, "*.md")
            .Concat(Directory.EnumerateFiles(Path.Combine(Golden.Root, "docs"), "*.md", SearchOption.AllDirectories))
            .Concat(Directory.EnumerateDirectories(Path.Combine(Golden.Root, "src")).Select(project => Path.Combine(project, "README.md"))
                .Where(File.Exists))
            .Select(file => Path.GetRelativePath(Golden.Root, file).Replace('\\', '/')).Order(StringComparer.Ordinal),
    ];

    public static string Text(string file) => File.ReadAllText(Path.Combine(Golden.Root, file)).ReplaceLineEndings("\n");

    /// <summary>The commands of a document's shell blocks, in their order, continued lines joined, without comments.</summary>
    public static IReadOnlyList<string> In(string file) =>
    [
        .. ShellBlock().Matches(Text(file)).SelectMany(block => Continued().Replace(block.Groups["lines"].Value, " ").Split('\n'))
            .Select(line => line.Trim()).Where(line => line.Length > 0 && !line.StartsWith('#')),
    ];

    /// <summary>The files that a document shows: `PATH`: and a block, or `PATH` is `CONTENT`.</summary>
    public static IReadOnlyDictionary<string, string> ShownFiles(string file) =>
        ShownBlock().Matches(Text(file)).Concat(ShownLine().Matches(Text(file)))
        .ToDictionary(match => match.Groups["path"].Value, match => match.Groups["content"].Value, StringComparer.Ordinal);

    public static string[] Arguments(string command) =>
        command.IndexOf(" -- ", StringComparison.Ordinal) is >= 0 and var start
            ? [.. Word().Matches(command[(start + 4)..]).Select(word => word.Value.Trim('\'', '"'))]
            : [];

    [GeneratedRegex("```sh\n(?<lines>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex ShellBlock();

    [GeneratedRegex(@"\s*\\\n\s*")]
    private static partial Regex Continued();

    [GeneratedRegex(@"`(?<path>\.\./[^`\s]+)`:\n\n```\w*\n(?<content>.*?)```", RegexOptions.Singleline | RegexOptions.ExplicitCapture)]
    private static partial Regex ShownBlock();

    [GeneratedRegex(@"`(?<path>\.\./[^`\s]+)` is `(?<content>[^`]+)`", RegexOptions.ExplicitCapture)]
    private static partial Regex ShownLine();

    [GeneratedRegex("""'[^']*'|"[^"]*"|\S+""")]
    private static partial Regex Word();
}

using System.Globalization;
using System.Text.RegularExpressions;

namespace ProtoBench.Tests;

/// <summary>What a change costs, as ARCHITECTURE.md states it in "How to change something". A count that is lower than its ceiling lowers
/// the ceiling.</summary>
public partial class GaugeTests
{
    static readonly string root = Golden.Root;

    static readonly (string Path, string Text)[] sources =
    [
        .. from file in Directory.GetFiles(Path.Combine(root, "src"), "*", SearchOption.AllDirectories)
           where Path.GetExtension(file) is ".cs" or ".razor" or ".txt" or ".csproj" or ".proto"
           let path = Path.GetRelativePath(root, file).Replace('\\', '/')
           where !path.StartsWith("src/Messages/FlatBuffers/", StringComparison.Ordinal) // flatc writes them
           select (path, File.ReadAllText(file)),
    ];

    static readonly (string Path, string Text)[] code = [.. sources.Where(file => file.Path.EndsWith(".cs", StringComparison.Ordinal))];

    // what the text says, with # for the number; one thing of each kind stands for all
    static readonly Dictionary<string, Func<string[]>> gauges = new()
    {
        ["#adding-a-library)** (# files)"] = () => Naming("Orleans"),
        ["**Add an option of a load** (# files)"] = () => Naming(@"\bPercentiles\b|--percentiles"),
        ["**Add a command** (# files)"] = () => Naming("TargetsVerb"),
        ["#adding-a-data-set)** (# files)"] = () => Naming("MapTile"),
        ["**Add a transport** (# files)"] = () => Naming(@"\bProtobufNetGrpc(Server|Client)?\b"),
        ["# names of options"] = () => Found(Option()),
        ["# verbs"] = () => Found(Verb()),
        ["# files with five or more types"] = () => [.. Types.GroupBy(type => type.Path).Where(file => file.Count() >= 5).Select(file => file.Key)],
        ["# lines of the generator that ask"] = Asking,
        ["in `Codec` # public types and members for users"] = () => Members("ProtoBench.Codec"),
        ["for users and # for generated code"] = () => Members("ProtoBench.Codec.Runtime"),
    };

    public static TheoryData<string> Names => new(gauges.Keys);

    [Theory, MemberData(nameof(Names))]
    public void A_change_costs_what_the_architecture_says(string gauge)
    {
        var found = gauges[gauge]();
        var at = gauge.LastIndexOf('#');
        var text = File.ReadAllText(Path.Combine(root, "ARCHITECTURE.md")).ReplaceLineEndings(" ");
        var stated = Regex.Matches(text, $@"{Regex.Escape(gauge[..at])}\b([0-9]+){Regex.Escape(gauge[(at + 1)..])}");
        var ceiling = int.Parse(Assert.Single(stated).Groups[1].Value, CultureInfo.InvariantCulture);
        Assert.True(found.Length <= ceiling, $"{gauge}: {found.Length} instead of {ceiling}. Remove one, or raise the number in ARCHITECTURE.md with the reason in the commit:\n{string.Join('\n', found)}");
        Assert.True(found.Length == ceiling, $"{gauge}: {found.Length}. Write it to ARCHITECTURE.md, which says {ceiling}");
    }

    // A class of cells has a part in the file of each library. It is a type of the file in which it was found first.
    static IEnumerable<(string Path, string Name)> Types =>
        from file in code
        from type in TopLevelType().Matches(file.Text)
        group (file.Path, type.Groups["name"].Value) by type.Value.Contains(" partial ", StringComparison.Ordinal)
            ? $"{Path.GetDirectoryName(file.Path)}/{type.Groups["name"].Value}" : $"{file.Path}/{type.Index}" into one
        select one.First();

    static string[] Naming(string pattern) => [.. sources.Where(file => Regex.IsMatch(file.Text, pattern)).Select(file => file.Path)];

    static string[] Found(Regex definition) =>
        [.. code.SelectMany(file => definition.Matches(file.Text)).Select(found => found.Groups["name"].Value).Distinct().Order(StringComparer.Ordinal)];

    // what describes a message: a bool, its layout, and fields that only a map entry has. The arms of a switch are its answers.
    static string[] Asking()
    {
        var message = code.Single(file => file.Path == "src/Codec.Generator/Model/ProtoMessage.cs").Text;
        var kinds = string.Join('|', Kind().Matches(message).Select(kind => kind.Groups["name"].Value));
        return
        [
            .. from file in code
               where file.Path.StartsWith("src/Codec.Generator/Constructs/", StringComparison.Ordinal)
               from line in file.Text.Split('\n').Index()
               where Regex.IsMatch(line.Item, $@"\b({kinds}|Layout|Presence\.Always)\b") && !Arm().IsMatch(line.Item)
               select $"{file.Path}:{line.Index + 1}",
        ];
    }

    // without the well-known types
    static string[] Members(string name)
    {
        var api = File.ReadAllText(Path.Combine(root, "tests", "ProtoBench.Tests", "PublicApi", "ProtoBench.Codec.txt"));
        var part = api.Split("namespace ").Single(part => part.Split('\n')[0].TrimEnd() == name);
        return [.. part.Split('\n').Where(line => line.TrimStart().StartsWith("public ", StringComparison.Ordinal))];
    }

    [GeneratedRegex(@"(Option(<[^()]*?>)?|Many|Files?|Flag|new)\(\s*""(?<name>--[a-z][a-z0-9-]*)", RegexOptions.ExplicitCapture)]
    private static partial Regex Option();

    [GeneratedRegex(@"(new Command|Command \w+ = new)\(\s*""(?<name>[a-z-]+)""", RegexOptions.ExplicitCapture)]
    private static partial Regex Verb();

    // a type in a file-scoped namespace begins its line
    [GeneratedRegex(@"^((public|internal|sealed|static|abstract|readonly|partial|file|unsafe|ref) )*(class|record struct|record|struct|interface|enum|delegate) (?<name>\w+)",
        RegexOptions.Multiline | RegexOptions.ExplicitCapture)]
    private static partial Regex TopLevelType();

    [GeneratedRegex(@"public bool (?<name>(?!IsDelimited|IsExtendable)\w+)", RegexOptions.ExplicitCapture)]
    private static partial Regex Kind();

    [GeneratedRegex(@"^\s*(case )?(or )?Layout\.\w+( or Layout\.\w+)*( =>|:)")]
    private static partial Regex Arm();
}

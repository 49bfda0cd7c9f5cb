using System.Xml.Linq;
using ProtoBench.Testing;

namespace ProtoBench.Tests;

/// <summary>The groups of optional packages, as Directory.Packages.props lists them.</summary>
static class OptionalGroups
{
    static readonly ILookup<string, string> packages = XDocument.Load(Path.Combine(Golden.Root, "Directory.Packages.props"))
        .Descendants("OptionalPackage")
        .ToLookup(package => package.Attribute("Group")!.Value, package => package.Attribute("Include")!.Value);

    /// <summary>The names of all groups, which are names of folders too.</summary>
    public static IReadOnlySet<string> All { get; } = packages.Select(group => group.Key).ToHashSet();

    /// <summary>The groups that this build leaves out.</summary>
    public static IReadOnlySet<string> LeftOut { get; } = LeftOutGroups();

    static HashSet<string> LeftOutGroups()
    {
        var left = BuildFacts.LeftOut.SelectMany(reason => reason.Split(':')[0].Split(", ")).ToHashSet();
        return [.. packages.Where(group => group.Any(left.Contains)).Select(group => group.Key)];
    }
}

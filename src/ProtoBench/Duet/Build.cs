using System.Text.Json;
using ProtoBench.Libraries;
using ProtoBench.Results;

namespace ProtoBench.Duet;

/// <summary>A built ProtoBench.</summary>
/// <param name="Dll">The program.</param>
/// <param name="Label">How the user named it; null for the current one.</param>
/// <param name="Commit">Its commit, where it is known.</param>
/// <param name="Clean">Whether the tree had no other changes.</param>
sealed record Build(string Dll, string? Label, string? Commit, bool? Clean)
{
    /// <summary>The build that this program is.</summary>
    public static Build Current { get; } = new(
        Path.Combine(AppContext.BaseDirectory, "ProtoBench.dll"),
        null,
        Checkout.Root is { } root ? Git.Commit(root) : null,
        Checkout.Root is { } folder ? Git.IsClean(folder) : null);

    /// <summary>The measured packages with their versions, as the build's own list of dependencies has them.</summary>
    public IReadOnlyDictionary<string, string> PackageVersions()
    {
        var list = Path.ChangeExtension(Dll, ".deps.json");
        if (!File.Exists(list))
            return new Dictionary<string, string>();
        var measured = HiveLibraries.All.Select(library => library.Package).Concat(BuildFacts.MeasuredPackages)
            .ToHashSet(StringComparer.OrdinalIgnoreCase);
        using var document = JsonDocument.Parse(File.ReadAllText(list));
        return document.RootElement.GetProperty("libraries").EnumerateObject()
            .Select(library => library.Name.Split('/'))
            .Where(name => name.Length == 2 && measured.Contains(name[0]))
            .ToDictionary(name => name[0], name => name[1]);
    }
}

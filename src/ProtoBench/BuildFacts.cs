using System.Reflection;
using ProtoBench.Harness.Duet;

namespace ProtoBench;

/// <summary>Gets facts about the build, which it writes into the assemblies as metadata.</summary>
static class BuildFacts
{
    public static MeasuredProgram Program { get; } = new(
        "ProtoBench",
        Checkout.Root,
        Project: Path.Combine("src", "ProtoBench"),
        VersionsFile: "Directory.Packages.props",
        Builds: Path.Combine("artifacts", "duet"),
        MeasuredProgram.ConfigurationOf(typeof(BuildFacts).Assembly),
        [.. MeasuredLibraries.Registered.Select(library => library.Package).OfType<string>(), .. Read("MeasuredPackages")])
    {
        GivenProperties = Read("GivenProperties"),
        FactsOf = method => HiveCell.Parse(method)?.Facts,
        Save = Saved.Write,
        CheckSave = Saved.Check,
    };

    static string[] Read(string key) =>
    [
        .. typeof(BuildFacts).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Where(fact => fact.Key == key)
            .SelectMany(fact => (fact.Value ?? "").Split('|', StringSplitOptions.RemoveEmptyEntries)),
    ];
}

/// <summary>Finds the folder with ProtoBench.sln, from the folder of the program.</summary>
static class Checkout
{
    /// <summary>Gets the full path of the folder; null if the program was copied elsewhere.</summary>
    public static string? Root { get; } = MeasuredProgram.FolderWith("ProtoBench.sln");

    /// <summary>Changes the current folder to the project. If BenchmarkDotNet has to build the project, it searches from there.</summary>
    public static void Enter()
    {
        if (Root is not null
            && !(Directory.GetCurrentDirectory() + Path.DirectorySeparatorChar).StartsWith(Root + Path.DirectorySeparatorChar,
                StringComparison.Ordinal))
            Directory.SetCurrentDirectory(Root);
    }
}

using System.Reflection;

namespace ProtoBench;

/// <summary>Gets facts about the build, which it writes into the assemblies as metadata.</summary>
static class BuildFacts
{
    /// <summary>Gets the properties that were passed to the build as <c>-p:Name=Value</c>, each as "Name=Value".</summary>
    public static IReadOnlyList<string> GivenProperties { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "GivenProperties").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    public static IReadOnlyList<string> MeasuredPackages { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "MeasuredPackages").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    public static string Configuration { get; } =
        typeof(BuildFacts).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "";

    static IEnumerable<string> Read(Assembly assembly, string key) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Where(fact => fact.Key == key).Select(fact => fact.Value ?? "");
}

/// <summary>Finds the folder with ProtoBench.sln, from the folder of the program.</summary>
static class Checkout
{
    /// <summary>Gets the full path of the folder; null if the program was copied elsewhere.</summary>
    public static string? Root { get; } = Find();

    /// <summary>Changes the current folder to the project. If BenchmarkDotNet has to build the project, it searches from there.</summary>
    public static void Enter()
    {
        if (Root is not null
            && !(Directory.GetCurrentDirectory() + Path.DirectorySeparatorChar).StartsWith(Root + Path.DirectorySeparatorChar,
                StringComparison.Ordinal))
            Directory.SetCurrentDirectory(Root);
    }

    static string? Find()
    {
        for (var folder = new DirectoryInfo(AppContext.BaseDirectory); folder is not null; folder = folder.Parent)
        {
            if (File.Exists(Path.Combine(folder.FullName, "ProtoBench.sln")))
                return folder.FullName;
        }

        return null;
    }
}

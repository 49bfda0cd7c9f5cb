using System.Reflection;

namespace ProtoBench;

/// <summary>What the build knows and the program has to say: written into the assemblies as metadata.</summary>
static class BuildFacts
{
    /// <summary>The properties that were given to the build as <c>-p:Name=Value</c>, each "Name=Value".</summary>
    public static IReadOnlyList<string> GivenProperties { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "GivenProperties").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    /// <summary>The packages that some row measures.</summary>
    public static IReadOnlyList<string> MeasuredPackages { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "MeasuredPackages").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    /// <summary>Debug or Release.</summary>
    public static string Configuration { get; } =
        typeof(BuildFacts).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "";

    static IEnumerable<string> Read(Assembly assembly, string key) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Where(fact => fact.Key == key).Select(fact => fact.Value ?? "");
}

/// <summary>The folder that holds ProtoBench.sln, found from where the program was built.</summary>
static class Checkout
{
    /// <summary>The folder's full path; null where the program was copied elsewhere.</summary>
    public static string? Root { get; } = Find();

    /// <summary>Where BenchmarkDotNet has to build the project, it looks for it from the current folder on: go where it is.</summary>
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

using System.Reflection;
using ProtoBench.Payloads;

namespace ProtoBench;

/// <summary>What the build knows and the program has to say: written into the assemblies as metadata.</summary>
static class BuildFacts
{
    /// <summary>The libraries that this build leaves out, each with the reason.</summary>
    public static IReadOnlyList<string> LeftOut { get; } =
        [.. Read(typeof(Hive).Assembly, "LeftOut"), .. Read(typeof(Rpc.RpcTransports).Assembly, "LeftOut"),
            .. Read(typeof(BuildFacts).Assembly, "LeftOut")];

    /// <summary>All of <see cref="LeftOut"/> in one line; null where the build has every library.</summary>
    public static string? LeftOutInOneLine => LeftOut.Count == 0 ? null : "Left out: " + string.Join("; ", LeftOut
        .Select(one => one.Split(": ", 2))
        .GroupBy(one => one[1], one => one[0])
        .Select(reason => $"{string.Join(", ", reason)} ({reason.Key})"));

    /// <summary>The properties that were given to the build as <c>-p:Name=Value</c>, each "Name=Value".</summary>
    public static IReadOnlyList<string> GivenProperties { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "GivenProperties").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    /// <summary>The packages that some row measures, also those that this build does not have.</summary>
    public static IReadOnlyList<string> MeasuredPackages { get; } =
        [.. Read(typeof(BuildFacts).Assembly, "MeasuredPackages").SelectMany(all => all.Split('|', StringSplitOptions.RemoveEmptyEntries))];

    /// <summary>Debug or Release.</summary>
    public static string Configuration { get; } =
        typeof(BuildFacts).Assembly.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration ?? "";

    static IEnumerable<string> Read(Assembly assembly, string key) =>
        assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Where(fact => fact.Key == key).Select(fact => fact.Value ?? "");
}

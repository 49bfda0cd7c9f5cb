namespace ProtoBench.Results;

/// <summary>The measured packages, as the line above a saved table has them.</summary>
public static class PackageList
{
    /// <summary>Name and version of each package, by name: "Google.Protobuf 3.25.1, protobuf-net 3.4.40".</summary>
    public static string Of(IReadOnlyDictionary<string, string> versions) => string.Join(", ",
        versions.OrderBy(version => version.Key, StringComparer.OrdinalIgnoreCase).Select(version => $"{version.Key} {version.Value}"));
}

using BenchmarkDotNet.Attributes;

namespace ProtoBench;

/// <summary>The classes of this program that hold cells.</summary>
public static class BenchmarkClasses
{
    /// <summary>All of them, by name.</summary>
    public static IReadOnlyList<Type> All { get; } =
    [
        .. typeof(BenchmarkClasses).Assembly.GetTypes()
            .Where(type => type.IsPublic && type.GetMethods().Any(method => method.IsDefined(typeof(BenchmarkAttribute), inherit: false)))
            .OrderBy(type => type.Name, StringComparer.Ordinal),
    ];
}

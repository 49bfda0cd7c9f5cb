using BenchmarkDotNet.Attributes;

namespace ProtoBench.Running;

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

    /// <summary>Those that <paramref name="filters"/> mean: a class that runs
    /// only when named is left out unless one of them holds its name.</summary>
    public static Type[] MeantBy(IEnumerable<string> filters) =>
        [.. All.Where(type => !type.IsDefined(typeof(OnlyWhenNamedAttribute), inherit: false)
        || filters.Any(filter =>
            filter.Contains(type.Name.Replace("Benchmarks", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase)))];
}

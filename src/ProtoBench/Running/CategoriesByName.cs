using System.Reflection;
using BenchmarkDotNet.Running;
using ProtoBench.Libraries;

namespace ProtoBench.Running;

/// <summary>Gives a hive cell the categories of its name. Cells of other classes
/// have those of their attributes, or the name of their class.</summary>
sealed class CategoriesByName : DefaultCategoryDiscoverer
{
    public override string[] GetCategories(MethodInfo method) =>
        HiveCell.Parse(method.Name) is { } cell ? [.. cell.Categories]
        : base.GetCategories(method) is [_, ..] given ? given
        : [method.DeclaringType!.Name.Replace("Benchmarks", "", StringComparison.Ordinal)];
}

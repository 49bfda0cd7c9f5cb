using System.Reflection;
using BenchmarkDotNet.Running;

namespace ProtoBench;

/// <summary>A hive cell's categories are its verb and its message, read from its name. Other classes are grouped by their own name.</summary>
sealed class CategoriesByName : DefaultCategoryDiscoverer
{
    public override string[] GetCategories(MethodInfo method) =>
        HiveCell.Parse(method.Name) is { } cell ? [cell.Verb, cell.Message] : base.GetCategories(method) is [_, ..] given ? given : [method.DeclaringType!.Name.Replace("Benchmarks", "", StringComparison.Ordinal)];
}

using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Reflection;
using System.Text.RegularExpressions;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Results;

namespace ProtoBench;

/// <summary>Hive cells by verb, message and library. Others keep the order of declaration. If a class has its cells in the
/// files of several libraries, categories have the order of the baselines, and the cells that of the libraries.</summary>
sealed class CellOrder() : DefaultOrderer(SummaryOrderPolicy.Declared, MethodOrderPolicy.Declared), IOrderer
{
    static readonly ConcurrentDictionary<Type, bool> inSeveralFiles = new();

    public override IEnumerable<BenchmarkCase> GetExecutionOrder(ImmutableArray<BenchmarkCase> benchmarksCase,
        IEnumerable<BenchmarkLogicalGroupRule>? order = null)
    {
        IOrderer orderer = this;
        return GetLogicalGroupOrder(
            base.GetExecutionOrder(benchmarksCase, order).GroupBy(cell => orderer.GetLogicalGroupKey(benchmarksCase, cell) ?? ""), order)
            .SelectMany(group => group.OrderBy(Rank).ThenBy(Library));
    }

    protected override IEnumerable<BenchmarkCase> GetSummaryOrderForGroup(ImmutableArray<BenchmarkCase> benchmarksCase,
        BenchmarkDotNet.Reports.Summary summary) =>
        base.GetSummaryOrderForGroup(benchmarksCase, summary).OrderBy(Rank).ThenBy(Library);

    /// <summary>A cell with an argument is compared with the baseline of its category if that has no arguments.</summary>
    string? IOrderer.GetLogicalGroupKey(ImmutableArray<BenchmarkCase> allBenchmarksCases, BenchmarkCase benchmarkCase) =>
        GetLogicalGroupKey(allBenchmarksCases,
            HasArguments(benchmarkCase) && allBenchmarksCases.FirstOrDefault(other => IsBaselineFor(benchmarkCase, other)) is { } baseline
                ? baseline : benchmarkCase);

    public override IEnumerable<IGrouping<string, BenchmarkCase>> GetLogicalGroupOrder(
        IEnumerable<IGrouping<string, BenchmarkCase>> logicalGroups, IEnumerable<BenchmarkLogicalGroupRule>? order = null)
    {
        var groups = logicalGroups.ToList();
        var types = groups.Select(group => group.First().Descriptor.Type).Distinct().ToList();
        return groups.OrderBy(group => group.Min(Rank)).ThenBy(group => types.IndexOf(group.First().Descriptor.Type)).ThenBy(Baseline);
    }

    /// <summary>The hive's cells come first. The ranks of others are equal, and stable sorting keeps their order.</summary>
    static (bool Other, (HiveVerb, HiveMessage, int) Place) Rank(BenchmarkCase benchmark) =>
        HiveCell.Of(benchmark) is { } cell ? (false, cell.Place) : (true, default);

    /// <summary>The place of a group's baseline in the file of its library; 0 if all cells of its class are in one file.</summary>
    static int Baseline(IEnumerable<BenchmarkCase> group) =>
        group.MaxBy(cell => cell.Descriptor.Baseline ? 1 : 0)!.Descriptor is var first && IsInSeveralFiles(first.Type)
            ? first.MethodIndex : 0;

    /// <summary>Returns the order of a cell's library; 0 if all cells of its class are in one file.</summary>
    static int Library(BenchmarkCase benchmark) =>
        IsInSeveralFiles(benchmark.Descriptor.Type) ? LibraryOf(benchmark.Descriptor.WorkloadMethod)?.Order ?? int.MaxValue : 0;

    /// <summary>Returns what is before the library, such as <c>ReadWide20</c> of <c>ReadWide20Slab_Alias</c>; null for a class whose cells
    /// are in one file, or a cell without a library.</summary>
    public static string? WorkOf(MethodInfo cell) => IsInSeveralFiles(cell.ReflectedType!) && LibraryOf(cell) is { } library
        ? Regex.Replace(cell.Name, $"(By)?{library.Cell}(_.*)?$", "") : null;

    static MeasuredLibrary? LibraryOf(MethodInfo cell) => cell.Name.Split('_')[0] is var name
        ? MeasuredLibraries.Registered.FirstOrDefault(library => name.EndsWith(library.Cell, StringComparison.Ordinal)) : null;

    static bool IsInSeveralFiles(Type cells) => inSeveralFiles.GetOrAdd(cells, static type =>
        type.GetMethods().Select(method => method.GetCustomAttribute<BenchmarkAttribute>()?.SourceCodeFile).OfType<string>().Distinct()
            .Skip(1).Any());

    static bool HasArguments(BenchmarkCase benchmark) => benchmark.Parameters.Items.Any(parameter => parameter.IsArgument);

    static bool IsBaselineFor(BenchmarkCase cell, BenchmarkCase baseline) =>
        baseline.Descriptor.Baseline && baseline.Descriptor.Type == cell.Descriptor.Type && baseline.Job.ResolvedId == cell.Job.ResolvedId
        && baseline.Descriptor.Categories.SequenceEqual(cell.Descriptor.Categories) && !HasArguments(baseline)
        && baseline.Parameters.Items.All(one => Equals(one.Value, cell.Parameters[one.Name]));
}

/// <summary>Gives a hive cell the categories of its name. Cells of other classes have those of their attributes, or what comes before the
/// library in their name, or the name of their class. Cells of data sets share their attributes, in which the name of the set replaces
/// "Set".</summary>
sealed class CategoriesByName : DefaultCategoryDiscoverer
{
    public override string[] GetCategories(MethodInfo method) =>
        HiveCell.Parse(method.Name) is { } cell ? [.. cell.Categories]
        : base.GetCategories(method) is [_, ..] given ? typeof(IDataSetCells).IsAssignableFrom(method.ReflectedType)
            ? [.. given.Select(category =>
                category.Replace("Set", IDataSetCells.NameOf(method.ReflectedType), StringComparison.Ordinal))]
            : given
        : [CellOrder.WorkOf(method) ?? method.DeclaringType!.Name.Replace("Benchmarks", "", StringComparison.Ordinal)];
}

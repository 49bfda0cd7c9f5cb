using System.Collections.Immutable;
using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Libraries;
using ProtoBench.Results;

namespace ProtoBench.Running;

/// <summary>
/// Orders hive cells by verb, message and library, independent of their files. Other cells keep the order of their declaration. With
/// PROTOBENCH_ORDER=reversed cells run in reverse order. The verb <c>repeat</c> alternates the orders, so that drift during a launch does
/// not always affect the same cells. Tables do not depend on it.
/// </summary>
sealed class CellOrder() : DefaultOrderer(SummaryOrderPolicy.Declared, MethodOrderPolicy.Declared), IOrderer
{
    public override IEnumerable<BenchmarkCase> GetExecutionOrder(ImmutableArray<BenchmarkCase> benchmarksCase,
        IEnumerable<BenchmarkLogicalGroupRule>? order = null)
    {
        var ordered = base.GetExecutionOrder(benchmarksCase, order).OrderBy(Rank);
        return Environment.GetEnvironmentVariable(Verbs.Launches.OrderVariable) == "reversed" ? ordered.Reverse() : ordered;
    }

    protected override IEnumerable<BenchmarkCase> GetSummaryOrderForGroup(ImmutableArray<BenchmarkCase> benchmarksCase,
        BenchmarkDotNet.Reports.Summary summary) =>
        base.GetSummaryOrderForGroup(benchmarksCase, summary).OrderBy(Rank);

    /// <summary>Returns the group of a cell. A cell with an argument is compared with the baseline of its category if that has no
    /// arguments.</summary>
    string? IOrderer.GetLogicalGroupKey(ImmutableArray<BenchmarkCase> allBenchmarksCases, BenchmarkCase benchmarkCase) =>
        GetLogicalGroupKey(allBenchmarksCases,
            HasArguments(benchmarkCase) && allBenchmarksCases.FirstOrDefault(other => IsBaselineFor(benchmarkCase, other)) is { } baseline
                ? baseline : benchmarkCase);

    public override IEnumerable<IGrouping<string, BenchmarkCase>> GetLogicalGroupOrder(
        IEnumerable<IGrouping<string, BenchmarkCase>> logicalGroups, IEnumerable<BenchmarkLogicalGroupRule>? order = null) =>
        logicalGroups.OrderBy(group => group.Min(Rank));

    /// <summary>Returns the rank of a cell. The hive's cells come first. The ranks of others are equal, and stable sorting keeps their
    /// order.</summary>
    static (bool Other, (HiveVerb, HiveMessage, int) Place) Rank(BenchmarkCase benchmark) =>
        HiveCell.Of(benchmark) is { } cell ? (false, cell.Place) : (true, default);

    static bool HasArguments(BenchmarkCase benchmark) => benchmark.Parameters.Items.Any(parameter => parameter.IsArgument);

    static bool IsBaselineFor(BenchmarkCase cell, BenchmarkCase baseline) =>
        baseline.Descriptor.Baseline && baseline.Descriptor.Type == cell.Descriptor.Type && baseline.Job.ResolvedId == cell.Job.ResolvedId
        && baseline.Descriptor.Categories.SequenceEqual(cell.Descriptor.Categories) && !HasArguments(baseline)
        && baseline.Parameters.Items.All(one => Equals(one.Value, cell.Parameters[one.Name]));
}

/// <summary>Gives a hive cell the categories of its name. Cells of other classes have those of their attributes, or the name of their
/// class. Cells of data sets share their attributes, in which the name of the set replaces "Set".</summary>
sealed class CategoriesByName : DefaultCategoryDiscoverer
{
    public override string[] GetCategories(MethodInfo method) =>
        HiveCell.Parse(method.Name) is { } cell ? [.. cell.Categories]
        : base.GetCategories(method) is [_, ..] given ? typeof(IDataSetCells).IsAssignableFrom(method.ReflectedType)
            ? [.. given.Select(category =>
                category.Replace("Set", IDataSetCells.NameOf(method.ReflectedType), StringComparison.Ordinal))]
            : given
        : [method.DeclaringType!.Name.Replace("Benchmarks", "", StringComparison.Ordinal)];
}

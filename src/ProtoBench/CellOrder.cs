using System.Collections.Immutable;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;

namespace ProtoBench;

/// <summary>
/// Orders hive cells by verb, message and library, whichever file declares them; other cells stand as declared. With PROTOBENCH_ORDER=reversed cells run the other way round:
/// the verb <c>repeat</c> alternates, so that drift over a launch does not always hit the same cells. Tables do not change with it.
/// </summary>
sealed class CellOrder() : DefaultOrderer(SummaryOrderPolicy.Declared, MethodOrderPolicy.Declared)
{
    static readonly string[] verbs = ["Serialize", "Measure", "MeasureSerialize", "Deserialize", "DeserializeTouch", "DeserializeStrings"];
    static readonly string[] messages = ["Request", "Response", "Mixed"];
    static readonly string[] libraries = ["Google", "GoogleBytes", "PBN", "Slab", "Floor"];

    public override IEnumerable<BenchmarkCase> GetExecutionOrder(ImmutableArray<BenchmarkCase> benchmarksCase, IEnumerable<BenchmarkLogicalGroupRule>? order = null)
    {
        var ordered = base.GetExecutionOrder(benchmarksCase, order).OrderBy(Rank);
        return Environment.GetEnvironmentVariable(Verbs.Launches.OrderVariable) == "reversed" ? ordered.Reverse() : ordered;
    }

    protected override IEnumerable<BenchmarkCase> GetSummaryOrderForGroup(ImmutableArray<BenchmarkCase> benchmarksCase, BenchmarkDotNet.Reports.Summary summary) =>
        base.GetSummaryOrderForGroup(benchmarksCase, summary).OrderBy(Rank);

    public override IEnumerable<IGrouping<string, BenchmarkCase>> GetLogicalGroupOrder(IEnumerable<IGrouping<string, BenchmarkCase>> logicalGroups, IEnumerable<BenchmarkLogicalGroupRule>? order = null) =>
        logicalGroups.OrderBy(group => group.Min(Rank));

    /// <summary>The hive first; then the others, which keep their order because sorting is stable.</summary>
    static int Rank(BenchmarkCase benchmark)
    {
        const int places = 8; // more than any of the lists above has entries
        return HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name) is { } cell
            ? (((Array.IndexOf(verbs, cell.Verb) * places) + Array.IndexOf(messages, cell.Message)) * places) + Array.IndexOf(libraries, cell.Library)
            : int.MaxValue;
    }
}

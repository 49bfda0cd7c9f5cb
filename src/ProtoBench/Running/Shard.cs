using System.Collections.Immutable;
using System.Text.Json.Serialization;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;

namespace ProtoBench;

/// <summary>One of several parts of the cells of a run, for as many machines. Cells that a table compares with each other, which are those
/// of a category, are in one shard, so no ratio is of two machines.</summary>
/// <param name="Number">From 1.</param>
sealed record Shard(int Number, int Of)
{
    public const int Most = 1_000;

    /// <summary>The class of the cell that is in all shards.</summary>
    public static Type Control { get; } = typeof(ControlBenchmarks);

    /// <summary>Divides the cells. The largest category goes first, to the shard that has the fewest cells.</summary>
    /// <returns>All cells in the order of their table, with the number of their shard. It depends on the cells alone.</returns>
    public IReadOnlyList<(BenchmarkCase Cell, int Shard)> Deal(ImmutableArray<BenchmarkCase> cells)
    {
        IOrderer order = new CellOrder();
        // a summary of several classes orders the cells of each, and then all; its reports are not asked
        var byClass = cells.GroupBy(cell => cell.Descriptor.Type).SelectMany(type => order.GetSummaryOrder([.. type], null!));
        BenchmarkCase[] ordered = [.. order.GetSummaryOrder([.. byClass], null!).Where(cell => cell.Descriptor.Type != Control)];
        var numbers = new int[Of];
        var shardOf = ordered.GroupBy(cell => order.GetLogicalGroupKey(cells, cell) ?? "").OrderByDescending(group => group.Count())
            .ToDictionary(group => group.Key, group =>
            {
                var shard = Array.IndexOf(numbers, numbers.Min());
                numbers[shard] += group.Count();
                return shard + 1;
            });
        return [.. ordered.Select(cell => (cell, shardOf[order.GetLogicalGroupKey(cells, cell) ?? ""]))];
    }

    public override string ToString() => $"{Number}/{Of}";
}

/// <summary>What the file of a shard has beside its cells, for the verb merge.</summary>
/// <param name="Node">The name of the machine.</param>
/// <param name="ControlNs">The median time of the control cell; null of a dry run.</param>
/// <param name="Plan">The cells of all shards in the order of their table, each by its name with the number of its shard.</param>
sealed record ShardFacts(
    [property: JsonPropertyName("number")] int Number,
    [property: JsonPropertyName("of")] int Of,
    [property: JsonPropertyName("node")] string Node,
    [property: JsonPropertyName("controlNs")] double? ControlNs,
    [property: JsonPropertyName("plan")] IReadOnlyList<PlannedCell> Plan);

/// <param name="Cell">The name with its job and its parameters.</param>
sealed record PlannedCell([property: JsonPropertyName("cell")] string Cell, [property: JsonPropertyName("shard")] int Shard);

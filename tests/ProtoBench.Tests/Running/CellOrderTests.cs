using System.Collections.Immutable;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Running;

namespace ProtoBench.Tests.Running;

public class CellOrderTests
{
    /// <summary>A transport without a row of its own is an argument. The baseline has no argument.</summary>
    [Fact]
    public void A_cell_with_an_argument_is_compared_with_the_baseline_of_its_parameters()
    {
        var cells = BenchmarkConverter.TypeToBenchmarks(typeof(OneArgument), ManualConfig.CreateEmpty()).BenchmarksCases.ToImmutableArray();
        IOrderer order = new CellOrder();
        var groups = cells.GroupBy(cell => order.GetLogicalGroupKey(cells, cell)).ToList();
        Assert.Equal(2, groups.Count);
        Assert.All(groups, group =>
        {
            Assert.Equal(3, group.Count());
            Assert.Single(group, cell => cell.Descriptor.Baseline);
            Assert.Single(group.Select(cell => cell.Parameters["Size"]).Distinct());
        });
    }

    /// <summary>BenchmarkDotNet refuses a class with two baselines in a group.</summary>
    [Fact]
    public void No_group_of_a_class_has_two_baselines()
    {
        IOrderer order = new CellOrder();
        foreach (var type in BenchmarkClasses.All)
        {
            var cells = BenchmarkConverter.TypeToBenchmarks(type, Config.Create(OwnOptions.Parse([]))).BenchmarksCases.ToImmutableArray();
            Assert.All(cells.GroupBy(cell => order.GetLogicalGroupKey(cells, cell)), group =>
                Assert.True(group.Count(cell => cell.Descriptor.Baseline) < 2, $"{type.Name}: {group.Key}"));
        }
    }
}

/// <summary>A baseline without arguments, and a cell with one.</summary>
public class OneArgument
{
    [Params(1, 2)]
    public int Size { get; set; }

    [Benchmark(Baseline = true)]
    public int Baseline() => Size;

    [Benchmark]
    [Arguments("a")]
    [Arguments("b")]
    public int Other(string way) => Size + way.Length;
}

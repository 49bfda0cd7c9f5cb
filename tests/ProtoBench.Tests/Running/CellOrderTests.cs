using System.Collections.Immutable;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Order;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;

namespace ProtoBench.Tests;

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
            var cells = Config.Cells(type, Config.Create(new()), new(new(), null)).BenchmarksCases.ToImmutableArray();
            Assert.All(cells.GroupBy(cell => order.GetLogicalGroupKey(cells, cell)), group =>
                Assert.True(group.Count(cell => cell.Descriptor.Baseline) < 2, $"{type.Name}: {group.Key}"));
        }
    }

    /// <summary>The files of the libraries have another order.</summary>
    [Fact]
    public void Cells_of_several_files_have_the_order_of_categories_and_libraries()
    {
        IOrderer order = new CellOrder();
        var config = Config.Create(OwnOptions.Parse([]));
        var cells = BenchmarkConverter.TypeToBenchmarks(typeof(PackedBenchmarks), config).BenchmarksCases
            .Where(cell => (int)cell.Parameters["Elements"] == 16).ToImmutableArray();
        string[] expected =
        [
            "DeserializePackedFloatGoogle", "DeserializePackedFloatPBN", "DeserializePackedFloatSlab", "DeserializePackedFloatSlab_Alias",
            "DeserializePackedFloatFloor_Copy", "SerializePackedFloatGoogle", "SerializePackedFloatPBN", "SerializePackedFloatSlab",
            "SerializePackedFloatFloor_Copy", "MeasureSerializePackedFloatGoogle", "MeasureSerializePackedFloatPBN",
            "MeasureSerializePackedFloatSlab", "DeserializePackedDoubleGoogle",
        ];
        Assert.Equal(expected, order.GetExecutionOrder(cells).Select(cell => cell.Descriptor.WorkloadMethod.Name).Take(expected.Length));
        var groups = order.GetLogicalGroupOrder(cells.Reverse().GroupBy(cell => order.GetLogicalGroupKey(cells, cell)!));
        Assert.Equal(["DeserializePackedFloat", "SerializePackedFloat", "MeasureSerializePackedFloat", "DeserializePackedDouble"],
            groups.Select(group => Assert.Single(group.First().Descriptor.Categories)).Take(4));
    }
}

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

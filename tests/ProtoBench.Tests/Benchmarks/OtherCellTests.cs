using System.Reflection;
using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Jobs;
using BenchmarkDotNet.Running;
using ProtoBench.Benchmarks;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.Strategies;

namespace ProtoBench.Tests.Benchmarks;

/// <summary>Every cell that is not the hive's, run as BenchmarkDotNet would call it, twice.</summary>
public class OtherCellTests
{
    static readonly Dictionary<string, BenchmarkCase> cases = BenchmarkClasses.All
        .SelectMany(type => BenchmarkConverter.TypeToBenchmarks(type, ManualConfig.CreateEmpty().AddJob(Job.Dry)).BenchmarksCases)
        .Where(benchmark => HiveCell.Parse(benchmark.Descriptor.WorkloadMethod.Name) is null)
        .Where(benchmark => !IsTooLarge(benchmark))
        .DistinctBy(Name)
        .ToDictionary(Name);

    public static TheoryData<string> Cells { get; } = [.. cases.Keys];

    [Theory]
    [MemberData(nameof(Cells))]
    public void A_cell_gives_the_right_answer_twice(string name)
    {
        var cell = new Cell(cases[name]);
        for (var run = 0; run < 2; run++)
            Check(cell, cell.Run());
    }

    [Theory]
    [InlineData("AllocatorBenchmarks.Serial_Arena")]
    [InlineData("AllocatorBenchmarks.Serial_SlabWrapper")]
    [InlineData("AllocatorBenchmarks.Serial_SlabMemory")]
    [InlineData("AllocatorBenchmarks.Handoff_SlabMemory")]
    [InlineData("AllocatorBenchmarks.Handoff_Arena")]
    [InlineData("StrategyBenchmarks.Strategy_Published")]
    [InlineData("StrategyBenchmarks.Strategy_Arena")]
    [InlineData("StrategyBenchmarks.Strategy_Best")]
    [InlineData("WriterBenchmarks.Presized_SlabBufferWriter(1 MiB LOH)")]
    public void A_warm_slab_cell_allocates_nothing(string name)
    {
        var run = new Cell(cases[name]).Compiled();
        for (var warm = 0; warm < 20; warm++)
            run();
        var before = GC.GetAllocatedBytesForCurrentThread();
        run();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    static void Check(Cell cell, object result)
    {
        switch (cell.Instance)
        {
            case StrategyBenchmarks:
                Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Request()).Census(), ((IStrategyRequest)result).Census());
                break;
            case WriterBenchmarks writers:
                Assert.Equal(writers.Size.Bytes, (long)result);
                break;
            case BreakEvenBenchmarks map:
                Assert.Equal(ForwardRequest.Parser.ParseFrom(Hive.Shape(map.Items, map.LeafBytes)).Census(), CensusOf(result));
                break;
            case AllocatorBenchmarks when cell.Arguments is []:
                Assert.Equal(2 * Hive.Items, (int)result);
                break;
            case AllocatorBenchmarks or GcModeBenchmarks:
                Assert.Equal(cell.Arguments[0], result);
                break;
            default:
                Assert.Fail($"nobody checks {cell.Instance.GetType().Name}");
                break;
        }
    }

    static Census? CensusOf(object message) =>
        message is IStrategyRequest strategy ? strategy.Census() : Libraries.HiveLibraries.All.Select(library => library.CensusOf(message)).FirstOrDefault(census => census is not null);

    /// <summary>The larger shapes of the map hold the same cells: a megabyte shows all that they do.</summary>
    static bool IsTooLarge(BenchmarkCase benchmark) =>
        benchmark.Descriptor.Type == typeof(BreakEvenBenchmarks) && (long)(int)benchmark.Parameters["Items"] * (80 + (int)benchmark.Parameters["LeafBytes"]) > 1 << 20;

    static string Name(BenchmarkCase benchmark) =>
        $"{benchmark.Descriptor.Type.Name}.{benchmark.Descriptor.WorkloadMethod.Name}" + (benchmark.HasParameters ? $"({string.Join(", ", benchmark.Parameters.Items.Select(item => item.Value))})" : "");

    sealed class Cell
    {
        readonly MethodInfo method;

        public Cell(BenchmarkCase benchmark)
        {
            method = benchmark.Descriptor.WorkloadMethod;
            Instance = Activator.CreateInstance(benchmark.Descriptor.Type)!;
            foreach (var parameter in benchmark.Parameters.Items.Where(item => !item.IsArgument))
                benchmark.Descriptor.Type.GetProperty(parameter.Name)!.SetValue(Instance, parameter.Value);
            Arguments = [.. benchmark.Parameters.Items.Where(item => item.IsArgument).Select(item => item.Value)];
            benchmark.Descriptor.GlobalSetupMethod?.Invoke(Instance, null);
        }

        public object Instance { get; }

        public object[] Arguments { get; }

        public object Run() => method.Invoke(Instance, BindingFlags.DoNotWrapExceptions, null, Arguments, null)!;

        /// <summary>The cell as a delegate: reflection would allocate.</summary>
        public Action Compiled()
        {
            if (method.ReturnType == typeof(int))
            {
                var number = method.CreateDelegate<Func<int>>(Instance);
                return () => number();
            }

            if (method.ReturnType == typeof(long))
            {
                var bytes = method.CreateDelegate<Func<long>>(Instance);
                return () => bytes();
            }

            var other = method.CreateDelegate<Func<object>>(Instance);
            return () => other();
        }
    }
}

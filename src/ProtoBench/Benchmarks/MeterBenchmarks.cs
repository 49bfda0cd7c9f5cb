using BenchmarkDotNet.Attributes;

namespace ProtoBench.Benchmarks;

/// <summary>Has cells whose allocated objects are known, to check the column Allocations on this machine.</summary>
[CostColumns, OnlyWhenNamed]
public class MeterBenchmarks
{
    const int calls = 1_000;

    readonly object?[] kept = new object?[8];

    [Benchmark] public object?[] Objects_0() => Small(0);
    [Benchmark(Baseline = true)] public object?[] Objects_1() => Small(1);
    [Benchmark] public object?[] Objects_2() => Small(2);
    [Benchmark] public object?[] Objects_7() => Small(7);
    [Benchmark] public object?[] Objects_7_BesideLarge() => Large(Small(7));
    [Benchmark(OperationsPerInvoke = calls)] public Task<long> Objects_2_Async() => ManyAsync();

    object?[] Small(int objects)
    {
        for (var i = 0; i < objects; i++)
            kept[i] = new byte[8];
        return kept;
    }

    static object?[] Large(object?[] kept)
    {
        kept[7] = new byte[1 << 20];
        return kept;
    }

    async Task<long> ManyAsync()
    {
        var objects = 0L;
        for (var call = 0; call < calls; call++)
            objects += await YieldAsync();
        return objects;
    }

    /// <summary>Allocates an array, and the task of an asynchronous method that waits.</summary>
    async Task<int> YieldAsync()
    {
        Small(1);
        await Task.Yield();
        return 2;
    }
}

using BenchmarkDotNet.Attributes;
using Microsoft.Extensions.ObjectPool;
using ProtoBench.Allocators;
using ProtoBench.Rpc;

using Published =
    ProtoBench.Benchmarks.StrategyRequest<
        System.Memory<byte>, ProtoBench.Benchmarks.CountedLeaves,
        ProtoBench.Benchmarks.ListStore<System.Memory<byte>>>;

namespace ProtoBench.Benchmarks;

/// <summary>Decodes the request, and changes one memory decision at a time from the published form: counted slices behind a MemoryManager,
/// struct items, a List, and roots from a bag. All cells use the same walk over the wire bytes. Each operation releases the message of the
/// previous one.</summary>
public class StrategyBenchmarks
{
    readonly BagRecycler<IStrategyRequest> published = new(() => new Published());
    readonly BagRecycler<IStrategyRequest> wrapped = new(() => new StrategyRequest<SlabSlice, WrappedLeaves, ListStore<SlabSlice>>());
    readonly BagRecycler<IStrategyRequest> arrays = new(() => new StrategyRequest<byte[], ArrayLeaves, ListStore<byte[]>>());
    readonly BagRecycler<IStrategyRequest> arenas = new(() => new StrategyRequest<Memory<byte>, ArenaLeaves, ListStore<Memory<byte>>>());
    readonly BagRecycler<IStrategyRequest> objects =
        new(() => new StrategyRequest<Memory<byte>, CountedLeaves, ObjectStore<Memory<byte>>>());
    readonly BagRecycler<IStrategyRequest> pooled =
        new(() => new StrategyRequest<Memory<byte>, CountedLeaves, PooledStore<Memory<byte>>>());
    readonly ObjectPool<Published> objectPool = ObjectPool.Create<Published>();
    IStrategyRequest? last;

    [Benchmark(Baseline = true)] public IStrategyRequest Strategy_Published() => Decode(published);
    [Benchmark] public IStrategyRequest Strategy_Wrapper() => Decode(wrapped);
    [Benchmark] public IStrategyRequest Strategy_Array() => Decode(arrays);
    [Benchmark] public IStrategyRequest Strategy_Arena() => Decode(arenas);
    [Benchmark] public IStrategyRequest Strategy_ClassItem() => Decode(objects);
    [Benchmark] public IStrategyRequest Strategy_PooledList() => Decode(pooled);
    [Benchmark] public IStrategyRequest Strategy_RootNew() { last?.Release(); return Parse(new Published()); }
    [Benchmark] public IStrategyRequest Strategy_RootThreadStatic() => Decode(ThreadStaticRecycler<Published>.Instance);

    [Benchmark]
    public IStrategyRequest Strategy_RootObjectPool()
    {
        if (last is Published used)
        {
            used.Release();
            objectPool.Return(used);
        }

        return Parse(objectPool.Get());
    }

    [Benchmark]
    public IStrategyRequest Strategy_Best() =>
        Decode(ThreadStaticRecycler<StrategyRequest<Memory<byte>, ArenaLeaves, PooledStore<Memory<byte>>>>.Instance);

    IStrategyRequest Decode<TRequest>(Recycler<TRequest> roots)
        where TRequest : class, IStrategyRequest
    {
        if (last is TRequest used)
        {
            used.Release();
            roots.Return(used);
        }

        return Parse(roots.Rent());
    }

    IStrategyRequest Parse(IStrategyRequest root)
    {
        last = root;
        root.Parse(Wire.Request.BA);
        return root;
    }
}

using System.Buffers;
using BenchmarkDotNet.Attributes;
using CommunityToolkit.HighPerformance.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Benchmarks;

/// <summary>
/// The hive's 7,000 leaves (ids of 1 to 4 bytes, contexts of 64) rented, touched at both ends, kept like a message keeps them, then all
/// released. Serial: one thread does all of it. Each cell returns the number of leaves.
/// </summary>
public partial class AllocatorBenchmarks
{
    /// <summary>What an arena's owner has to keep of a leaf.</summary>
    readonly record struct Place(int Offset, int Length);

    static readonly int[] lengths = LeafLengths();

    readonly byte[][] arrays = new byte[lengths.Length][];
    readonly IMemoryOwner<byte>[] owners = new IMemoryOwner<byte>[lengths.Length];
    readonly SlabSlice[] slices = new SlabSlice[lengths.Length];
    readonly Memory<byte>[] memories = new Memory<byte>[lengths.Length];
    readonly Place[] places = new Place[lengths.Length];
    readonly ArrayPool<byte> privatePool = ArrayPool<byte>.Create(maxArrayLength: 1 << 20, maxArraysPerBucket: lengths.Length);
    readonly Arena arena = new();
    readonly SliceAllocator slab = new(SlabPool.Shared);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_NewArray()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch(arrays[i] = new byte[lengths[i]]);
        return arrays.Length;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("Serial")]
    public int Serial_ArrayPoolShared() => RentAndReturn(ArrayPool<byte>.Shared, arrays);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_ArrayPoolPrivate() => RentAndReturn(privatePool, arrays);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_MemoryPoolShared()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((owners[i] = MemoryPool<byte>.Shared.Rent(lengths[i])).Memory.Span[..lengths[i]]);
        return DisposeAll();
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_MemoryOwner()
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            var owner = MemoryOwner<byte>.Allocate(lengths[i]);
            Touch(owner.Span);
            owners[i] = owner;
        }

        return DisposeAll();
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabMemory()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((memories[i] = slab.RentMemory(lengths[i])).Span);
        foreach (var memory in memories)
            memory.Release();
        return memories.Length;
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabWrapper() => RentAndRelease(slab, slices);

    /// <summary>The allocator goes back to the start of its slab between messages, as long as all slices are back.</summary>
    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabWrapperRewind() => RentReleaseAndRewind(slab, slices);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_Arena() => RentAndReset(arena, places);

    static int RentAndReturn(ArrayPool<byte> pool, byte[][] arrays)
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((arrays[i] = pool.Rent(lengths[i])).AsSpan(0, lengths[i]));
        foreach (var array in arrays)
            pool.Return(array);
        return arrays.Length;
    }

    static int RentAndRelease(SliceAllocator slab, SlabSlice[] slices)
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((slices[i] = slab.Rent(lengths[i])).Span);
        foreach (var slice in slices)
            slice.Release();
        return slices.Length;
    }

    static int RentReleaseAndRewind(SliceAllocator slab, SlabSlice[] slices)
    {
        var released = RentAndRelease(slab, slices);
        return slab.TryRewind() ? released : 0;
    }

    static int RentAndReset(Arena arena, Place[] places)
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            var leaf = arena.RentSegment(lengths[i]);
            Touch(leaf);
            places[i] = new(leaf.Offset, leaf.Count);
        }

        arena.Reset();
        return places.Length;
    }

    int DisposeAll()
    {
        foreach (var owner in owners)
            owner.Dispose();
        return owners.Length;
    }

    static void Touch(Span<byte> leaf) => leaf[0] = leaf[^1] = 1;

    static int[] LeafLengths()
    {
        const int contextLength = 64;
        static int IdLength(int i) => i < 10 ? 1 : i < 100 ? 2 : i < 1_000 ? 3 : 4;
        return [.. Enumerable.Range(0, Payloads.Hive.Items).SelectMany(i => new[] { IdLength(i), contextLength })];
    }
}

using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using ProtoBench.Allocators;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Memory decisions are type arguments, so that two strategies differ in one decision only. Not thread-safe.</summary>
sealed class StrategyRequest<TLeaf, TLeaves, TItems> : IStrategyRequest
    where TLeaves : struct, ILeafSource<TLeaf>
    where TItems : struct, IItemStore<TLeaf>
{
    readonly TLeaves leaves = new();
    readonly TItems items = new();
    TLeaf? traceId;
    TLeaf? context;
    bool parsed;

    public void Parse(ReadOnlySpan<byte> wire)
    {
        var visitor = new Visitor { Request = this, Wire = wire };
        HiveWalk.Request(wire, ref visitor);
        parsed = true;
    }

    public void Release()
    {
        if (!parsed)
            return;
        parsed = false;
        leaves.Release(traceId!);
        leaves.Release(context!);
        for (var i = 0; i < items.Count; i++)
        {
            var item = items.Get(i);
            leaves.Release(item.Id);
            leaves.Release(item.Context);
        }

        items.Clear();
        leaves.ReleaseAll();
    }

    public Fingerprint Fingerprint()
    {
        var fingerprint = Payloads.Fingerprint.Empty.Leaf(leaves.Read(traceId!));
        for (var i = 0; i < items.Count; i++)
            fingerprint = fingerprint.Item().Leaf(leaves.Read(items.Get(i).Id)).Leaf(leaves.Read(items.Get(i).Context));
        return fingerprint.Leaf(leaves.Read(context!));
    }

    ref struct Visitor : IRequestVisitor
    {
        public required StrategyRequest<TLeaf, TLeaves, TItems> Request;
        public required ReadOnlySpan<byte> Wire;

        public readonly void RootLeaf(int field, int offset, int length)
        {
            var leaf = Request.leaves.Keep(Wire.Slice(offset, length));
            if (field == 1)
                Request.traceId = leaf;
            else
                Request.context = leaf;
        }

        public readonly void Item(int idOffset, int idLength, int contextOffset, int contextLength) =>
            Request.items.Add(Request.leaves.Keep(Wire.Slice(idOffset, idLength)),
                Request.leaves.Keep(Wire.Slice(contextOffset, contextLength)));
    }
}

public interface IStrategyRequest
{
    /// <summary>Decodes the bytes. The request must be empty.</summary>
    void Parse(ReadOnlySpan<byte> wire);

    /// <summary>Releases everything. It does nothing for an empty request.</summary>
    void Release();

    Fingerprint Fingerprint();
}

/// <summary>Represents the memory of leaves. Implementations are structs, so that the JIT compiles each strategy separately.</summary>
interface ILeafSource<TLeaf>
{
    TLeaf Keep(ReadOnlySpan<byte> bytes);

    void Release(TLeaf leaf);

    /// <summary>Called once, after the leaves of a message were released one by one.</summary>
    void ReleaseAll();

    ReadOnlySpan<byte> Read(TLeaf leaf);
}

/// <summary>The published form: counted memory behind a MemoryManager, with an interlocked release for each leaf.</summary>
readonly struct CountedLeaves() : ILeafSource<Memory<byte>>
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Memory<byte> Keep(ReadOnlySpan<byte> bytes)
    {
        var memory = SliceAllocator.ForThread.RentMemory(bytes.Length);
        bytes.CopyTo(memory.Span);
        return memory;
    }

    public void Release(Memory<byte> leaf) => SliceAllocator.Release(leaf);

    public void ReleaseAll()
    {
    }

    public ReadOnlySpan<byte> Read(Memory<byte> leaf) => leaf.Span;
}

/// <summary>Represents reference-counted memory as a wrapper with a callback.</summary>
readonly struct WrappedLeaves() : ILeafSource<SlabSlice>
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlabSlice Keep(ReadOnlySpan<byte> bytes)
    {
        var slice = SliceAllocator.ForThread.Rent(bytes.Length);
        bytes.CopyTo(slice.Span);
        return slice;
    }

    public void Release(SlabSlice leaf) => leaf.Release();

    public void ReleaseAll()
    {
    }

    public ReadOnlySpan<byte> Read(SlabSlice leaf) => leaf.Span;
}

readonly struct ArrayLeaves() : ILeafSource<byte[]>
{
    public byte[] Keep(ReadOnlySpan<byte> bytes) => bytes.ToArray();

    public void Release(byte[] leaf)
    {
    }

    public void ReleaseAll()
    {
    }

    public ReadOnlySpan<byte> Read(byte[] leaf) => leaf;
}

/// <summary>Represents an arena for the whole message, with one reset for all leaves.</summary>
readonly struct ArenaLeaves() : ILeafSource<Memory<byte>>
{
    readonly Arena arena = new();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Memory<byte> Keep(ReadOnlySpan<byte> bytes)
    {
        var memory = arena.RentMemory(bytes.Length);
        bytes.CopyTo(memory.Span);
        return memory;
    }

    public void Release(Memory<byte> leaf)
    {
    }

    public void ReleaseAll() => arena.Reset();

    public ReadOnlySpan<byte> Read(Memory<byte> leaf) => leaf.Span;
}

interface IItemStore<TLeaf>
{
    int Count { get; }

    void Add(TLeaf id, TLeaf context);

    Item<TLeaf> Get(int index);

    void Clear();
}

readonly record struct Item<TLeaf>(TLeaf Id, TLeaf Context);

sealed record ItemObject<TLeaf>(Item<TLeaf> Value);

readonly struct ListStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly List<Item<TLeaf>> items = [];

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(id, context));

    public Item<TLeaf> Get(int index) => CollectionsMarshal.AsSpan(items)[index];

    public void Clear() => items.Clear();
}

/// <summary>Represents an object for each item in a List, as in Google's messages and plain protobuf-net contracts.</summary>
readonly struct ObjectStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly List<ItemObject<TLeaf>> items = [];

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(new(id, context)));

    public Item<TLeaf> Get(int index) => items[index].Value;

    public void Clear() => items.Clear();
}

/// <summary>Represents struct items in an array from a pool that grows by doubling.</summary>
readonly struct PooledStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly PooledList<Item<TLeaf>> items = new();

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(id, context));

    public Item<TLeaf> Get(int index) => items[index];

    public void Clear() => items.Clear();
}

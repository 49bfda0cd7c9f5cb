using System.Runtime.InteropServices;
using ProtoBench.Allocators;

namespace ProtoBench.Strategies;

/// <summary>Where a decoder puts its items.</summary>
interface IItemStore<TLeaf>
{
    int Count { get; }

    void Add(TLeaf id, TLeaf context);

    Item<TLeaf> Get(int index);

    void Clear();
}

/// <summary>An item as a struct.</summary>
readonly record struct Item<TLeaf>(TLeaf Id, TLeaf Context);

/// <summary>An item as an object.</summary>
sealed record ItemObject<TLeaf>(Item<TLeaf> Value);

/// <summary>The published form: struct items in a List.</summary>
readonly struct ListStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly List<Item<TLeaf>> items = [];

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(id, context));

    public Item<TLeaf> Get(int index) => CollectionsMarshal.AsSpan(items)[index];

    public void Clear() => items.Clear();
}

/// <summary>An object for each item in a List, as Google and plain protobuf-net contracts have them.</summary>
readonly struct ObjectStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly List<ItemObject<TLeaf>> items = [];

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(new(id, context)));

    public Item<TLeaf> Get(int index) => items[index].Value;

    public void Clear() => items.Clear();
}

/// <summary>Struct items in an array from a pool that grows by doubling.</summary>
readonly struct PooledStore<TLeaf>() : IItemStore<TLeaf>
{
    readonly PooledList<Item<TLeaf>> items = new();

    public int Count => items.Count;

    public void Add(TLeaf id, TLeaf context) => items.Add(new(id, context));

    public Item<TLeaf> Get(int index) => items[index];

    public void Clear() => items.Clear();
}

using System.Collections.Concurrent;

namespace ProtoBench.Allocators;

/// <summary>A bounded bag that all threads share: the recycler for servers, where a request may end on another thread.</summary>
/// <inheritdoc/>
public sealed class BagRecycler<T> : Recycler<T>
    where T : class
{
    readonly ConcurrentBag<T> bag = [];
    readonly Func<T> create;
    readonly int capacity;
    int count;

    /// <summary>Makes an empty bag.</summary>
    /// <param name="create">Makes an object when the bag is empty.</param>
    /// <param name="capacity">How many objects are kept. The default is two for each core: one in use and one on its way back.</param>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    public BagRecycler(Func<T> create, int? capacity = null)
    {
        ArgumentNullException.ThrowIfNull(create);
        this.create = create;
        this.capacity = capacity ?? 2 * Environment.ProcessorCount;
        ArgumentOutOfRangeException.ThrowIfNegative(this.capacity, nameof(capacity));
    }

    /// <inheritdoc/>
    public override T Rent()
    {
        if (!bag.TryTake(out var item)) return create();
        Interlocked.Decrement(ref count);
        return item;
    }

    /// <inheritdoc/>
    public override void Return(T item)
    {
        ArgumentNullException.ThrowIfNull(item);

        // The bag's own Count takes every thread's lock; this counter is at least what the bag holds, so the bound is kept.
        if (Interlocked.Increment(ref count) <= capacity)
        {
            bag.Add(item);
            return;
        }

        Interlocked.Decrement(ref count);
        (item as IDisposable)?.Dispose();
    }
}

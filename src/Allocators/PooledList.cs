using System.Buffers;
using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

/// <summary>A list whose storage is one array from a pool: it grows by renting twice the room, and its items are reached by reference,
/// as a span or as memory.</summary>
/// <remarks>Ownership: the list owns its array; spans, memory and references into it are valid until the list grows, is cleared or
/// disposed. Thread safety: none.</remarks>
/// <typeparam name="T">The items: structs, to have all of them in one piece.</typeparam>
public sealed class PooledList<T> : IDisposable
{
    readonly ArrayPool<T> pool;
    T[] items = [];
    bool disposed;

    /// <summary>Makes an empty list over the shared array pool.</summary>
    public PooledList()
        : this(ArrayPool<T>.Shared)
    {
    }

    /// <summary>Makes an empty list.</summary>
    /// <param name="pool">Lends the arrays, beginning with the first item.</param>
    public PooledList(ArrayPool<T> pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        this.pool = pool;
    }

    /// <summary>Number of items.</summary>
    public int Count { get; private set; }

    /// <summary>Number of items that fit without growing.</summary>
    public int Capacity => items.Length;

    /// <summary>The items.</summary>
    public Span<T> Span => new(items, 0, Count);

    /// <summary>The items, to be stored.</summary>
    public Memory<T> Memory => new(items, 0, Count);

    /// <summary>An item, to be read or changed where it is.</summary>
    /// <exception cref="IndexOutOfRangeException"><paramref name="index"/> is not inside the list.</exception>
    public ref T this[int index] => ref Span[index];

    /// <summary>Appends an item.</summary>
    /// <inheritdoc cref="AddSlot" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(T item) => AddSlot() = item;

    /// <summary>Appends an item to be filled in place. It holds whatever a former item left there: assign all of it.</summary>
    /// <exception cref="ObjectDisposedException">The list was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref T AddSlot()
    {
        var index = Count;
        var array = items;
        if ((uint)index >= (uint)array.Length) array = Grow(index + 1);
        Count = index + 1;
        return ref array[index];
    }

    /// <summary>Makes room for <paramref name="capacity"/> items in all.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="capacity"/> is negative.</exception>
    /// <exception cref="ObjectDisposedException">The list was disposed.</exception>
    public void EnsureCapacity(int capacity)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(capacity);
        if (capacity > items.Length || disposed) Grow(capacity);
    }

    /// <summary>Empties the list; the array stays with it.</summary>
    public void Clear()
    {
        if (RuntimeHelpers.IsReferenceOrContainsReferences<T>()) Span.Clear();
        Count = 0;
    }

    /// <summary>Enumerates the items by reference.</summary>
    public Span<T>.Enumerator GetEnumerator() => Span.GetEnumerator();

    /// <summary>Returns the array. The list is empty then, and adding throws; a second call does nothing.</summary>
    public void Dispose()
    {
        disposed = true;
        Replace([]);
        Count = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    T[] Grow(int capacity)
    {
        ObjectDisposedException.ThrowIf(disposed, this);
        var larger = pool.Rent(Math.Max(capacity, (int)Math.Clamp(2L * items.Length, 16, Array.MaxLength)));
        Span.CopyTo(larger);
        Replace(larger);
        return larger;
    }

    void Replace(T[] array)
    {
        // Exchanged, so that two threads that dispose at the same time do not both return the array.
        var old = Interlocked.Exchange(ref items, array);
        if (old.Length > 0) pool.Return(old, clearArray: RuntimeHelpers.IsReferenceOrContainsReferences<T>());
    }
}

using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Runtime;

/// <summary>A stack in a rented array. The default value is an empty stack.</summary>
struct RentedStack<T>
    where T : unmanaged
{
    const int first = 64;

    public T[] Items;
    public int Count;

    public readonly Span<T> From(int start) => Items is null ? [] : Items.AsSpan(start, Count - start);

    public void Push(T item)
    {
        if (Items is null || Count == Items.Length) Grow(Count + 1L);
        Items[Count++] = item;
    }

    /// <summary>Pushes several zeros.</summary>
    public void Push(int zeros)
    {
        if (Items is null || zeros > Items.Length - Count) Grow((long)Count + zeros);
        Items.AsSpan(Count, zeros).Clear();
        Count += zeros;
    }

    /// <summary>Pushes several items.</summary>
    /// <exception cref="InsufficientMemoryException">The stack does not fit into one array.</exception>
    public void Push(ReadOnlySpan<T> items)
    {
        if (Items is null || items.Length > Items.Length - Count) Grow((long)Count + items.Length);
        items.CopyTo(Items.AsSpan(Count));
        Count += items.Length;
    }

    public void Dispose()
    {
        if (Items is not null) ArrayPool<T>.Shared.Return(Items);
        this = default;
    }

    [MemberNotNull(nameof(Items))]
    void Grow(long needed)
    {
        if (needed > Array.MaxLength) throw new InsufficientMemoryException("The message has more than 2 GiB.");
        var larger = ArrayPool<T>.Shared.Rent((int)Math.Max(needed, Math.Max(first, Math.Min(2L * Count, Array.MaxLength))));
        if (Items is not null)
        {
            Items.AsSpan(0, Count).CopyTo(larger);
            ArrayPool<T>.Shared.Return(Items);
        }

        Items = larger;
    }
}

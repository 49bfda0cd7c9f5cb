namespace ProtoBench.Codec;

/// <summary>The elements of a repeated field: a range of a <see cref="Storage{T}"/>. Those of a packed field of fixed width may be where
/// they were read: then the range is one of bytes of the message's <see cref="MessageMemory"/>.</summary>
public readonly struct ElementRange
{
    internal ElementRange(int start, int count) => (Start, Count) = (start, count);

    /// <summary>Number of elements. The room behind <see cref="Start"/> is always this, rounded up to a power of two.</summary>
    public int Count { get; }

    /// <summary>Index of the first element; or the complement of the address of its bytes, which is negative.</summary>
    internal int Start { get; }

    /// <summary>Whether the elements are bytes of the message's memory. They are not changed there.</summary>
    internal bool IsAliased => Start < 0;

    /// <summary>Index behind the last element.</summary>
    internal int End => Start + Count;

    /// <summary>Elements that are bytes of the message's memory, all in one block.</summary>
    internal static ElementRange Aliased(int address, int count) => new(~address, count);

    /// <summary>The bytes of elements that are aliased.</summary>
    /// <exception cref="ObjectDisposedException">So many bytes are nowhere: the range is that of two contents.</exception>
    internal ByteRange Bytes(int elementSize)
    {
        if ((uint)Count > (uint)(int.MaxValue / elementSize)) Storage.ThrowEmptied();
        return new(~Start, Count * elementSize);
    }
}

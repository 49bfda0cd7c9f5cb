namespace ProtoBench.Codec;

/// <summary>The elements of a repeated field: a range of a <see cref="Storage{T}"/>.</summary>
public readonly struct ElementRange
{
    internal ElementRange(int start, int count) => (Start, Count) = (start, count);

    /// <summary>Number of elements. The room behind <see cref="Start"/> is always this, rounded up to a power of two.</summary>
    public int Count { get; }

    /// <summary>Index of the first element.</summary>
    internal int Start { get; }

    /// <summary>Index behind the last element.</summary>
    internal int End => Start + Count;
}

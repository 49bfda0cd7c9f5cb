namespace ProtoBench.Codec;

/// <summary>The elements of a repeated field: a range of rows in a <see cref="Rows{T}"/>.</summary>
/// <param name="Start">Index of the first row.</param>
/// <param name="Count">Number of rows. The room behind <paramref name="Start"/> is always this, rounded up to a power of two.</param>
public readonly record struct Run(int Start, int Count)
{
    /// <summary>Index behind the last row.</summary>
    public int End => Start + Count;
}

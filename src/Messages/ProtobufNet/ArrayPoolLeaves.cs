using System.Buffers;

namespace ProtoBench.Pbn;

/// <summary>An array from the shared pool for each leaf: where the published study starts. The
/// pool keeps tens of arrays of a size, and a message has thousands of leaves.</summary>
public sealed class ArrayPoolLeaves : LeafMemory
{
    readonly List<byte[]> rented = [];

    /// <inheritdoc/>
    public override void Reset()
    {
        foreach (var array in rented)
            ArrayPool<byte>.Shared.Return(array);
        rented.Clear();
    }

    /// <inheritdoc/>
    protected override Memory<byte> Rent(int length)
    {
        var array = ArrayPool<byte>.Shared.Rent(length);
        rented.Add(array);
        return array.AsMemory(0, length);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => Reset();
}

using System.Runtime.InteropServices;
using ProtoBuf;
using ProtoBuf.Serializers;

namespace ProtoBench.Pbn;

/// <summary>The memory of a root's leaves. protobuf-net asks it for the memory of each leaf that it reads.</summary>
/// <remarks>One for each root, which owns it. A leaf is valid until <see cref="Reset"/>. Not thread-safe.</remarks>
public abstract class LeafMemory : IMemoryConverter<ReadOnlyMemory<byte>, byte>, IDisposable
{
    /// <inheritdoc/>
    public ReadOnlyMemory<byte> NonNull(in ReadOnlyMemory<byte> value) => value;

    /// <inheritdoc/>
    public int GetLength(in ReadOnlyMemory<byte> value) => value.Length;

    /// <inheritdoc/>
    // Only arrays and slabs are behind these leaves, and both can be written to; nobody here does.
    public Memory<byte> GetMemory(in ReadOnlyMemory<byte> value) => MemoryMarshal.AsMemory(value);

    /// <inheritdoc/>
    public Memory<byte> Expand(ISerializationContext context, ref ReadOnlyMemory<byte> value, int additionalCapacity)
    {
        var all = Rent(value.Length + additionalCapacity);
        value.CopyTo(all);
        var added = all[value.Length..];
        value = all;
        return added;
    }

    /// <summary>A leaf with these bytes.</summary>
    public ReadOnlyMemory<byte> Copy(ReadOnlySpan<byte> bytes)
    {
        var leaf = Rent(bytes.Length);
        bytes.CopyTo(leaf.Span);
        return leaf;
    }

    /// <summary>Takes all leaves back.</summary>
    public abstract void Reset();

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Memory of exactly <paramref name="length"/> bytes.</summary>
    protected abstract Memory<byte> Rent(int length);

    /// <summary>Gives the memory back.</summary>
    protected abstract void Dispose(bool disposing);
}

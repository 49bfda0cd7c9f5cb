using ProtoBench.Allocators;
using ProtoBuf;
using ProtoBuf.Serializers;

namespace ProtoBench.Pbn;

/// <summary>protobuf-net's public door for leaves that are no arrays of their own: it asks here for the memory of each leaf that it reads.</summary>
/// <remarks>One for each root, which owns it. A leaf is valid until <see cref="Reset"/>. Not thread-safe.</remarks>
sealed class SlabLeaves(SlabPool pool) : IMemoryConverter<ReadOnlyMemory<byte>, byte>, IDisposable
{
    readonly Arena arena = new(pool);

    public ReadOnlyMemory<byte> NonNull(in ReadOnlyMemory<byte> value) => value;

    public int GetLength(in ReadOnlyMemory<byte> value) => value.Length;

    // Only arrays and slabs are behind these leaves, and both can be written to; nobody here does.
    public Memory<byte> GetMemory(in ReadOnlyMemory<byte> value) => System.Runtime.InteropServices.MemoryMarshal.AsMemory(value);

    public Memory<byte> Expand(ISerializationContext context, ref ReadOnlyMemory<byte> value, int additionalCapacity)
    {
        var all = arena.RentMemory(value.Length + additionalCapacity);
        value.CopyTo(all);
        var added = all[value.Length..];
        value = all;
        return added;
    }

    /// <summary>A leaf with these bytes.</summary>
    public ReadOnlyMemory<byte> Copy(ReadOnlySpan<byte> bytes)
    {
        var leaf = arena.RentMemory(bytes.Length);
        bytes.CopyTo(leaf.Span);
        return leaf;
    }

    public void Reset() => arena.Reset();

    public void Dispose() => arena.Dispose();
}

using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using ProtoBench.Allocators;
using ProtoBuf;
using ProtoBuf.Serializers;

namespace ProtoBench.Pbn;

/// <summary>The leaves of one root, which owns it. A leaf is valid until <see cref="Reset"/>. Not thread-safe.</summary>
public abstract class LeafMemory : IMemoryConverter<ReadOnlyMemory<byte>, byte>, IDisposable
{
    public ReadOnlyMemory<byte> NonNull(in ReadOnlyMemory<byte> value) => value;

    public int GetLength(in ReadOnlyMemory<byte> value) => value.Length;

    // The memory of these leaves is in arrays and slabs, which are writable. No caller writes to it.
    public Memory<byte> GetMemory(in ReadOnlyMemory<byte> value) => MemoryMarshal.AsMemory(value);

    public Memory<byte> Expand(ISerializationContext context, ref ReadOnlyMemory<byte> value, int additionalCapacity)
    {
        var all = Rent(value.Length + additionalCapacity);
        value.CopyTo(all);
        var added = all[value.Length..];
        value = all;
        return added;
    }

    public ReadOnlyMemory<byte> Copy(ReadOnlySpan<byte> bytes)
    {
        var leaf = Rent(bytes.Length);
        bytes.CopyTo(leaf.Span);
        return leaf;
    }

    public abstract void Reset();

    public void Dispose()
    {
        Dispose(true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Memory of exactly <paramref name="length"/> bytes.</summary>
    protected abstract Memory<byte> Rent(int length);

    protected abstract void Dispose(bool disposing);
}

/// <summary>Slab memory, which is released all at once.</summary>
public sealed class SlabLeaves(SlabPool pool) : LeafMemory
{
    readonly Arena arena = new(pool);

    public override void Reset() => arena.Reset();

    protected override Memory<byte> Rent(int length) => arena.RentMemory(length);

    protected override void Dispose(bool disposing) => arena.Dispose();
}

/// <summary>As in the first version of the published study. The pool keeps tens of arrays of a size; a message has thousands.</summary>
public sealed class ArrayPoolLeaves : LeafMemory
{
    readonly List<byte[]> rented = [];

    public override void Reset()
    {
        foreach (var array in rented)
            ArrayPool<byte>.Shared.Return(array);
        rented.Clear();
    }

    protected override Memory<byte> Rent(int length)
    {
        var array = ArrayPool<byte>.Shared.Rent(length);
        rented.Add(array);
        return array.AsMemory(0, length);
    }

    protected override void Dispose(bool disposing) => Reset();
}

/// <summary>Keeps nothing: each array is new and is garbage collected.</summary>
public sealed class UnpooledArrays<T> : ArrayPool<T>
{
    UnpooledArrays()
    {
    }

    [SuppressMessage("Design", "CA1000", Justification = "an instance for each type argument is meant, as in ArrayPool<T>.Shared")]
    public static UnpooledArrays<T> Instance { get; } = new();

    public override T[] Rent(int minimumLength) => new T[minimumLength];

    public override void Return(T[] array, bool clearArray = false)
    {
    }
}

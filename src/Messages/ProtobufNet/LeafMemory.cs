using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;
using ProtoBench.Allocators;
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

/// <summary>Leaves in slab memory: all of them are taken back at once.</summary>
public sealed class SlabLeaves(SlabPool pool) : LeafMemory
{
    readonly Arena arena = new(pool);

    /// <inheritdoc/>
    public override void Reset() => arena.Reset();

    /// <inheritdoc/>
    protected override Memory<byte> Rent(int length) => arena.RentMemory(length);

    /// <inheritdoc/>
    protected override void Dispose(bool disposing) => arena.Dispose();
}

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

/// <summary>An array pool that keeps nothing: each array is new, and the garbage collector takes it.</summary>
public sealed class UnpooledArrays<T> : ArrayPool<T>
{
    UnpooledArrays()
    {
    }

    /// <summary>The pool. Any thread may use it.</summary>
    [SuppressMessage("Design", "CA1000", Justification = "an instance for each type argument is meant, as in ArrayPool<T>.Shared")]
    public static UnpooledArrays<T> Instance { get; } = new();

    /// <inheritdoc/>
    public override T[] Rent(int minimumLength) => new T[minimumLength];

    /// <inheritdoc/>
    public override void Return(T[] array, bool clearArray = false)
    {
    }
}

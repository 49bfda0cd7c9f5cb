using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>Memory with a reference count. It is the owner of a <see cref="SlabSlice"/> and the manager of a counted
/// <see cref="Memory{T}"/>. Derive from it to offer memory of another origin in these two forms.</summary>
/// <remarks>Thread safety: references are added and dropped from any thread.</remarks>
public abstract class CountedMemory : MemoryManager<byte>
{
    /// <summary>Adds one reference to a slice.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">The last reference is gone already.</exception>
    public abstract void Preserve(int length);

    /// <summary>Drops one reference to a slice. The call that drops the last reference recycles the memory.</summary>
    /// <param name="length">Bytes of the slice, for the statistics of live bytes.</param>
    /// <exception cref="InvalidOperationException">There were more releases than references, where that can be seen.</exception>
    public abstract void Release(int length);
}

/// <summary>Adds and drops references of a counted <see cref="Memory{T}"/>, the form that <see cref="SliceAllocator.RentMemory"/>
/// returns.</summary>
/// <remarks>Thread safety: any thread, whichever rented. A part of a slice (<see cref="Memory{T}.Slice(int)"/>) stands for the whole:
/// release one of them, once. Empty memory has no owner and needs none: both calls ignore it.</remarks>
public static class CountedMemoryExtensions
{
    /// <summary>Adds a reference, so that one more <see cref="Release(ReadOnlyMemory{byte})"/> is needed.</summary>
    /// <exception cref="ArgumentException">The memory was not rented as counted memory.</exception>
    public static void Preserve(this Memory<byte> memory) => Preserve((ReadOnlyMemory<byte>)memory);

    /// <inheritdoc cref="Preserve(Memory{byte})"/>
    public static void Preserve(this ReadOnlyMemory<byte> memory)
    {
        if (MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out var owner)) owner.Preserve(memory.Length);
        else if (!memory.IsEmpty) ThrowForeign(nameof(memory));
    }

    /// <summary>Drops a reference. The bytes must not be touched through this reference afterwards.</summary>
    /// <exception cref="ArgumentException">The memory was not rented as counted memory.</exception>
    /// <exception cref="InvalidOperationException">It was released more often than rented and preserved. The fast form sees that only when
    /// the whole slab is over-released; <see cref="DiagnosticSlabPool"/> sees it at the first call too many.</exception>
    public static void Release(this Memory<byte> memory) => Release((ReadOnlyMemory<byte>)memory);

    /// <inheritdoc cref="Release(Memory{byte})"/>
    public static void Release(this ReadOnlyMemory<byte> memory)
    {
        if (!TryRelease(memory) && !memory.IsEmpty) ThrowForeign(nameof(memory));
    }

    /// <summary>Drops a reference if the memory is counted, and does nothing if it belongs to somebody else.</summary>
    /// <returns>Whether the memory was counted.</returns>
    /// <inheritdoc cref="Release(Memory{byte})" path="/exception[@cref='InvalidOperationException']"/>
    public static bool TryRelease(this ReadOnlyMemory<byte> memory)
    {
        if (!MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out var owner)) return false;
        owner.Release(memory.Length);
        return true;
    }

    /// <summary>Moves the bytes to memory of their own and drops this reference, so that a slice that lives long does not keep the slab of
    /// its short-lived neighbours.</summary>
    /// <param name="memory">The slice, whole or a part of it: what is outside of the part is given up.</param>
    /// <param name="to">Lends the new memory: an allocator that is used for long-lived slices only, and by this thread.</param>
    /// <returns>The new slice, with one reference. The old one must not be used afterwards.</returns>
    /// <exception cref="ArgumentException">The memory was not rented as counted memory.</exception>
    /// <inheritdoc cref="SlabSlice.CopyOut" path="/exception"/>
    public static Memory<byte> CopyOut(this Memory<byte> memory, SliceAllocator to)
    {
        ArgumentNullException.ThrowIfNull(to);
        if (!MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out _) && !memory.IsEmpty) ThrowForeign(nameof(memory));
        var from = memory.Span;
        var copy = to.RentMemory(memory.Length);
        from.CopyTo(copy.Span);
        try
        {
            memory.Release();
        }
        catch
        {
            copy.Release();
            throw;
        }

        return copy;
    }

    [DoesNotReturn]
    static void ThrowForeign(string parameter) =>
        throw new ArgumentException("This memory is foreign: it was not rented as counted memory from a SliceAllocator.", parameter);
}

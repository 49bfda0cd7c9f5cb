using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>Rents reference-counted slices. Each is valid until its last release, which may happen on any thread.</summary>
/// <remarks>Ownership: a slab returns to its pool when the allocator uses another slab and all slices of the slab are released. One slice
/// of 4 bytes that is never released keeps a whole slab. Thread safety: one thread at a time rents; any thread preserves and releases.
/// <see cref="Dispose"/> leaves slices that were not released valid. If the allocator is collected without <see cref="Dispose"/>, for
/// example because its thread has ended, its finalizer gives up its slab in the same way.</remarks>
public sealed class SliceAllocator : IDisposable
{
    [ThreadStatic]
    static SliceAllocator? ofThread;

    readonly SlabPool pool;
    readonly bool isThreads;
    Slab current = Slab.None;
    bool disposed;

    /// <summary>Makes an allocator that rents slabs from <paramref name="pool"/>.</summary>
    public SliceAllocator(SlabPool pool)
    {
        ArgumentNullException.ThrowIfNull(pool);
        this.pool = pool;
    }

    SliceAllocator(SlabPool pool, bool isThreads)
        : this(pool) => this.isThreads = isThreads;

    /// <summary>Seals the slab of an allocator that was collected.</summary>
    ~SliceAllocator()
    {
        if (current == Slab.None) return;
        pool.CountStranded();
        try
        {
            LetGo();
        }
        catch (InvalidOperationException)
        {
            // Released too often: the slab is not recycled, and the exception must not end the finalizer thread.
        }
    }

    /// <summary>This thread's own allocator over <see cref="SlabPool.Shared"/>. Read it again on each thread: another thread must not rent
    /// from it. It belongs to the thread, so <see cref="Dispose"/> gives up its slab and leaves it usable.</summary>
    public static SliceAllocator ForThread => ofThread ??= new(SlabPool.Shared, isThreads: true);

    /// <summary>Rents <paramref name="length"/> bytes in the wrapper form.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative or more than an array can hold.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its cap.</exception>
    /// <exception cref="ObjectDisposedException">The allocator or its pool was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public SlabSlice Rent(int length)
    {
        var slab = current;
        var start = slab.used;

        // Zero wraps around and takes the slow path with the negative ones: an empty slice needs no reference.
        if ((uint)(length - 1) >= (uint)(slab.limit - start)) return RentSlow(length);
        slab.used = start + length;
        slab.slices++;
        return new(slab, slab.bytes, start, length);
    }

    /// <summary>Rents <paramref name="length"/> bytes as memory. It needs one call of <see cref="Release"/>, and one more for each of
    /// <see cref="Preserve"/>.</summary>
    /// <inheritdoc cref="Rent" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Memory<byte> RentMemory(int length)
    {
        var slab = current;
        var start = slab.used;
        if ((uint)(length - 1) >= (uint)(slab.limit - start)) return RentMemorySlow(length);
        slab.used = start + length;
        slab.slices++;
        return slab.Counted(start, length);
    }

    /// <summary>Grows or shrinks the slice that was rented last, where it is. Its references stay what they are.</summary>
    /// <param name="slice">The slice; changed on success. Copies of it keep the old length: release none of those.</param>
    /// <param name="newLength">Its new length in bytes.</param>
    /// <returns>False if it is not the last slice or its slab has no room; nothing has changed then.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="newLength"/> is negative.</exception>
    public bool TryResize(ref SlabSlice slice, int newLength)
    {
        if (!slice.TryGetPlace(out var bytes, out var start) || current.slices > Slab.MaxSlices
            || !current.TryResize(bytes, start, slice.Length, newLength)) return false;
        slice = slice.Resized(newLength);
        return true;
    }

    /// <inheritdoc cref="TryResize(ref SlabSlice, int)"/>
    public bool TryResize(ref Memory<byte> slice, int newLength)
    {
        if (!MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(slice, out var owner)
            || !MemoryMarshal.TryGetArray<byte>(slice, out var segment)
            || current.slices > Slab.MaxSlices
            || !current.TryResize(segment.Array, segment.Offset, segment.Count, newLength)) return false;
        slice = owner is CheckedSlice cut ? cut.Resize(newLength) : current.Counted(segment.Offset, newLength);
        return true;
    }

    /// <summary>Adds a reference to memory of <see cref="RentMemory"/>, of any allocator. It needs one more <see cref="Release"/>.</summary>
    /// <param name="memory">The memory or a part of it, which stands for the whole. Empty memory without an owner is ignored.</param>
    /// <remarks>Thread safety: any thread.</remarks>
    /// <exception cref="ArgumentException">The memory is of another origin.</exception>
    /// <exception cref="InvalidOperationException">The last reference is gone already, or the slab has 520 million references.</exception>
    public static void Preserve(ReadOnlyMemory<byte> memory)
    {
        if (MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out var owner)) owner.Preserve(memory.Length);
        else if (!memory.IsEmpty) ThrowForeign(nameof(memory));
    }

    /// <summary>Drops a reference to memory of <see cref="RentMemory"/>, of any allocator. Do not use the memory afterwards.</summary>
    /// <param name="memory">The memory or a part of it, which stands for the whole: release one of them, once. Empty memory without an
    /// owner is ignored.</param>
    /// <remarks>Thread safety: any thread.</remarks>
    /// <exception cref="ArgumentException">The memory is of another origin.</exception>
    /// <exception cref="InvalidOperationException">It was released more often than rented and preserved. The fast form sees that only when
    /// the whole slab is over-released; <see cref="DiagnosticSlabPool"/> sees it at the first call too many.</exception>
    public static void Release(ReadOnlyMemory<byte> memory)
    {
        if (!TryRelease(memory) && !memory.IsEmpty) ThrowForeign(nameof(memory));
    }

    /// <summary>Does the same as <see cref="Release"/>, and nothing if the memory is of another origin.</summary>
    /// <returns>Whether a reference was dropped.</returns>
    /// <exception cref="InvalidOperationException">As <see cref="Release"/>.</exception>
    /// <inheritdoc cref="Release" path="/param"/>
    public static bool TryRelease(ReadOnlyMemory<byte> memory)
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
    /// <exception cref="ArgumentException">The memory is of another origin.</exception>
    /// <inheritdoc cref="SlabSlice.CopyOut" path="/exception"/>
    public static Memory<byte> CopyOut(ReadOnlyMemory<byte> memory, SliceAllocator to)
    {
        ArgumentNullException.ThrowIfNull(to);
        if (!MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out _) && !memory.IsEmpty) ThrowForeign(nameof(memory));
        var from = memory.Span;
        var copy = to.RentMemory(memory.Length);
        from.CopyTo(copy.Span);
        try
        {
            Release(memory);
        }
        catch
        {
            Release(copy);
            throw;
        }

        return copy;
    }

    /// <summary>Starts again at the beginning of the current slab, if all its slices are released. Call it between messages: the next
    /// message then uses memory that is still in the cache, instead of the rest of the slab and then another slab.</summary>
    /// <returns>False if a slice is not released yet; nothing has changed then.</returns>
    public bool TryRewind()
    {
        if (current == Slab.None) return true;
        if (!current.AllBack) return false;
        current.Rewind();
        return true;
    }

    /// <summary>Ends renting. Slices that are not released yet stay valid until they are. A second call, from any thread, does nothing. The
    /// allocator of <see cref="ForThread"/> gives up its slab and can be used again.</summary>
    /// <exception cref="InvalidOperationException">Slices were released more often than rented and preserved.</exception>
    public void Dispose()
    {
        if (!isThreads)
        {
            if (Interlocked.Exchange(ref disposed, true)) return;
            GC.SuppressFinalize(this);
        }

        LetGo();
    }

    void LetGo()
    {
        if (TakeBack() is { } slab) pool.Return(slab);
    }

    /// <summary>Seals the current slab.</summary>
    /// <returns>The slab if all its slices are back already, else null: the last release returns it.</returns>
    Slab? TakeBack()
    {
        var slab = Interlocked.Exchange(ref current, Slab.None);
        return slab != Slab.None && slab.Seal() ? slab : null;
    }

    void NextSlab(int length)
    {
        var back = TakeBack();

        // A slab whose slices are all released is used again at once: it is still in the cache, and the pool is not called.
        if (back is not null && pool.KeepsSlabOnReset && back.Length == pool.SlabSize && length <= back.Length)
        {
            back.Rewind();
            current = back;
            return;
        }

        if (back is not null) pool.Return(back);
        current = pool.Rent(length).OpenCounted();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    SlabSlice RentSlow(int length)
    {
        if (length == 0) return default;
        var start = Take(length);
        var owner = current.OwnerOf(start, length);
        return new(owner, owner == current ? current.bytes : null, start, length);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    Memory<byte> RentMemorySlow(int length)
    {
        if (length == 0) return default;
        var start = Take(length);
        var owner = current.OwnerOf(start, length);
        return owner == current ? current.Counted(start, length) : owner.Memory;
    }

    int Take(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ObjectDisposedException.ThrowIf(disposed, this);
        if (length > current.Room || current.slices >= Slab.MaxSlices) NextSlab(length);
        var start = current.used;
        current.Cut(start + length);
        current.slices++;
        return start;
    }

    [DoesNotReturn]
    static void ThrowForeign(string parameter) =>
        throw new ArgumentException("This memory is foreign: it was not rented as counted memory from a SliceAllocator.", parameter);
}

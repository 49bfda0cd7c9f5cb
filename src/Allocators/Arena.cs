using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>Memory for buffers that are released together. Slices are cut from slabs one after the other (bump allocation), and one
/// <see cref="Reset"/> or <see cref="Dispose"/> releases all of them.</summary>
/// <remarks>Ownership: the arena owns its slabs; a slice is valid until the next <see cref="Reset"/> or <see cref="Dispose"/>, on any
/// thread. Slices hold what was there before, unless the pool zeroes. Thread safety: none; one thread at a time rents, resizes and resets.
/// An arena that is dropped without <see cref="Dispose"/> leaves its slabs to the garbage collector, and its pool counts them as
/// stranded.</remarks>
/// <param name="pool">Lends the slabs, beginning with the first rent.</param>
public sealed class Arena(SlabPool pool) : IDisposable
{
    readonly SlabPool pool = pool ?? throw new ArgumentNullException(nameof(pool));
    Slab current = Slab.None;
    bool disposed;

    /// <summary>Makes an arena over <see cref="SlabPool.Shared"/>.</summary>
    public Arena()
        : this(SlabPool.Shared)
    {
    }

    /// <summary>How often the arena was reset or disposed. Code that keeps (array, offset) pairs of its own, which no diagnostic pool
    /// can check, stores this beside them and calls <see cref="ThrowIfReleased"/>.</summary>
    public int Generation { get; private set; }

    /// <summary>Bytes handed out since the last reset.</summary>
    public long LiveBytes
    {
        get
        {
            var sum = 0L;
            for (var slab = current; slab is not null; slab = slab.next) sum += slab.used;
            return sum;
        }
    }

    /// <summary>Throws if slices that were rented in <paramref name="generation"/> have been released since.</summary>
    /// <exception cref="ObjectDisposedException">The arena was reset or disposed since.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void ThrowIfReleased(int generation)
    {
        if (generation != Generation) ThrowReleased();
    }

    /// <summary>Rents <paramref name="length"/> bytes as a span.</summary>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="length"/> is negative or more than an array can hold.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its cap.</exception>
    /// <exception cref="ObjectDisposedException">The arena or its pool was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Rent(int length)
    {
        var slab = current;
        var start = slab.used;

        // Compared as long, so that a negative length and a negative rest both fail. Then start and length lie inside of this slab even
        // when two threads misuse the arena and one of them moves the slab's end, so the span needs no second check.
        if ((uint)length <= slab.limit - start) slab.used = start + length;
        else (slab, start) = Take(length);
        return MemoryMarshal.CreateSpan(ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(slab.bytes), start), length);
    }

    /// <summary>Rents <paramref name="length"/> bytes as array and offset, for code that keeps its own indexes.</summary>
    /// <inheritdoc cref="Rent" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ArraySegment<byte> RentSegment(int length)
    {
        var slab = current;
        var start = slab.used;
        if ((uint)length <= (uint)(slab.limit - start)) slab.used = start + length;
        else (slab, start) = Take(length);
        return new(slab.bytes, start, length);
    }

    /// <summary>Rents <paramref name="length"/> bytes as memory that can be stored. It is pinned already: pinning it costs
    /// nothing.</summary>
    /// <inheritdoc cref="Rent" path="/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Memory<byte> RentMemory(int length)
    {
        var slab = current;
        var start = slab.used;
        if ((uint)length > (uint)(slab.limit - start)) return RentMemorySlow(length);
        slab.used = start + length;
        return MemoryMarshal.CreateFromPinnedArray(slab.bytes, start, length);
    }

    /// <summary>Grows or shrinks the slice that was rented last, where it is.</summary>
    /// <param name="slice">The slice; changed on success.</param>
    /// <param name="newLength">Its new length in bytes.</param>
    /// <returns>False if it is not the last slice or its slab has no room; nothing has changed then.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="newLength"/> is negative.</exception>
    public bool TryResize(ref ArraySegment<byte> slice, int newLength)
    {
        if (!current.TryResize(slice.Array, slice.Offset, slice.Count, newLength)) return false;
        slice = new(slice.Array!, slice.Offset, newLength);
        return true;
    }

    /// <inheritdoc cref="TryResize(ref ArraySegment{byte}, int)"/>
    public bool TryResize(ref Memory<byte> slice, int newLength)
    {
        if (!MemoryMarshal.TryGetArray<byte>(slice, out var segment) || !TryResize(ref segment, newLength)) return false;
        slice = current.Slice(segment.Offset, newLength);
        return true;
    }

    /// <summary>Releases all slices at once, however many there are. The last regular slab stays with the arena; the others are returned to
    /// the pool.</summary>
    /// <exception cref="ObjectDisposedException">The arena was disposed.</exception>
    public void Reset()
    {
        ObjectDisposedException.ThrowIf(disposed, this);
        Generation++;
        if (current.next is null && pool.KeepsSlabOnReset && current.Length == pool.SlabSize) current.MoveTo(0);
        else ReturnAll(pool.KeepsSlabOnReset);
    }

    /// <summary>Releases all slices and returns all slabs. A further rent throws; a second call does nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref disposed, true)) return;
        Generation++;
        ReturnAll(keepOne: false);
    }

    void ReturnAll(bool keepOne)
    {
        var slab = Interlocked.Exchange(ref current, Slab.None);
        while (slab is not null && slab != Slab.None)
        {
            var next = slab.next;
            if (keepOne && slab.Length == pool.SlabSize)
            {
                keepOne = false;
                slab.next = null;
                slab.MoveTo(0);
                current = slab;
            }
            else
            {
                pool.Return(slab);
            }

            slab = next;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    Memory<byte> RentMemorySlow(int length)
    {
        var (slab, start) = Take(length);
        return slab.Slice(start, length);
    }

    /// <summary>Every rent but the fast ones.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    (Slab Slab, int Start) Take(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ObjectDisposedException.ThrowIf(disposed, this);
        var slab = current;
        var start = slab.used;
        if (length > slab.bytes.Length - start || slab == Slab.None)
        {
            var fresh = pool.Rent(length).Open();
            fresh.next = slab == Slab.None ? null : slab;
            current = slab = fresh;
            start = 0;
        }

        slab.Cut(start + length);
        return (slab, start);
    }

    [DoesNotReturn]
    void ThrowReleased() => throw new ObjectDisposedException(nameof(Arena), disposed
        ? "This slice was released: its arena was disposed."
        : "This slice was released: its arena was reset after it was rented.");
}

using System.Buffers;
using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

/// <summary>A buffer writer over slabs. It grows by another slab instead of a copy, and a reset does not fill it with zeros.</summary>
/// <remarks>Ownership: the writer owns its slabs; what <see cref="GetWrittenSequence"/> shows is valid until <see cref="Reset"/> or
/// <see cref="Dispose"/>. Thread safety: none. What fits one slab is in one block. Ask for a large <c>sizeHint</c> before the first
/// write to get one block for more than that.</remarks>
/// <param name="pool">Lends the slabs, beginning with the first write.</param>
public sealed class SlabBufferWriter(SlabPool pool) : IBufferWriter<byte>, IDisposable
{
    readonly SlabPool pool = pool ?? throw new ArgumentNullException(nameof(pool));
    Slab first = Slab.None;
    Slab current = Slab.None;
    long before;
    bool disposed;

    // Where the bytes end that GetSpan or GetMemory handed out from the current slab.
    int handedOut;

    // The sequence's links, one per slab, kept for the next time.
    Segment? links;

    /// <summary>Makes a writer over <see cref="SlabPool.Shared"/>.</summary>
    public SlabBufferWriter()
        : this(SlabPool.Shared)
    {
    }

    /// <summary>Bytes written since the last reset.</summary>
    public long WrittenCount => before + current.used;

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="sizeHint"/> is negative or more than an array can hold.</exception>
    /// <exception cref="SlabPoolExhaustedException">The pool is at its cap.</exception>
    /// <exception cref="ObjectDisposedException">The writer or its pool was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        var slab = current;
        var start = slab.used;
        if ((uint)sizeHint >= (uint)(slab.limit - start)) MakeRoom(sizeHint);
        return current.bytes.AsSpan(current.used);
    }

    /// <inheritdoc/>
    /// <inheritdoc cref="GetSpan" path="/exception"/>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        if ((uint)sizeHint >= (uint)(current.limit - current.used)) MakeRoom(sizeHint);
        return current.Slice(current.used, current.Room);
    }

    /// <inheritdoc/>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="count"/> is negative.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="count"/> goes beyond what <see cref="GetSpan"/> or
    /// <see cref="GetMemory"/> handed out since the last <see cref="Reset"/>.</exception>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Advance(int count)
    {
        var slab = current;
        if ((uint)count > (uint)(slab.limit - slab.used)) AdvanceSlow(count);
        else slab.used += count;
    }

    /// <summary>What was written, without a copy and without allocating once the writer has been as long as this before.</summary>
    public ReadOnlySequence<byte> GetWrittenSequence()
    {
        if (first == current) return new(current.Slice(0, current.used));
        var link = links ??= new();
        var index = 0L;
        for (var slab = first; ; slab = slab.next!)
        {
            link.Show(slab, index);
            index += slab.used;
            if (slab == current) break;
            link = link.Following();
        }

        return new(links, 0, link, link.Memory.Length);
    }

    /// <summary>What was written, if it is in one block.</summary>
    public bool TryGetWrittenMemory(out ReadOnlyMemory<byte> written)
    {
        written = first == current ? current.Slice(0, current.used) : default;
        return first == current;
    }

    /// <summary>Discards what was written. The first slab stays if it is a regular one; the others are returned to the pool.</summary>
    /// <exception cref="ObjectDisposedException">The writer was disposed.</exception>
    public void Reset()
    {
        ObjectDisposedException.ThrowIf(disposed, this);

        // A caller may have written behind the bytes that it advanced over, so a pool that clears memory clears the whole slab.
        Release(keepFirst: pool.KeepsSlabOnReset && first.Length == pool.SlabSize && first.scrub is null);
    }

    /// <summary>Returns all slabs. A further write throws; a second call does nothing.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref disposed, true)) return;
        Release(keepFirst: false);
    }

    void Release(bool keepFirst)
    {
        for (var link = links; link is not null; link = link.Clear()) { }
        before = 0;
        handedOut = 0;
        var slab = keepFirst ? first.next : first;
        if (keepFirst)
        {
            first.next = null;
            first.MoveTo(0);

            // Sends the next call to the slow path: Advance before GetSpan would show what was written before the reset.
            first.limit = 0;
        }
        else
        {
            first = Slab.None;
        }

        current = first;
        while (slab is not null && slab != Slab.None)
        {
            var next = slab.next;
            pool.Return(slab);
            slab = next;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void MakeRoom(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        ObjectDisposedException.ThrowIf(disposed, this);
        if (Math.Max(1, sizeHint) <= current.Room)
        {
            current.MoveTo(current.used);
            handedOut = current.bytes.Length;
            return;
        }

        var fresh = pool.Rent(sizeHint).Open();
        if (WrittenCount == 0)
        {
            if (first != Slab.None) pool.Return(first);
            first = fresh;
        }
        else
        {
            before += current.used;
            current.next = fresh;
        }

        current = fresh;
        handedOut = fresh.bytes.Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void AdvanceSlow(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ObjectDisposedException.ThrowIf(disposed, this);
        var room = Math.Max(0, handedOut - current.used);
        if (count > room) throw new InvalidOperationException($"Cannot advance by {count}: {room} bytes were handed out.");
        current.MoveTo(current.used + count);
    }

    sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public void Show(Slab slab, long index)
        {
            Memory = slab.Slice(0, slab.used);
            RunningIndex = index;
        }

        public Segment Following()
        {
            if (Next is null) Next = new Segment();
            return (Segment)Next;
        }

        /// <summary>Drops the reference to the memory and keeps the link.</summary>
        public Segment? Clear()
        {
            Memory = default;
            return (Segment?)Next;
        }
    }
}

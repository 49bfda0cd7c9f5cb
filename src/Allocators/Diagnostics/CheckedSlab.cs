using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>One rental of a slab of a <see cref="DiagnosticSlabPool"/>. Each rental is a new object, so a holder of the object, or of
/// memory made from it, refers to one generation. When the generation ends, the object loses its array.</summary>
/// <remarks>Bytes that are not handed out hold <see cref="Blank"/>, bytes of a released slice hold <see cref="DiagnosticSlabPool.Poison"/>.
/// Both are checked before the bytes are handed out again, so a write through a span that was kept too long is found.</remarks>
sealed class CheckedSlab(DiagnosticSlabPool pool, Slab inner, Rental rental)
    : Slab(pool, inner.bytes, inner.scrub ?? DiagnosticSlabPool.Poison)
{
    // The counted slices that were cut, in the order of their places.
    readonly List<CheckedSlice> slicesCut = [];

    public Slab Inner => inner;

    public Rental Rental => rental;

    /// <summary>What bytes hold that are not handed out: zero if the pool clears, else poison.</summary>
    public byte Blank => scrub!.Value;

    /// <summary>Disables the fast path, so that each slice is cut with checks.</summary>
    internal override void MoveTo(int end)
    {
        base.MoveTo(end);
        limit = end;
        inner.used = end;
    }

    internal override void Cut(int end)
    {
        pool.ThrowLateWrite();
        Inspect(used, end, Blank);
        pool.ThrowLateWrite();
        MoveTo(end);
    }

    internal override void Rewind()
    {
        InspectReleased();
        base.Rewind();
    }

    internal override Memory<byte> Slice(int start, int length) => Counted(start, length);

    internal override CountedMemory OwnerOf(int start, int length)
    {
        var slice = pool.Watch(this, start, length);
        slicesCut.Add(slice);
        return slice;
    }

    internal override ObjectDisposedException Returned() => pool.Late(rental);

    /// <summary>Looks for late writes to counted slices that are all released.</summary>
    public void InspectReleased()
    {
        if (slicesCut.Count == 0) return;
        Inspect(0, used, DiagnosticSlabPool.Poison);
        Inspect(used, inner.bytes.Length, Blank);
        slicesCut.Clear();
    }

    /// <summary>Ends the generation.</summary>
    /// <returns>False if it has ended before.</returns>
    public bool TryEnd() => Interlocked.Exchange(ref bytes!, null) is not null;

    /// <summary>Reports a byte that has changed, and restores it.</summary>
    void Inspect(int start, int end, byte expected)
    {
        var place = inner.bytes.AsSpan(start, end - start);
        var at = place.IndexOfAnyExcept(expected);
        if (at < 0) return;
        pool.Report(start + at, slicesCut.FindLast(slice => slice.Covers(start + at))?.Rental ?? rental);
        place.Fill(expected);
    }
}

/// <summary>The record that a slab was overwritten with poison when this generation ended, and who had rented it.</summary>
sealed record PoisonStamp(int Generation, Rental LastRental);

/// <summary>A counted slice with checks. It has its own reference count, so that each release is checked.</summary>
sealed class CheckedSlice(DiagnosticSlabPool pool, CheckedSlab slab, int start, int length, Rental rental) : CountedMemory
{
    int references = 1;
    int length = length;

    public Rental Rental => rental;

    public ArraySegment<byte> Place
    {
        get
        {
            if (Volatile.Read(ref references) <= 0) throw pool.Late(rental);
            return new(slab.Array, start, length);
        }
    }

    public bool Covers(int offset) => (uint)(offset - start) < (uint)length;

    public Memory<byte> Resize(int newLength)
    {
        length = newLength;
        return Memory;
    }

    internal override void Preserve(int length)
    {
        var before = Volatile.Read(ref references);
        while (true)
        {
            if (before <= 0) throw pool.Late(rental);
            var seen = Interlocked.CompareExchange(ref references, before + 1, before);
            if (seen == before) return;
            before = seen;
        }
    }

    internal override void Release(int length)
    {
        var left = Interlocked.Decrement(ref references);
        if (left > 0) return;
        if (left < 0)
            throw new InvalidOperationException("This slice was released more often than it was rented and preserved." + rental.Story());

        slab.Array.AsSpan(start, this.length).Fill(DiagnosticSlabPool.Poison);
        pool.Forget(rental);
        slab.Release(this.length);
    }

    public override Span<byte> GetSpan() => Place;

    public override unsafe MemoryHandle Pin(int elementIndex = 0)
    {
        var place = Place;
        ArgumentOutOfRangeException.ThrowIfGreaterThan((uint)elementIndex, (uint)place.Count, nameof(elementIndex));
        return new((byte*)Marshal.UnsafeAddrOfPinnedArrayElement(place.Array!, place.Offset + elementIndex), default, this);
    }

    public override void Unpin()
    {
    }

    protected override bool TryGetArray(out ArraySegment<byte> segment)
    {
        segment = Place;
        return true;
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing) Release(length);
    }
}

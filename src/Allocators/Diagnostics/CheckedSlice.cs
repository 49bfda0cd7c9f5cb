using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

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

    public override void Preserve(int length)
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

    public override void Release(int length)
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

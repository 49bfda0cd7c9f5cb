namespace ProtoBench.Allocators;

/// <summary>One renting of a slab from a <see cref="DiagnosticSlabPool"/>. The object is new each time, so whoever holds it, or memory
/// made from it, holds that one generation, and the end of the generation is the loss of the array.</summary>
/// <remarks>What is not handed out holds <see cref="Blank"/>, what a released slice leaves holds <see cref="DiagnosticSlabPool.Poison"/>.
/// Both are looked at before the bytes are handed out again, so a write through a span that was kept too long is found.</remarks>
sealed class CheckedSlab(DiagnosticSlabPool pool, Slab inner, Rental rental)
    : Slab(pool, inner.bytes, inner.scrub ?? DiagnosticSlabPool.Poison)
{
    // The counted slices that were cut, in the order of their places.
    readonly List<CheckedSlice> slicesCut = [];

    public Slab Inner => inner;

    public Rental Rental => rental;

    /// <summary>What bytes hold that are not handed out: zero if the pool clears, else poison.</summary>
    public byte Blank => scrub!.Value;

    /// <summary>Leaves the fast path no room, so that each slice is cut under observation.</summary>
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

    /// <summary>Reports a byte that is not what the slab left there, and puts it right.</summary>
    void Inspect(int start, int end, byte expected)
    {
        var place = inner.bytes.AsSpan(start, end - start);
        var at = place.IndexOfAnyExcept(expected);
        if (at < 0) return;
        pool.Report(start + at, slicesCut.FindLast(slice => slice.Covers(start + at))?.Rental ?? rental);
        place.Fill(expected);
    }
}

/// <summary>Says that a slab was full of poison when this generation of it ended, and who had it.</summary>
sealed record PoisonStamp(int Generation, Rental LastRental);

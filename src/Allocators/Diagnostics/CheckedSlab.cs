namespace ProtoBench.Allocators;

/// <summary>One renting of a slab from a <see cref="DiagnosticSlabPool"/>. The object is new each time, so whoever holds it, or memory
/// made from it, holds that one generation, and the end of the generation is the loss of the array.</summary>
sealed class CheckedSlab(DiagnosticSlabPool pool, Slab inner, Rental rental) : Slab(pool, inner.bytes, DiagnosticSlabPool.Poison)
{
    public Slab Inner => inner;

    public Rental Rental => rental;

    /// <summary>Leaves the fast path no room, so that each slice is cut under observation.</summary>
    internal override void MoveTo(int end)
    {
        base.MoveTo(end);
        limit = end;
        inner.used = end;
    }

    internal override Memory<byte> Slice(int start, int length) => Counted(start, length);

    internal override CountedMemory OwnerOf(int start, int length) => pool.Watch(this, start, length);

    internal override ObjectDisposedException Returned() => pool.Late(rental);

    /// <summary>Ends the generation.</summary>
    /// <returns>False if it has ended before.</returns>
    public bool TryEnd() => Interlocked.Exchange(ref bytes!, null) is not null;
}

/// <summary>Says that a slab was full of poison when this generation of it ended, and who had it.</summary>
sealed record PoisonStamp(int Generation, Rental LastRental);

namespace ProtoBench.Allocators;

/// <summary>The slow, strict twin of any pool: wrap the pool, hand this one to the same arenas, allocators and writers, and misuse throws
/// where it happens. Late use of a slab, of counted slices and of copied <see cref="Memory{T}"/> throws
/// <see cref="ObjectDisposedException"/>; a release too many throws <see cref="InvalidOperationException"/>; what was released is
/// overwritten with <see cref="Poison"/>, which shows what a span that was taken earlier still reads, and a write through it is reported
/// when the slab is next rented; what is never released is listed by <see cref="Outstanding"/>.</summary>
/// <remarks>Ownership: disposing it disposes the wrapped pool. Thread safety: as every pool. It allocates at each rent, on purpose: every
/// rent is an object of its own, its generation. The fast form pays nothing for this: a checked slab merely leaves its fast path no
/// room.</remarks>
/// <param name="inner">The pool that really lends.</param>
/// <param name="captureStacks">Whether each rent remembers its stack: dear, and worth it while hunting a leak.</param>
/// <param name="clock">Measures lifetimes.</param>
public sealed class DiagnosticSlabPool(SlabPool inner, bool captureStacks = false, TimeProvider? clock = null) : SlabPool
{
    /// <summary>What released bytes are overwritten with: no UTF-8, and a varint that never ends, so whoever parses it fails
    /// soon.</summary>
    public const byte Poison = 0xDD;

    readonly SlabPool inner = inner ?? throw new ArgumentNullException(nameof(inner));
    readonly TimeProvider clock = clock ?? TimeProvider.System;
    readonly Lock gate = new();
    readonly HashSet<Rental> outstanding = [];
    Rental? longest;

    /// <inheritdoc/>
    public override event EventHandler<SlabPoolTrimmingEventArgs>? Trimming
    {
        add => inner.Trimming += value;
        remove => inner.Trimming -= value;
    }

    /// <inheritdoc/>
    public override string Name => inner.Name;

    /// <inheritdoc/>
    public override int SlabSize => inner.SlabSize;

    /// <summary>The rental that lived longest so far, whether it is still out or not; null before the first.</summary>
    public Rental? LongestLived
    {
        get
        {
            lock (gate) return outstanding.Append(longest).MaxBy(rental => rental?.Lifetime);
        }
    }

    internal override bool KeepsSlabOnReset => false;

    /// <summary>Everything that is out, the oldest first.</summary>
    public IReadOnlyList<Rental> Outstanding()
    {
        lock (gate) return [.. outstanding.OrderByDescending(rental => rental.Lifetime)];
    }

    /// <summary>Throws when anything is out, and lists it.</summary>
    /// <exception cref="InvalidOperationException">Something was not released.</exception>
    public void ThrowIfOutstanding()
    {
        var left = Outstanding();
        if (left.Count == 0) return;
        throw new InvalidOperationException(
            $"{left.Count} rentals of the pool '{Name}' were not released:{Environment.NewLine}{string.Join(Environment.NewLine, left)}");
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The slab was written to after it was last returned.</exception>
    public override Slab Rent(int minimumLength)
    {
        var slab = inner.Rent(minimumLength);
        if (slab.poisoned is { } stamp && stamp.Generation == slab.generation - 1) CheckPoison(slab, stamp.LastRental);
        var rental = new Rental(RentalKind.Slab, slab.Length, clock, captureStacks);
        var rented = new CheckedSlab(this, slab, rental);
        rental.Slab = rented;
        rented.Lend();
        lock (gate) outstanding.Add(rental);
        return rented;
    }

    /// <inheritdoc/>
    public override void Return(Slab slab)
    {
        ArgumentNullException.ThrowIfNull(slab);
        if (slab is not CheckedSlab rented || slab.Pool != this)
            throw new ArgumentException($"This slab is foreign: the diagnostic pool '{Name}' did not lend it.", nameof(slab));
        if (!rented.TryEnd()) throw new InvalidOperationException("This slab was returned already." + rented.Rental.Story());
        rented.Inner.bytes.AsSpan().Fill(Poison);
        rented.Inner.poisoned = new(rented.Inner.generation, rented.Rental);
        Forget(rented.Rental);
        inner.Return(rented.Inner);
    }

    /// <inheritdoc/>
    public override long Trim() => inner.Trim();

    /// <inheritdoc/>
    public override SlabPoolSnapshot Snapshot()
    {
        lock (gate)
        {
            var slabs = outstanding.Select(rental => rental.Slab).OfType<CheckedSlab>().ToList();
            return inner.Snapshot() with
            {
                LiveBytes = slabs.Sum(slab => (long)slab.LiveBytes),
                LiveSlices = slabs.Sum(slab => (long)slab.LiveSlices),
            };
        }
    }

    internal override void CountStranded() => inner.CountStranded();

    internal CheckedSlice Watch(CheckedSlab slab, int start, int length)
    {
        var rental = new Rental(RentalKind.Slice, length, clock, captureStacks);
        lock (gate) outstanding.Add(rental);
        return new(this, slab, start, length, rental);
    }

    internal void Forget(Rental rental)
    {
        rental.End();
        lock (gate)
        {
            outstanding.Remove(rental);
            if (longest is null || rental.Lifetime > longest.Lifetime) longest = rental;
        }
    }

    internal ObjectDisposedException Late(Rental rental) =>
        new(rental.Kind.ToString(), $"This {rental.Noun} was used after its release to the pool '{Name}'." + rental.Story());

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) inner.Dispose();
    }

    static void CheckPoison(Slab slab, Rental last)
    {
        var at = slab.bytes.AsSpan().IndexOfAnyExcept(slab.scrub ?? Poison);
        if (at < 0) return;
        slab.bytes.AsSpan().Fill(Poison);
        slab.Pool.Return(slab);
        throw new InvalidOperationException($"A slab was written to at offset {at} after it was returned." + last.Story());
    }
}

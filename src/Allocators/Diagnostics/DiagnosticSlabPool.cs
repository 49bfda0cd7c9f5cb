using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

/// <summary>Wraps a pool and finds misuse. Give this pool to the same arenas, allocators and writers; misuse then throws where it happens.
/// Late use of a slab, of counted slices and of copied <see cref="Memory{T}"/> throws <see cref="ObjectDisposedException"/>. A release too
/// many throws <see cref="InvalidOperationException"/>. Released memory is overwritten with <see cref="Poison"/>, which a span that was
/// taken earlier then reads. Rentals that are never released are listed by <see cref="Outstanding"/>.</summary>
/// <remarks>
/// <para>Late writes: a write through a span or an array that was taken before the release is found when the bytes are handed out again,
/// when a counted slab is rewound or returned, or when the slab is next rented. The next rent of a slab or slice from this pool, or
/// <see cref="ThrowIfOutstanding"/>, then throws <see cref="InvalidOperationException"/>, once. A late write that comes after the bytes
/// were handed out again is a write into a live slice, and is not found.</para>
/// <para>Fresh bytes hold <see cref="Poison"/> too, unless the wrapped pool clears.</para>
/// <para>Ownership: disposing it disposes the wrapped pool. Thread safety: as every pool. It allocates at each rent, because each rental is
/// an object of its own.</para>
/// </remarks>
/// <param name="inner">The pool that really lends.</param>
/// <param name="captureStacks">Whether each rent remembers its stack: dear, and worth it while hunting a leak.</param>
/// <param name="clock">Measures lifetimes.</param>
public sealed class DiagnosticSlabPool(SlabPool inner, bool captureStacks = false, TimeProvider? clock = null) : SlabPool
{
    /// <summary>The value that released bytes are overwritten with. It is not valid UTF-8, and a varint of it never ends, so a parser that
    /// reads it fails soon.</summary>
    public const byte Poison = 0xDD;

    readonly SlabPool inner = inner ?? throw new ArgumentNullException(nameof(inner));
    readonly TimeProvider clock = clock ?? TimeProvider.System;
    readonly Lock gate = new();
    readonly HashSet<Rental> outstanding = [];
    Rental? longest;

    // The first late write that was found and not yet thrown.
    string? lateWrite;

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

    /// <summary>The rental that lasted longest so far, whether it has ended or not; null before the first.</summary>
    public Rental? LongestLived
    {
        get
        {
            lock (gate) return outstanding.Append(longest).MaxBy(rental => rental?.Lifetime);
        }
    }

    internal override bool KeepsSlabOnReset => false;

    /// <summary>All rentals that are not released, the oldest first.</summary>
    public IReadOnlyList<Rental> Outstanding()
    {
        lock (gate) return [.. outstanding.OrderByDescending(rental => rental.Lifetime)];
    }

    /// <summary>Throws if a rental is not released, and lists these rentals, or if a late write was found.</summary>
    /// <exception cref="InvalidOperationException">Something was not released, or was written to after its release.</exception>
    public void ThrowIfOutstanding()
    {
        ThrowLateWrite();
        var left = Outstanding();
        if (left.Count == 0) return;
        throw new InvalidOperationException(
            $"{left.Count} rentals of the pool '{Name}' were not released:{Environment.NewLine}{string.Join(Environment.NewLine, left)}");
    }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">A slab or a slice of this pool was written to after its release.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public override Slab Rent(int minimumLength)
    {
        ThrowLateWrite();
        var slab = inner.Rent(minimumLength);
        var blank = slab.scrub ?? Poison;
        if (slab.poisoned is { } stamp && stamp.Generation == slab.generation - 1)
        {
            var at = slab.bytes.AsSpan().IndexOfAnyExcept(blank);
            if (at >= 0)
            {
                slab.bytes.AsSpan().Fill(blank);
                inner.Return(slab);
                Report(at, stamp.LastRental);
                ThrowLateWrite();
            }
        }

        slab.bytes.AsSpan().Fill(blank);
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
        if (rented.HasSlicesOut)
            throw new InvalidOperationException("Counted slices of this slab are out: their last release returns it."
                + rented.Rental.Story());
        if (!rented.TryEnd()) throw new InvalidOperationException("This slab was returned already." + rented.Rental.Story());
        rented.InspectReleased();
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

    [MethodImpl(MethodImplOptions.NoInlining)]
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

    /// <summary>Keeps a late write until the next rent or check throws it.</summary>
    internal void Report(int offset, Rental last) => Interlocked.CompareExchange(
        ref lateWrite,
        $"A {last.Noun} of the pool '{Name}' was written to at offset {offset} of its slab after its release." + last.Story(),
        null);

    internal void ThrowLateWrite()
    {
        if (lateWrite is not null && Interlocked.Exchange(ref lateWrite, null) is { } found) throw new InvalidOperationException(found);
    }

    /// <inheritdoc/>
    protected override void Dispose(bool disposing)
    {
        if (disposing) inner.Dispose();
    }
}

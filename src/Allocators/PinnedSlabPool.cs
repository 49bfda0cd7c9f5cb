using System.Numerics;

namespace ProtoBench.Allocators;

/// <summary>The fast pool. Idle slabs are kept by size under one lock, and the slab that was returned last is rented first. One call serves
/// a whole slab, so the lock costs little for each slice, and it makes the limits exact. Handlers of <see cref="SlabPool.Trimming"/> run
/// outside of the lock, because they return slabs.</summary>
sealed partial class PinnedSlabPool : SlabPool
{
    const int maxPooledLength = 1 << 30;

    // Four sizes for each power of two: a block is at most a quarter longer than what was asked for.
    const int sizeBits = 2;

    // One for each size up to 1 GiB, and one that stays empty: for what is not pooled.
    const int bucketCount = (32 << sizeBits) + 2;

    readonly Lock gate = new();
    readonly SlabPoolOptions options;
    readonly bool disposable;

    // Bucket 0 has the regular slabs, bucket n the oversize blocks of one size each.
    readonly List<SlabEntry>?[] buckets = new List<SlabEntry>?[bucketCount];
    readonly List<SlabEntry> register = [];
    readonly long availableBytes = ProcessMemory.Available;
    readonly long maxIdleBytes;
    int sweepAt = 64;
    bool disposed;
    long heldBytes;
    long idleBytes;
    long rents;
    long oversizeRents;
    long unpooledRents;
    long strandedSlabs;
    long trimmedSlabs;

    internal PinnedSlabPool(SlabPoolOptions options, bool disposable)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.SlabSize, 64);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.SlabSize, maxPooledLength);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxBytes, options.SlabSize);
        if (options.MaxIdleBytes is { } most) ArgumentOutOfRangeException.ThrowIfNegative(most, nameof(options.MaxIdleBytes));
        if (options.IdleRetention != Timeout.InfiniteTimeSpan)
            ArgumentOutOfRangeException.ThrowIfLessThan(options.IdleRetention, TimeSpan.Zero);
        this.options = options;
        maxIdleBytes = options.MaxIdleBytes ?? availableBytes / 4;
        this.disposable = disposable;
        periodStart = options.Clock.GetTimestamp();
        SlabMeter.Add(this);
        FullCollectionCallback.Register(this);
    }

    public override string Name => options.Name;

    public override int SlabSize => options.SlabSize;

    public override Slab Rent(int minimumLength)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(minimumLength);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(minimumLength, Array.MaxLength);
        EndPeriod();
        var (bucket, length) = SizeClass(minimumLength);
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, typeof(SlabPool));
            var slab = Take(bucket) ?? Allocate(length);
            rents++;
            if (bucket > 0) oversizeRents++;
            slab.Lend();
            return slab;
        }
    }

    public override void Return(Slab slab)
    {
        ArgumentNullException.ThrowIfNull(slab);
        if (slab.Pool != this) throw new ArgumentException($"This slab is foreign: the pool '{Name}' did not lend it.", nameof(slab));
        if (slab.HasSlicesOut) throw new InvalidOperationException("Counted slices of this slab are out: their last release returns it.");
        if (Interlocked.Exchange(ref slab.rented, 0) == 0) throw new InvalidOperationException("This slab was returned already.");
        if (slab.scrub is { } value) slab.bytes.AsSpan().Fill(value);
        slab.next = null;
        EndPeriod();
        lock (gate) Put(slab);
    }

    public override SlabPoolSnapshot Snapshot()
    {
        lock (gate)
        {
            Sweep();
            var lent = register.Select(entry => entry.Slab).Where(slab => slab?.rented == 1).ToList();
            return new()
            {
                LiveBytes = lent.Sum(slab => (long)slab!.LiveBytes),
                LiveSlices = lent.Sum(slab => (long)slab!.LiveSlices),
                HeldBytes = heldBytes,
                IdleBytes = idleBytes,
                LentSlabs = lent.Count,
                Rents = rents,
                OversizeRents = oversizeRents,
                UnpooledRents = unpooledRents,
                StrandedSlabs = strandedSlabs,
                TrimmedSlabs = trimmedSlabs,
            };
        }
    }

    internal override void CountStranded() => Interlocked.Increment(ref strandedSlabs);

    protected override void Dispose(bool disposing)
    {
        if (!disposing || !disposable) return;
        lock (gate) disposed = true;
        OnTrimmingQuietly(SlabPoolTrimReason.Requested);
        lock (gate) DropIdle();
    }

    (int Bucket, int Length) SizeClass(int length)
    {
        if (length <= SlabSize) return (0, SlabSize);
        if (length > maxPooledLength) return (bucketCount - 1, length);
        var exponent = BitOperations.Log2((uint)length - 1);
        var steps = (length - 1) >> (exponent - sizeBits);
        return (1 + (exponent << sizeBits) + (steps & ((1 << sizeBits) - 1)), (steps + 1) << (exponent - sizeBits));
    }

    Slab? Take(int index)
    {
        if (buckets[index] is not { } bucket) return null;
        Slab? slab = null;
        while (slab is null && bucket.Count > 0)
        {
            slab = Release(bucket[^1]);
            bucket.RemoveAt(bucket.Count - 1);
        }

        unneeded[index] = Math.Min(unneeded[index], bucket.Count);
        return slab;
    }

    /// <summary>Lends the slab of an idle entry.</summary>
    /// <returns>Null if the slab was collected.</returns>
    Slab? Release(SlabEntry entry)
    {
        var slab = entry.Slab;
        entry.IsIdle = false;
        entry.Keep(whateverHappens: false);
        idleBytes -= entry.Length;
        if (slab is not null) return slab;
        Forget(entry);
        trimmedSlabs++;
        return null;
    }

    void Put(Slab slab)
    {
        var (bucket, length) = SizeClass(slab.Length);
        var entry = slab.entry;
        if (disposed || heldBytes > options.MaxBytes || length > maxPooledLength)
        {
            Forget(entry);
            return;
        }

        if (idleBytes + length > maxIdleBytes)
        {
            Forget(entry);
            trimmedSlabs++;
            return;
        }

        entry.IsIdle = true;
        entry.Keep(whateverHappens: !HoldsWeakly);
        idleBytes += length;
        (buckets[bucket] ??= []).Add(entry);
    }

    Slab Allocate(int length)
    {
        if (register.Count >= sweepAt || heldBytes + length > options.MaxBytes)
        {
            Sweep();
            sweepAt = Math.Max(64, 2 * register.Count);
        }

        // Idle slabs of other sizes are dropped before a rent fails because of the limit.
        if (heldBytes + length > options.MaxBytes)
        {
            DropIdle();
        }

        if (heldBytes + length > options.MaxBytes)
        {
            if (options.OnExhausted == ExhaustionBehavior.Throw)
            {
                throw new InsufficientMemoryException(
                    $"The pool '{Name}' holds {heldBytes:N0} bytes and may not go over {options.MaxBytes:N0}: "
                    + $"{length:N0} more were asked for.");
            }

            unpooledRents++;
        }

        var bytes = options.ClearOnReturn
            ? GC.AllocateArray<byte>(length, pinned: true)
            : GC.AllocateUninitializedArray<byte>(length, pinned: true);
        var slab = new Slab(this, bytes, options.ClearOnReturn ? (byte)0 : null);
        register.Add(slab.entry);
        heldBytes += length;
        return slab;
    }

    void Forget(SlabEntry entry)
    {
        heldBytes -= entry.Length;
        entry.Length = 0;
    }

    /// <summary>Removes the entries of dropped slabs and of slabs that were collected.</summary>
    void Sweep()
    {
        for (var i = 0; i < bucketCount; i++)
        {
            if (buckets[i] is not { } bucket) continue;
            bucket.RemoveAll(entry => entry.Slab is null && Release(entry) is null);
            unneeded[i] = Math.Min(unneeded[i], bucket.Count);
        }

        register.RemoveAll(entry =>
        {
            if (entry.Length > 0 && entry.Slab is null)
            {
                Forget(entry);
                strandedSlabs++;
            }

            return entry.Length == 0;
        });
    }
}

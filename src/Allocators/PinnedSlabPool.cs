using System.Diagnostics.CodeAnalysis;
using System.Numerics;

namespace ProtoBench.Allocators;

/// <summary>The fast pool. Idle slabs are kept by size under one lock, and the slab that was returned last is rented first. One call serves
/// a whole slab, so the lock costs little for each slice, and it makes the limits exact. Handlers of <see cref="SlabPool.Trimming"/> run
/// outside of the lock, because they return slabs.</summary>
sealed class PinnedSlabPool : SlabPool
{
    const int maxPooledLength = 1 << 30;

    // Four sizes for each power of two: a block is at most a quarter longer than what was asked for.
    const int sizeBits = 2;

    // One for each size up to 1 GiB, and one that stays empty: for what is not pooled.
    const int bucketCount = (32 << sizeBits) + 2;

    // Not a Lock: its first use in a process takes 0.4 ms more, and a rent and a return take the same time with either.
    readonly object gate = new();
    readonly SlabPoolOptions options;
    readonly bool disposable;

    // Bucket 0 has the regular slabs, bucket n the oversize blocks of one size each.
    readonly List<SlabEntry>?[] buckets = new List<SlabEntry>?[bucketCount];
    readonly List<SlabEntry> register = [];
    readonly long availableBytes = ProcessMemory.Available;
    readonly long maxIdleBytes;
    // The smallest number of idle slabs of each size during this period: as many were not needed.
    readonly int[] unneeded = new int[bucketCount];
    long periodStart;
    int endingPeriod;
    bool isTight;
    int sweepAt = 64;
    bool disposed;
    long heldBytes;
    long idleBytes;
    long rents;
    long oversizeRents;
    long unpooledRents;
    long strandedSlabs;
    long trimmedSlabs;

    public override event EventHandler<SlabPoolTrimmingEventArgs>? Trimming;

    internal PinnedSlabPool(SlabPoolOptions options, bool disposable)
    {
        // The shared pool has the default options.
        if (disposable) Check(options);
        this.options = options;
        maxIdleBytes = options.MaxIdleBytes ?? availableBytes / 4;
        this.disposable = disposable;
        periodStart = options.Clock.GetTimestamp();
        SlabMeter.Add(this);
        FullCollectionCallback.Register(this);
    }

    static void Check(SlabPoolOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(options.SlabSize, 64);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(options.SlabSize, maxPooledLength);
        ArgumentOutOfRangeException.ThrowIfLessThan(options.MaxBytes, options.SlabSize);
        if (options.MaxIdleBytes is { } most) ArgumentOutOfRangeException.ThrowIfNegative(most, nameof(options.MaxIdleBytes));
        if (options.IdleRetention != Timeout.InfiniteTimeSpan)
            ArgumentOutOfRangeException.ThrowIfNegative(options.IdleRetention.Ticks, nameof(options.IdleRetention));
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

    internal override void CountStranded()
    {
        lock (gate) strandedSlabs++;
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing || !disposable) return;
        lock (gate) disposed = true;
        OnTrimmingQuietly(SlabPoolTrimReason.Requested);
        lock (gate) DropIdle();
    }

    // What the first slab of a process does not need is in methods of its own: the JIT compiles whole methods before the first message.

    (int Bucket, int Length) SizeClass(int length) => length <= SlabSize ? (0, SlabSize) : OversizeClass(length);

    static (int Bucket, int Length) OversizeClass(int length)
    {
        if (length > maxPooledLength) return (bucketCount - 1, length);
        var exponent = BitOperations.Log2((uint)length - 1);
        var steps = (length - 1) >> (exponent - sizeBits);
        return (1 + (exponent << sizeBits) + (steps & ((1 << sizeBits) - 1)), (steps + 1) << (exponent - sizeBits));
    }

    Slab? Take(int index) => buckets[index] is { } bucket ? Take(index, bucket) : null;

    Slab? Take(int index, List<SlabEntry> bucket)
    {
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
        if (register.Count >= sweepAt || heldBytes + length > options.MaxBytes) MakeRoom(length);
        var bytes = options.ClearOnReturn
            ? GC.AllocateArray<byte>(length, pinned: true)
            : GC.AllocateUninitializedArray<byte>(length, pinned: true);
        var slab = new Slab(this, bytes, options.ClearOnReturn ? (byte)0 : null);
        register.Add(slab.entry);
        heldBytes += length;
        return slab;
    }

    void MakeRoom(int length)
    {
        Sweep();
        sweepAt = Math.Max(64, 2 * register.Count);

        // Idle slabs of other sizes are dropped before a rent fails because of the limit.
        if (heldBytes + length > options.MaxBytes) DropIdle();
        if (heldBytes + length <= options.MaxBytes) return;
        if (options.ExhaustionBehavior == ExhaustionBehavior.Throw) ThrowExhausted(length);
        unpooledRents++;
    }

    [DoesNotReturn]
    void ThrowExhausted(int length) => throw new SlabPoolExhaustedException(
        $"The pool '{Name}' holds {heldBytes:N0} bytes and may not go over {options.MaxBytes:N0}: {length:N0} more were asked for.");

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

    // When idle slabs are dropped: on demand, after a time, and when the process is short of memory.

    // Collected when the process is short of memory: see OnFullCollection.
    bool HoldsWeakly => isTight || heldBytes > availableBytes / 2;

    public override long Trim()
    {
        try
        {
            OnTrimming(SlabPoolTrimReason.Requested);
        }
        catch
        {
            lock (gate) DropIdle();
            throw;
        }

        lock (gate)
        {
            Sweep();
            return DropIdle();
        }
    }

    /// <summary>Drops idle slabs if the process is short of memory, and ends the period of a pool that is not called any more. Runs on the
    /// finalizer thread.</summary>
    internal void OnFullCollection() => OnFullCollection(ProcessMemory.Pressure);

    internal void OnFullCollection(MemoryPressure pressure)
    {
        if (pressure == MemoryPressure.High)
        {
            OnTrimmingQuietly(SlabPoolTrimReason.MemoryPressure);
            lock (gate) DropIdle();
        }

        // The next full collection may be the one that decides whether the process gets its memory, and then it is too late for a
        // callback: only a weak reference gives way inside of that collection.
        lock (gate)
        {
            Sweep();
            isTight = pressure > MemoryPressure.Low;
            foreach (var entry in register) entry.Keep(whateverHappens: entry.IsIdle && !HoldsWeakly);
        }

        EndPeriod();
    }

    /// <summary>Drops the slabs that were idle throughout a period of retention, once the period is over.</summary>
    void EndPeriod()
    {
        if (options.IdleRetention == Timeout.InfiniteTimeSpan) return;
        var start = Volatile.Read(ref periodStart);
        var now = options.Clock.GetTimestamp();
        if (options.Clock.GetElapsedTime(start, now) >= options.IdleRetention) EndPeriod(now);
    }

    void EndPeriod(long now)
    {
        // One thread ends a period. What handlers return while it does so belongs to the next period.
        if (Interlocked.Exchange(ref endingPeriod, 1) != 0) return;
        try
        {
            Volatile.Write(ref periodStart, now);
            OnTrimmingQuietly(SlabPoolTrimReason.RetentionPeriodEnded);
            lock (gate) DropUnneeded();
        }
        finally
        {
            Volatile.Write(ref endingPeriod, 0);
        }
    }

    /// <summary>Drops everything that is idle.</summary>
    /// <returns>Bytes.</returns>
    long DropIdle()
    {
        Array.Fill(unneeded, int.MaxValue);
        return DropUnneeded();
    }

    /// <summary>Drops the slabs of each size that were not needed, those that are idle for the longest time first.</summary>
    long DropUnneeded()
    {
        var before = heldBytes;
        for (var i = 0; i < bucketCount; i++)
        {
            var bucket = buckets[i];
            var count = Math.Min(unneeded[i], bucket?.Count ?? 0);
            for (var at = 0; at < count; at++)
            {
                if (Release(bucket![at]) is null) continue;
                Forget(bucket[at]);
                trimmedSlabs++;
            }

            bucket?.RemoveRange(0, count);
            unneeded[i] = bucket?.Count ?? 0;
        }

        return before - heldBytes;
    }

    void OnTrimming(SlabPoolTrimReason reason) => Trimming?.Invoke(this, new(reason));

    /// <summary>As <see cref="OnTrimming"/>, on a thread that did not ask for it: an exception of a handler must not end the process or
    /// fail a rent.</summary>
    [SuppressMessage("Design", "CA1031", Justification = "a handler's failure is not the fault of whoever rents, returns or finalizes")]
    void OnTrimmingQuietly(SlabPoolTrimReason reason)
    {
        try
        {
            OnTrimming(reason);
        }
        catch (Exception)
        {
            // The pool drops its own slabs all the same.
        }
    }
}

/// <summary>The record that a pool keeps of a slab. It has the size also after the slab was collected, so that the pool can count the lost
/// bytes. Protected by the pool's lock.</summary>
/// <remarks>Resurrection is tracked because the finalizer of a <see cref="SliceAllocator"/> may still give its slab back.</remarks>
sealed class SlabEntry(Slab slab)
{
    readonly WeakReference<Slab> slab = new(slab, trackResurrection: true);
    Slab? kept;

    /// <summary>Bytes that the slab holds, 0 once it was dropped.</summary>
    public int Length { get; set; } = slab.Length;

    /// <summary>Whether the slab is idle in the pool.</summary>
    public bool IsIdle { get; set; }

    /// <summary>The slab, or null after it was collected.</summary>
    public Slab? Slab => slab.TryGetTarget(out var target) ? target : null;

    /// <summary>Says whether a full garbage collection may take the slab while it is idle.</summary>
    public void Keep(bool whateverHappens) => kept = whateverHappens ? Slab : null;
}

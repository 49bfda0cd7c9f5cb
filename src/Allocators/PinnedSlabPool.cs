using System.Numerics;

namespace ProtoBench.Allocators;

/// <summary>The fast pool: idle slabs on stacks by size, under one lock. A lock per 512 KiB is nothing per slice, and it makes the cap
/// exact.</summary>
sealed class PinnedSlabPool : SlabPool
{
    const int maxPooledLength = 1 << 30;
    const int shelfCount = 31;

    readonly Lock gate = new();
    readonly SlabPoolOptions options;
    readonly bool disposable;

    // Shelf 0 has the regular slabs, shelf n the oversize blocks of 2^n bytes.
    readonly Stack<Slab>?[] shelves = new Stack<Slab>?[shelfCount];

    // The fewest slabs that lay on each shelf during this period: nobody needed those.
    readonly int[] unneeded = new int[shelfCount];
    readonly List<SlabEntry> register = [];
    int sweepAt = 64;
    long periodStart;
    bool disposed;
    long heldBytes;
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
        if (options.IdleRetention != Timeout.InfiniteTimeSpan)
            ArgumentOutOfRangeException.ThrowIfLessThan(options.IdleRetention, TimeSpan.Zero);
        this.options = options;
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
        var (shelf, length) = SizeClass(minimumLength);
        lock (gate)
        {
            ObjectDisposedException.ThrowIf(disposed, typeof(SlabPool));
            ClosePeriod();
            var slab = Pop(shelf) ?? Allocate(length);
            rents++;
            if (shelf > 0) oversizeRents++;
            slab.Lend();
            return slab;
        }
    }

    public override void Return(Slab slab)
    {
        ArgumentNullException.ThrowIfNull(slab);
        if (slab.Pool != this) throw new ArgumentException($"This slab is foreign: the pool '{Name}' did not lend it.", nameof(slab));
        if (Interlocked.Exchange(ref slab.rented, 0) == 0) throw new InvalidOperationException("This slab was returned already.");
        if (slab.scrub is { } value) slab.bytes.AsSpan().Fill(value);
        slab.next = null;
        var (shelf, length) = SizeClass(slab.Length);
        lock (gate)
        {
            ClosePeriod();
            if (disposed || heldBytes > options.MaxBytes || length > maxPooledLength) Drop(slab);
            else (shelves[shelf] ??= new()).Push(slab);
        }
    }

    public override long Trim()
    {
        lock (gate)
        {
            Sweep();
            Array.Fill(unneeded, int.MaxValue);
            return DropUnneeded();
        }
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
                IdleBytes = shelves.Sum(shelf => shelf?.Sum(slab => (long)slab.Length) ?? 0),
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

    /// <summary>Lets a pool that nobody calls any more close its period.</summary>
    internal void OnFullCollection()
    {
        lock (gate) ClosePeriod();
    }

    protected override void Dispose(bool disposing)
    {
        if (!disposing || !disposable) return;
        lock (gate) disposed = true;
        Trim();
    }

    (int Shelf, int Length) SizeClass(int length)
    {
        if (length <= SlabSize) return (0, SlabSize);
        if (length > maxPooledLength) return (shelfCount - 1, length);
        var rounded = (int)BitOperations.RoundUpToPowerOf2((uint)length);
        return (BitOperations.Log2((uint)rounded), rounded);
    }

    Slab? Pop(int index)
    {
        if (shelves[index] is not { } shelf || !shelf.TryPop(out var slab)) return null;
        unneeded[index] = Math.Min(unneeded[index], shelf.Count);
        return slab;
    }

    Slab Allocate(int length)
    {
        if (register.Count >= sweepAt || heldBytes + length > options.MaxBytes)
        {
            Sweep();
            sweepAt = Math.Max(64, 2 * register.Count);
        }

        // What lies idle on other shelves makes room under the cap before the cap is felt.
        if (heldBytes + length > options.MaxBytes)
        {
            Array.Fill(unneeded, int.MaxValue);
            DropUnneeded();
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

    void Drop(Slab slab)
    {
        heldBytes -= slab.Length;
        slab.entry.Length = 0;
    }

    /// <summary>Forgets dropped slabs, and gives up those that went out and were collected.</summary>
    void Sweep() => register.RemoveAll(entry =>
    {
        if (entry.Length > 0 && entry.Slab is null)
        {
            heldBytes -= entry.Length;
            strandedSlabs++;
            return true;
        }

        return entry.Length == 0;
    });

    void ClosePeriod()
    {
        if (options.IdleRetention == Timeout.InfiniteTimeSpan) return;
        var now = options.Clock.GetTimestamp();
        if (options.Clock.GetElapsedTime(periodStart, now) < options.IdleRetention) return;
        periodStart = now;
        DropUnneeded();
    }

    long DropUnneeded()
    {
        var before = heldBytes;
        for (var i = 0; i < shelfCount; i++)
        {
            if (shelves[i] is not { } shelf)
            {
                unneeded[i] = 0;
                continue;
            }

            for (; unneeded[i] > 0 && shelf.TryPop(out var slab); unneeded[i]--)
            {
                Drop(slab);
                trimmedSlabs++;
            }

            unneeded[i] = shelf.Count;
        }

        return before - heldBytes;
    }
}

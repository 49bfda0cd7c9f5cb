using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Allocators;

/// <summary>When idle slabs are dropped: on demand, after a time, and when the process is short of memory.</summary>
sealed partial class PinnedSlabPool
{
    // The smallest number of idle slabs of each size during this period: as many were not needed.
    readonly int[] unneeded = new int[bucketCount];
    long periodStart;
    int endingPeriod;
    bool isTight;

    public override event EventHandler<SlabPoolTrimmingEventArgs>? Trimming;

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
        if (options.Clock.GetElapsedTime(start, now) < options.IdleRetention) return;

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

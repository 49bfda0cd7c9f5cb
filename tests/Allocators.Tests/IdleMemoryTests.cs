using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

public class IdleMemoryTests
{
    const int gib = 1 << 30;

    readonly ManualClock clock = new();

    [Fact]
    public void What_waits_in_the_pool_is_limited_by_bytes()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1000, MaxIdleBytes = 3500 });
        var slabs = Enumerable.Range(0, 6).Select(_ => pool.Rent()).ToList();
        slabs.ForEach(pool.Return);
        Assert.Equal((3000, 3000, 3), (pool.Snapshot().IdleBytes, pool.Snapshot().HeldBytes, pool.Snapshot().TrimmedSlabs));
        pool.Return(pool.Rent(2000));
        Assert.Equal(3000, pool.Snapshot().IdleBytes);
        var again = pool.Rent();
        Assert.Equal((2000, 3000), (pool.Snapshot().IdleBytes, pool.Snapshot().HeldBytes));
        pool.Return(again);
        SlabPoolContract.AssertEmpty(pool);

        using var none = SlabPool.Create(new() { MaxIdleBytes = 0 });
        none.Return(none.Rent());
        Assert.Equal(0, none.Snapshot().HeldBytes);
        Assert.Throws<ArgumentOutOfRangeException>(() => SlabPool.Create(new() { MaxIdleBytes = -1 }));
    }

    [Theory]
    [InlineData(40, 100, 60, 100, MemoryPressure.Low)]
    [InlineData(50, 100, 0, 100, MemoryPressure.Medium)]
    [InlineData(79, 100, 89, 100, MemoryPressure.Medium)]
    [InlineData(80, 100, 0, 100, MemoryPressure.High)]
    [InlineData(0, 100, 70, 100, MemoryPressure.Medium)]
    [InlineData(0, 100, 90, 100, MemoryPressure.High)]
    internal void Pressure_is_what_the_heap_uses_of_its_limit_or_the_machine_of_its_own(
        long heap, long available, long load, long highLoad, MemoryPressure expected) =>
        Assert.Equal(expected, ProcessMemory.Of(heap * gib, available * gib, load * gib, highLoad * gib));

    [Fact]
    public void Under_high_pressure_everything_idle_is_dropped_and_holders_are_told_first()
    {
        using var pool = (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000 });
        var (held, reasons) = (pool.Rent(), new List<SlabPoolTrimReason>());
        pool.Trimming += (sender, trimming) =>
        {
            Assert.Same(pool, sender);
            reasons.Add(trimming.Reason);
            pool.Return(held);
        };
        pool.Return(pool.Rent());
        pool.OnFullCollection(MemoryPressure.High);
        Assert.Equal([SlabPoolTrimReason.MemoryPressure], reasons);
        Assert.Equal((0, 2), (pool.Snapshot().HeldBytes, pool.Snapshot().TrimmedSlabs));
    }

    [Fact]
    public void Under_medium_pressure_a_full_collection_takes_what_is_idle_and_only_that()
    {
        using var pool = (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000, MaxBytes = 2000 });
        var lent = pool.Rent();
        lent.Array[0] = 7;
        RentAndReturn(pool);
        Eventually.True(() =>
        {
            // The process itself is under no pressure, and says so after each collection.
            pool.OnFullCollection(MemoryPressure.Medium);
            GC.Collect();
            return pool.Snapshot().IdleBytes == 0;
        });
        Assert.Equal((1000, 1, 0), (pool.Snapshot().HeldBytes, pool.Snapshot().TrimmedSlabs, pool.Snapshot().StrandedSlabs));
        Assert.Equal(7, lent.Array[0]);
        pool.Return(pool.Rent());
        pool.Return(lent);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void What_is_returned_under_medium_pressure_can_be_collected_too_until_the_pressure_is_gone()
    {
        using var pool = (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000, IdleRetention = Timeout.InfiniteTimeSpan });
        Eventually.True(() =>
        {
            pool.OnFullCollection(MemoryPressure.Medium);
            RentAndReturn(pool);
            GC.Collect();
            return pool.Snapshot().TrimmedSlabs > 0;
        });
        RentAndReturn(pool);
        pool.OnFullCollection(MemoryPressure.Low);
        var before = pool.Snapshot();
        for (var i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.Equal((1000, before.TrimmedSlabs), (pool.Snapshot().IdleBytes, pool.Snapshot().TrimmedSlabs));
    }

    [Fact]
    public void Slabs_that_were_collected_while_idle_do_not_count_under_the_cap()
    {
        using var pool = (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000, MaxBytes = 1000 });
        RentAndReturn(pool);
        for (var i = 0; i < 20; i++)
        {
            pool.OnFullCollection(MemoryPressure.Medium);
            GC.Collect();
            RentAndReturn(pool);
            Assert.Equal((1000, 1000), (pool.Snapshot().HeldBytes, pool.Snapshot().IdleBytes));
        }
    }

    [Fact]
    public void Trim_tells_holders_first_and_drops_what_they_return()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1000 });
        var (held, reasons) = (pool.Rent(), new List<SlabPoolTrimReason>());
        void Return(object? sender, SlabPoolTrimmingEventArgs trimming)
        {
            reasons.Add(trimming.Reason);
            pool.Return(held);
        }

        pool.Trimming += Return;
        Assert.Equal(1000, pool.Trim());
        Assert.Equal(0, pool.Snapshot().HeldBytes);
        pool.Trimming -= Return;
        pool.Trim();
        Assert.Equal([SlabPoolTrimReason.Requested], reasons);
    }

    [Fact]
    public void Dispose_and_a_diagnostic_pool_tell_holders_too()
    {
        var inner = SlabPool.Create();
        var pool = new DiagnosticSlabPool(inner);
        var senders = new List<object?>();
        void Count(object? sender, SlabPoolTrimmingEventArgs trimming) => senders.Add(sender);

        pool.Trimming += Count;
        pool.Trim();
        pool.Dispose();
        pool.Trimming -= Count;
        pool.Trim();
        Assert.Equal([inner, inner], senders);
    }

    [Fact]
    public void The_end_of_a_period_is_told_once_whoever_ends_it()
    {
        using var pool =
            (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000, IdleRetention = TimeSpan.FromSeconds(10), Clock = clock });
        var reasons = new List<SlabPoolTrimReason>();
        pool.Trimming += (_, trimming) =>
        {
            reasons.Add(trimming.Reason);

            // A handler's own calls do not end another period.
            pool.Return(pool.Rent());
        };
        pool.Return(pool.Rent());
        Assert.Empty(reasons);
        foreach (var call in new Action[] { () => pool.Return(pool.Rent()), () => pool.OnFullCollection(MemoryPressure.Low) })
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            call();
            Assert.Equal([SlabPoolTrimReason.RetentionPeriodEnded], reasons);
            reasons.Clear();
        }
    }

    [Fact]
    public void Without_retention_a_handler_that_returns_slabs_does_not_call_itself()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1000, IdleRetention = TimeSpan.Zero, Clock = clock });
        pool.Trimming += (_, _) => pool.Return(pool.Rent());
        for (var i = 0; i < 3; i++) pool.Return(pool.Rent());
    }

    [Fact]
    public void A_failing_handler_fails_Trim_and_nothing_else()
    {
        using var pool =
            (PinnedSlabPool)SlabPool.Create(new() { SlabSize = 1000, IdleRetention = TimeSpan.FromSeconds(10), Clock = clock });
        void Fail(object? sender, SlabPoolTrimmingEventArgs trimming) => throw new FormatException();

        pool.Trimming += Fail;
        pool.Return(pool.Rent());
        Assert.Throws<FormatException>(() => pool.Trim());
        Assert.Equal(0, pool.Snapshot().HeldBytes);
        clock.Advance(TimeSpan.FromSeconds(10));
        pool.Return(pool.Rent());
        pool.OnFullCollection(MemoryPressure.High);
        Assert.Equal(0, pool.Snapshot().HeldBytes);
        pool.Trimming -= Fail;
    }

    [Fact]
    public void What_lay_there_for_the_longest_time_is_dropped_first()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1000, IdleRetention = TimeSpan.FromSeconds(10), Clock = clock });
        var slabs = new[] { pool.Rent(), pool.Rent() };
        var hot = slabs[1].Array;
        Array.ForEach(slabs, pool.Return);
        for (var i = 0; i < 2; i++)
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            pool.Return(pool.Rent());
        }

        Assert.Equal(1000, pool.Snapshot().HeldBytes);
        Assert.Same(hot, pool.Rent().Array);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void RentAndReturn(SlabPool pool) => pool.Return(pool.Rent());
}

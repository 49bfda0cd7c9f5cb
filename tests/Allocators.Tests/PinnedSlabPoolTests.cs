using System.Runtime.CompilerServices;

namespace ProtoBench.Allocators;

public class PinnedSlabPoolTests
{
    /// <summary>A message of 1 MiB and a little is common: half of an oversize block must not be for nothing.</summary>
    [Fact]
    public void An_oversize_block_is_at_most_a_quarter_longer_than_what_was_asked_for()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 64 });
        var random = new Random(1);
        int[] edges = [65, 66, 127, 128, 129, 512 * 1024, 1 << 20, (1 << 20) + 64, (5 << 20) + 1, (1 << 26) - 1];
        foreach (var length in edges.Concat(Enumerable.Range(0, 200).Select(_ => random.Next(65, 1 << 20))))
        {
            var slab = pool.Rent(length);
            Assert.InRange(slab.Length, length, length * 1.25 + 1);
            pool.Return(slab);
            Assert.Equal(slab.Length, pool.Snapshot().IdleBytes);
            Assert.Same(slab, pool.Rent(length));
            pool.Return(slab);
            pool.Trim();
        }
    }

    [Theory]
    [InlineData(63, 1 << 20)]
    [InlineData((1 << 30) + 1, long.MaxValue)]
    [InlineData(4096, 4095)]
    public void Options_out_of_range_are_refused(int slabSize, long maxBytes) =>
        Assert.Throws<ArgumentOutOfRangeException>(() => SlabPool.Create(new() { SlabSize = slabSize, MaxBytes = maxBytes }));

    [Fact]
    public void Slabs_are_half_a_mebibyte_on_the_pinned_heap()
    {
        using var pool = SlabPool.Create();
        var slab = pool.Rent();
        Assert.Equal(512 * 1024, slab.Length);
        Assert.True(slab.Array.AsSpan().Overlaps(slab.Memory.Span));
        pool.Return(slab);

        // An array on the pinned heap is of the oldest generation from birth; a small one is what tells it from a large object.
        using var small = SlabPool.Create(new() { SlabSize = 64 });
        var young = small.Rent();
        Assert.Equal(GC.MaxGeneration, GC.GetGeneration(young.Array));
        small.Return(young);
    }

    [Fact]
    public void A_slab_beyond_1_GiB_is_as_long_as_was_asked_for_while_one_of_1_GiB_is_idle()
    {
        // The pages are never touched, so this takes addresses and no memory.
        using var pool = SlabPool.Create(new() { MaxIdleBytes = long.MaxValue });
        pool.Return(pool.Rent(1 << 30));
        var slab = pool.Rent((1 << 30) + 1);
        Assert.True(slab.Length > 1 << 30, $"{slab.Length:N0} bytes");
        pool.Return(slab);
    }

    [Fact]
    public void At_the_cap_a_rent_throws_and_says_the_numbers()
    {
        using var pool = SlabPool.Create(new() { Name = "tight", SlabSize = 1000, MaxBytes = 2500 });
        var (one, two) = (pool.Rent(), pool.Rent());
        var message = Assert.Throws<SlabPoolExhaustedException>(() => pool.Rent()).Message;
        Assert.Equal("The pool 'tight' holds 2,000 bytes and may not go over 2,500: 1,000 more were asked for.", message);
        Assert.True(typeof(SlabPoolExhaustedException).IsSubclassOf(typeof(InvalidOperationException)), "the process has memory");
        pool.Return(one);
        pool.Return(pool.Rent());
        pool.Return(two);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void Idle_slabs_of_another_size_make_room_under_the_cap()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1024, MaxBytes = 3072 });
        pool.Return(pool.Rent(2048));
        var slabs = new[] { pool.Rent(), pool.Rent() };
        Assert.Equal((2048, 1), (pool.Snapshot().HeldBytes, pool.Snapshot().TrimmedSlabs));
        Array.ForEach(slabs, pool.Return);
    }

    [Fact]
    public void Beyond_the_cap_the_fallback_lends_memory_that_is_not_kept()
    {
        var options = new SlabPoolOptions { SlabSize = 1000, MaxBytes = 1000, ExhaustionBehavior = ExhaustionBehavior.AllocateUnpooled };
        using var pool = SlabPool.Create(options);
        var (one, two) = (pool.Rent(), pool.Rent());
        Assert.Equal((2000, 1), (pool.Snapshot().HeldBytes, pool.Snapshot().UnpooledRents));
        pool.Return(two);
        pool.Return(one);
        Assert.Equal((1000, 1000), (pool.Snapshot().HeldBytes, pool.Snapshot().IdleBytes));
    }

    [Fact]
    public void What_nobody_needed_for_a_period_is_dropped()
    {
        var clock = new ManualClock();
        using var pool = SlabPool.Create(new() { IdleRetention = TimeSpan.FromSeconds(10), Clock = clock });
        var slabs = Enumerable.Range(0, 5).Select(_ => pool.Rent()).ToList();
        slabs.ForEach(pool.Return);

        // Nothing was idle throughout the first period; from here on two of the five are needed at a time.
        clock.Advance(TimeSpan.FromSeconds(10));
        var (one, two) = (pool.Rent(), pool.Rent());
        pool.Return(one);
        pool.Return(two);
        Assert.Equal(5 * pool.SlabSize, pool.Snapshot().HeldBytes);

        clock.Advance(TimeSpan.FromSeconds(10));
        pool.Return(pool.Rent());
        Assert.Equal((2 * pool.SlabSize, 3), (pool.Snapshot().HeldBytes, pool.Snapshot().TrimmedSlabs));
    }

    [Fact]
    public void A_silent_pool_is_emptied_by_full_collections()
    {
        var clock = new ManualClock();
        using var pool = SlabPool.Create(new() { IdleRetention = TimeSpan.FromSeconds(10), Clock = clock });
        pool.Return(pool.Rent());
        Eventually.True(() =>
        {
            clock.Advance(TimeSpan.FromSeconds(10));
            return pool.Snapshot().HeldBytes == 0;
        });
        Assert.Equal(1, pool.Snapshot().TrimmedSlabs);
    }

    [Fact]
    public void Without_retention_nothing_is_dropped()
    {
        var clock = new ManualClock();
        using var pool = SlabPool.Create(new() { IdleRetention = Timeout.InfiniteTimeSpan, Clock = clock });
        pool.Return(pool.Rent());
        for (var i = 0; i < 3; i++)
        {
            clock.Advance(TimeSpan.FromDays(1));
            pool.Return(pool.Rent());
        }

        Assert.Equal((pool.SlabSize, 0), (pool.Snapshot().IdleBytes, pool.Snapshot().TrimmedSlabs));
    }

    [Fact]
    public void A_slab_that_its_owner_forgot_is_given_up_and_counted()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 1000, MaxBytes = 1000 });
        Forget(pool);
        Eventually.True(() => pool.Snapshot().StrandedSlabs == 1);
        Assert.Equal(0, pool.Snapshot().HeldBytes);
        pool.Return(pool.Rent());

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Forget(SlabPool pool) => new Arena(pool).Rent(10);
    }

    /// <summary>The finalizer thread counts while other threads use the pool.</summary>
    [Fact]
    public void A_stranded_slab_is_counted_with_the_lock()
    {
        using var pool = SlabPool.Create(new());
        var counting = new Thread(pool.CountStranded);
        lock (Gate((PinnedSlabPool)pool))
        {
            counting.Start();
            // no Eventually here: it waits for finalizers, which use the pool too
            SpinWait.SpinUntil(() => counting.ThreadState is ThreadState.WaitSleepJoin or ThreadState.Stopped, TimeSpan.FromMinutes(5));
            Assert.Equal(ThreadState.WaitSleepJoin, counting.ThreadState);
        }

        counting.Join();
        Assert.Equal(1, pool.Snapshot().StrandedSlabs);

        [UnsafeAccessor(UnsafeAccessorKind.Field, Name = "gate")]
        static extern ref readonly object Gate(PinnedSlabPool pool);
    }

    [Fact]
    public void With_zeroing_nobody_sees_the_bytes_of_a_former_owner()
    {
        using var pool = SlabPool.Create(new() { SlabSize = 4096, ClearOnReturn = true });
        var slab = pool.Rent();
        Assert.Equal(-1, slab.Array.AsSpan().IndexOfAnyExcept((byte)0));
        slab.Array.AsSpan().Fill(0xAB);
        pool.Return(slab);

        using var arena = new Arena(pool);
        for (var message = 0; message < 3; message++)
        {
            var memory = arena.RentMemory(3000);
            Assert.Equal(-1, memory.Span.IndexOfAnyExcept((byte)0));
            memory.Span.Fill(0xAB);
            Assert.True(arena.TryResize(ref memory, 1000));
            Assert.True(arena.TryResize(ref memory, 3000));
            Assert.Equal(-1, memory.Span[1000..].IndexOfAnyExcept((byte)0));
            memory.Span.Fill(0xAB);
            arena.Reset();
        }

        using var writer = new SlabBufferWriter(pool);
        for (var message = 0; message < 3; message++)
        {
            var span = writer.GetSpan(4096);
            Assert.Equal(-1, span.IndexOfAnyExcept((byte)0));
            span.Fill(0xAB);
            writer.Advance(7);
            writer.Reset();
        }

        using var allocator = new SliceAllocator(pool);
        for (var i = 0; i < 50; i++)
        {
            var slice = allocator.Rent(300);
            Assert.Equal(-1, slice.Span.IndexOfAnyExcept((byte)0));
            slice.Span.Fill(0xAB);
            slice.Release();
        }
    }
}

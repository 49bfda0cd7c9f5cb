using System.Buffers;
using System.Reflection;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

public class MisuseTests
{
    const int rounds = 2_000;

    readonly SlabPool pool = SlabPool.Create(new() { SlabSize = 1024 });

    [Fact]
    public void The_threads_own_allocator_stays_usable_after_dispose() => Threads.Run(1, _ =>
    {
        var slice = SliceAllocator.ForThread.Rent(4);
        for (var i = 0; i < 2; i++)
        {
            SliceAllocator.ForThread.Dispose();
            SliceAllocator.ForThread.Rent(4).Release();
            SliceAllocator.Release(SliceAllocator.ForThread.RentMemory(4));
        }

        slice.Release();
        SliceAllocator.ForThread.Dispose();
    });

    [Fact]
    public void A_late_Preserve_or_Release_never_reaches_the_next_owner_of_the_slab()
    {
        // Late calls run all the time while the slab goes from owner to owner. Each of them either throws or, if it comes while an owner
        // has slices out, is undetected; so here the slab is only rented whole, without slices, and every late call must throw.
        var allocator = new SliceAllocator(pool);
        var late = allocator.Rent(4);
        late.Release();
        allocator.Dispose();
        var done = false;
        Threads.Run(3, thread =>
        {
            if (thread > 0)
            {
                while (!Volatile.Read(ref done))
                {
                    if (thread == 1) Assert.Throws<ObjectDisposedException>(late.Preserve);
                    else Assert.Throws<InvalidOperationException>(late.Release);
                }

                return;
            }

            try
            {
                for (var i = 0; i < rounds; i++)
                {
                    var slab = pool.Rent();
                    Thread.Yield();
                    pool.Return(slab);
                }
            }
            finally
            {
                Volatile.Write(ref done, true);
            }
        });
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_late_Preserve_changes_no_count_not_even_for_a_moment()
    {
        // Preserve on a slab without references, while another thread reads the count that the next owner would start from.
        var slab = pool.Rent();
        var done = false;
        Threads.Run(2, thread =>
        {
            if (thread == 0)
            {
                for (var i = 0; i < 20_000; i++) Assert.Throws<ObjectDisposedException>(() => slab.Preserve(4));
                Volatile.Write(ref done, true);
                return;
            }

            while (!Volatile.Read(ref done)) Assert.Equal(0, slab.LiveSlices);
        });
        pool.Return(slab);
    }

    /// <summary>The counter is set to a value near the limit: half a billion calls take too long.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void As_many_references_as_can_be_counted_are_counted_and_the_next_is_refused(bool isSealed)
    {
        const int most = (1 << 29) - Slab.MaxSlices;
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(4);
        var slab = typeof(SlabSlice).GetField("owner", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(slice)!;
        AddReferences(slab, most - 3);
        slice.Preserve();
        slice.Preserve();
        if (isSealed) allocator.Dispose();
        Assert.Equal(most, pool.Snapshot().LiveSlices);
        if (isSealed)
        {
            AddReferences(slab, Slab.MaxSlices);
            Assert.Equal(1 << 29, pool.Snapshot().LiveSlices);
        }

        AddReferences(slab, isSealed ? 0 : 1);
        Assert.Throws<InvalidOperationException>(slice.Preserve);
        AddReferences(slab, -(int)pool.Snapshot().LiveSlices + 1);
        Assert.Equal(1, pool.Snapshot().LiveSlices);
        slice.Release();
        allocator.Dispose();
        SlabPoolContract.AssertEmpty(pool);
    }

    static void AddReferences(object slab, int references)
    {
        var counter = typeof(Slab).GetField("count", BindingFlags.Instance | BindingFlags.NonPublic)!;
        var value = counter.GetValue(slab)!;
        var number = value.GetType().GetField("Value")!;
        number.SetValue(value, (long)number.GetValue(value)! + references);
        counter.SetValue(slab, value);
    }

    [Fact]
    public void Every_reference_needs_its_release()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(4);
        for (var i = 0; i < 1000; i++) slice.Preserve();
        Assert.Equal(1001, pool.Snapshot().LiveSlices);
        for (var i = 0; i < 1001; i++) slice.Release();
        allocator.Dispose();
        SlabPoolContract.AssertEmpty(pool);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_slab_is_not_cut_into_more_slices_than_its_counter_can_hold(bool resizing)
    {
        // One byte each from 1 GiB, none of which is touched. Or one byte at the same place, again and again.
        const int tooMany = (1 << 25) + 1;
        using var large = SlabPool.Create(new() { SlabSize = resizing ? 1024 : 1 << 30 });
        using var allocator = new SliceAllocator(large);
        for (var i = 0; i < tooMany; i++)
        {
            var slice = allocator.Rent(1);
            if (resizing) allocator.TryResize(ref slice, 0);
            slice.Release();
        }

        var other = SlabOf(allocator.RentMemory(1));
        Assert.True(other.slices < tooMany, $"{other.slices:N0} slices of one slab");
        other.Release(1);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_slab_with_counted_slices_out_cannot_be_returned_over_their_heads(bool diagnostic)
    {
        var watched = diagnostic ? new DiagnosticSlabPool(pool) : pool;
        var allocator = new SliceAllocator(watched);
        var memory = allocator.RentMemory(4);
        allocator.Dispose();
        if (!diagnostic)
        {
            var slab = SlabOf(memory);
            Assert.Contains("slices", Assert.Throws<InvalidOperationException>(() => watched.Return(slab)).Message,
                StringComparison.Ordinal);
            Assert.Throws<InvalidOperationException>(((IDisposable)slab).Dispose);
        }

        memory.Span.Fill(1);
        SliceAllocator.Release(memory);
        SlabPoolContract.AssertEmpty(watched);
    }

    [Fact]
    public void A_second_dispose_of_an_idle_slab_is_refused_like_a_second_return()
    {
        IMemoryOwner<byte> owner = pool.Rent();
        owner.Dispose();
        Assert.Throws<InvalidOperationException>(owner.Dispose);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void Disposing_on_many_threads_at_once_returns_each_slab_once()
    {
        using var gate = new Barrier(4);
        IDisposable[] owners = [];
        Threads.Run(4, thread =>
        {
            for (var i = 0; i < rounds; i++)
            {
                if (thread == 0)
                {
                    var (arena, writer, allocator) = (new Arena(pool), new SlabBufferWriter(pool), new SliceAllocator(pool));
                    arena.Rent(1500);
                    arena.Rent(1000);
                    writer.Write(new byte[2000]);
                    allocator.Rent(4).Release();
                    Volatile.Write(ref owners, [arena, writer, allocator]);
                }

                gate.SignalAndWait(TimeSpan.FromMinutes(1));
                foreach (var owner in Volatile.Read(ref owners)) owner.Dispose();
                gate.SignalAndWait(TimeSpan.FromMinutes(1));
            }
        });
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_list_that_is_disposed_on_many_threads_at_once_returns_its_array_once()
    {
        var arrays = new CountingArrayPool();
        using var gate = new Barrier(4);
        PooledList<int>? list = null;
        Threads.Run(4, thread =>
        {
            for (var i = 0; i < rounds; i++)
            {
                if (thread == 0)
                {
                    var fresh = new PooledList<int>(arrays);
                    fresh.Add(1);
                    Volatile.Write(ref list, fresh);
                }

                gate.SignalAndWait(TimeSpan.FromMinutes(1));
                Volatile.Read(ref list)!.Dispose();
                gate.SignalAndWait(TimeSpan.FromMinutes(1));
            }
        });
        Assert.Equal((rounds, rounds), (arrays.Rented, arrays.Returned));
    }

    [Fact]
    public void An_arena_that_two_threads_misuse_stays_inside_of_its_slab()
    {
        // One thread has moved the end of the slab and not yet the limit, in a diagnostic pool, where the limit follows the end.
        using var arena = new Arena(new DiagnosticSlabPool(pool));
        var slab = SlabOf(arena.RentMemory(1));
        (slab.used, slab.limit) = (1000, 500);
        var span = arena.Rent(400);
        Assert.True(!slab.Array.AsSpan().Overlaps(span, out var offset) || offset + span.Length <= slab.Length,
            $"the span begins at {offset}");
    }

    [Fact]
    public void Advance_takes_only_what_was_handed_out_since_the_reset()
    {
        foreach (var watched in new[] { pool, new DiagnosticSlabPool(pool) })
        {
            using var writer = new SlabBufferWriter(watched);
            writer.GetSpan(100).Fill(42);
            writer.Advance(60);
            writer.Advance(40);
            writer.Reset();
            Assert.Throws<InvalidOperationException>(() => writer.Advance(1));
            Assert.Equal(0, writer.WrittenCount);
            writer.Advance(0);
            writer.GetSpan(10);
            writer.Advance(10);
            Assert.Equal(10, writer.WrittenCount);
            writer.Dispose();
            Assert.Throws<ObjectDisposedException>(() => writer.Advance(1));
        }
    }

    static Slab SlabOf(Memory<byte> memory)
    {
        Assert.True(MemoryMarshal.TryGetMemoryManager<byte, Slab>(memory, out var slab));
        return slab;
    }

    sealed class CountingArrayPool : ArrayPool<int>
    {
        public int Rented, Returned;

        public override int[] Rent(int minimumLength)
        {
            Interlocked.Increment(ref Rented);
            return new int[minimumLength];
        }

        public override void Return(int[] array, bool clearArray = false) => Interlocked.Increment(ref Returned);
    }
}

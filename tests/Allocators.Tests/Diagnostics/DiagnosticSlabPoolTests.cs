using System.Buffers;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

public class DiagnosticSlabPoolTests
{
    readonly DiagnosticSlabPool pool = CreatePool();

    public static TheoryData<string, Func<SlabPool, (Memory<byte> Memory, Action Release)>> Forms => new()
    {
        { "slab", pool => { var slab = pool.Rent(); return (slab.Memory, () => pool.Return(slab)); } },
        { "arena reset", pool => { var arena = new Arena(pool); return (arena.RentMemory(8), arena.Reset); } },
        { "arena dispose", pool => { var arena = new Arena(pool); return (arena.RentMemory(8), arena.Dispose); } },
        {
            "counted memory", pool =>
            {
                using var allocator = new SliceAllocator(pool);
                var memory = allocator.RentMemory(8);
                return (memory, () => SliceAllocator.Release(memory));
            }
        },
        {
            "wrapped slice", pool =>
            {
                using var allocator = new SliceAllocator(pool);
                var slice = allocator.Rent(8);
                return (slice.Memory, slice.Release);
            }
        },
        { "writer", pool => { var writer = new SlabBufferWriter(pool); return (writer.GetMemory(8), writer.Reset); } },
        {
            "written sequence", pool =>
            {
                var writer = new SlabBufferWriter(pool);
                writer.Write(new byte[2000]);
                return (MemoryMarshal.AsMemory(writer.GetWrittenSequence().First), writer.Dispose);
            }
        },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void Use_after_release_throws_through_a_copied_memory(string form, Func<SlabPool, (Memory<byte> Memory, Action Release)> rent)
    {
        var (memory, release) = rent(pool);
        var (copy, part) = (memory, memory[2..4]);
        memory.Span.Fill(1);
        var span = memory.Span;
        release();
        foreach (var late in new[] { memory, copy, part })
        {
            Assert.Throws<ObjectDisposedException>(() => late.Span.Length);
            Assert.Throws<ObjectDisposedException>(() => late.Pin());
            Assert.Throws<ObjectDisposedException>(() => MemoryMarshal.TryGetArray<byte>(late, out _));
        }

        // A span cannot be called back; what it reads is poison.
        Assert.True(span.IndexOfAnyExcept(DiagnosticSlabPool.Poison) < 0, form);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_released_slice_is_poisoned_at_once_and_its_neighbours_are_not()
    {
        using var allocator = new SliceAllocator(pool);
        var (left, middle, right) = (allocator.Rent(8), allocator.RentMemory(8), allocator.Rent(8));
        left.Span.Fill(1);
        middle.Span.Fill(2);
        right.Span.Fill(3);
        var late = middle.Span;
        SliceAllocator.Release(middle);
        Assert.True(late.IndexOfAnyExcept(DiagnosticSlabPool.Poison) < 0);
        Assert.True(left.Span.IndexOfAnyExcept((byte)1) < 0 && right.Span.IndexOfAnyExcept((byte)3) < 0);
    }

    [Fact]
    public void A_generation_does_not_come_back_when_the_slab_is_rented_again()
    {
        using var arena = new Arena(pool);
        var stale = arena.RentMemory(8);
        var array = arena.RentSegment(1).Array;
        arena.Reset();
        var fresh = arena.RentSegment(8);
        Assert.Same(array, fresh.Array);
        fresh.AsSpan().Fill(9);
        Assert.Throws<ObjectDisposedException>(() => stale.Span.Length);
    }

    [Fact]
    public void A_late_use_names_the_renter()
    {
        var slab = pool.Rent();
        pool.Return(slab);
        var message = Assert.Throws<ObjectDisposedException>(() => slab.Array).Message;
        Assert.Contains("slab was used after its release to the pool 'watched'", message, StringComparison.Ordinal);
        Assert.Contains(nameof(A_late_use_names_the_renter), message, StringComparison.Ordinal);
    }

    [Fact]
    public void The_first_release_too_many_throws_and_harms_nobody()
    {
        using var allocator = new SliceAllocator(pool);
        var (memory, slice, bystander) = (allocator.RentMemory(8), allocator.Rent(8), allocator.Rent(8));
        SliceAllocator.Release(memory);
        slice.Preserve();
        slice.Release();
        slice.Release();
        Assert.Throws<InvalidOperationException>(() => SliceAllocator.Release(memory));
        var error = Assert.Throws<InvalidOperationException>(slice.Release);
        Assert.Contains("more often", error.Message, StringComparison.Ordinal);
        Assert.Contains(nameof(The_first_release_too_many_throws_and_harms_nobody), error.Message, StringComparison.Ordinal);
        Assert.Throws<ObjectDisposedException>(slice.Preserve);
        Assert.Throws<ObjectDisposedException>(() => slice.Span.Length);
        bystander.Span.Fill(1);
        bystander.Release();
        allocator.Dispose();
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_late_write_is_reported_at_the_next_rent_with_the_last_renter()
    {
        var slab = pool.Rent();
        var span = slab.GetSpan();
        pool.Return(slab);
        span[77] = 0;
        var message = Assert.Throws<InvalidOperationException>(() => pool.Rent()).Message;
        Assert.Contains("written to at offset 77", message, StringComparison.Ordinal);
        Assert.Contains(nameof(A_late_write_is_reported_at_the_next_rent_with_the_last_renter), message, StringComparison.Ordinal);
        pool.Return(pool.Rent());
        pool.ThrowIfOutstanding();
    }

    [Fact]
    public void Another_user_of_the_wrapped_pool_is_no_false_alarm()
    {
        var inner = SlabPool.Create(new() { SlabSize = 1024 });
        var twin = new DiagnosticSlabPool(inner);
        twin.Return(twin.Rent());
        var slab = inner.Rent();
        slab.Array[5] = 5;
        inner.Return(slab);
        twin.Return(twin.Rent());
    }

    [Fact]
    public void Leaks_are_listed_with_the_renters_stack_the_oldest_first()
    {
        var clock = new ManualClock();
        var twin = new DiagnosticSlabPool(SlabPool.Create(), captureStacks: true, clock);
        using var allocator = new SliceAllocator(twin);
        Leak(allocator, 5);
        clock.Advance(TimeSpan.FromSeconds(1));
        allocator.Rent(7).Release();
        Leak(allocator, 9);
        clock.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(
            [(RentalKind.Slab, 512 * 1024, 3), (RentalKind.Slice, 5, 3), (RentalKind.Slice, 9, 2)],
            twin.Outstanding().Select(rental => (rental.Kind, rental.Length, rental.Lifetime.Seconds)));
        Assert.All(twin.Outstanding().Skip(1), rental => Assert.Contains(nameof(Leak), rental.Stack, StringComparison.Ordinal));
        var message = Assert.Throws<InvalidOperationException>(twin.ThrowIfOutstanding).Message;
        var thread = Environment.CurrentManagedThreadId;
        Assert.Contains($"Slice of 9 bytes, rented by thread {thread}, out for 2,000 ms", message, StringComparison.Ordinal);

        static void Leak(SliceAllocator allocator, int length) => allocator.Rent(length);
    }

    [Fact]
    public void Without_stacks_a_rental_has_none()
    {
        var twin = new DiagnosticSlabPool(SlabPool.Create());
        twin.Rent();
        Assert.Null(Assert.Single(twin.Outstanding()).Stack);
    }

    [Fact]
    public void The_longest_life_is_remembered()
    {
        var clock = new ManualClock();
        var twin = new DiagnosticSlabPool(SlabPool.Create(), clock: clock);
        Assert.Null(twin.LongestLived);
        var slab = twin.Rent();
        clock.Advance(TimeSpan.FromSeconds(5));
        twin.Return(slab);
        var shorter = twin.Rent();
        clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((TimeSpan.FromSeconds(5), false), (twin.LongestLived!.Lifetime, twin.LongestLived.IsOutstanding));
        clock.Advance(TimeSpan.FromSeconds(3));
        Assert.Equal((TimeSpan.FromSeconds(6), true), (twin.LongestLived.Lifetime, twin.LongestLived.IsOutstanding));
        twin.Return(shorter);
    }

    [Fact]
    public void Resizing_the_last_slice_works_as_in_the_fast_form()
    {
        using var arena = new Arena(pool);
        var memory = arena.RentMemory(8);
        Assert.True(arena.TryResize(ref memory, 100));
        memory.Span.Fill(1);
        Assert.True(arena.TryResize(ref memory, 4));
        Assert.Equal((4, 4), (memory.Span.Length, arena.LiveBytes));

        using var allocator = new SliceAllocator(pool);
        var (slice, counted) = (allocator.Rent(8), Memory<byte>.Empty);
        Assert.True(allocator.TryResize(ref slice, 16));
        counted = allocator.RentMemory(8);
        Assert.False(allocator.TryResize(ref slice, 4));
        var old = counted;
        Assert.True(allocator.TryResize(ref counted, 2));
        Assert.Throws<ArgumentOutOfRangeException>(() => old.Span.Length);
        Assert.Equal((16, 2), (slice.Span.Length, counted.Span.Length));
        Assert.Equal((22, 2), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices));
        slice.Release();
        SliceAllocator.Release(counted);
    }

    [Fact]
    public void Each_form_can_be_pinned_and_owned()
    {
        using var allocator = new SliceAllocator(pool);
        var memory = allocator.RentMemory(8);
        using (var pin = memory[3..].Pin()) memory.Span[3] = 1;
        Assert.True(MemoryMarshal.TryGetMemoryManager<byte, CountedMemory>(memory, out var owner));
        Assert.Throws<ArgumentOutOfRangeException>(() => owner.Pin(9));
        ((IDisposable)owner).Dispose();
        Assert.Equal(0, pool.Snapshot().LiveSlices);
    }

    [Fact]
    public void It_needs_a_pool_to_wrap() => Assert.Throws<ArgumentNullException>(() => new DiagnosticSlabPool(null!));

    static DiagnosticSlabPool CreatePool() => new(SlabPool.Create(new() { Name = "watched", SlabSize = 1024 }), captureStacks: true);
}

public class LateWriteTests
{
    readonly DiagnosticSlabPool pool = CreatePool();

    [Fact]
    public void A_write_to_a_released_slice_is_reported_after_its_slab_went_home()
    {
        var allocator = new SliceAllocator(pool);
        var (slice, other) = (allocator.Rent(8), allocator.Rent(8));
        var late = slice.Span;
        slice.Release();
        late[3] = 1;
        other.Release();
        allocator.Dispose();
        AssertReported(() => pool.Rent(), "A slice of the pool 'watched' was written to at offset 3 ");
        pool.Return(pool.Rent());
        pool.ThrowIfOutstanding();
    }

    [Fact]
    public void A_write_to_a_released_slice_is_reported_after_TryRewind()
    {
        using var allocator = new SliceAllocator(pool);
        var (first, slice) = (allocator.Rent(16), allocator.Rent(8));
        var late = slice.Span;
        first.Release();
        slice.Release();
        late[3] = 1;
        Assert.True(allocator.TryRewind());
        AssertReported(() => allocator.Rent(4), "at offset 19 ");
        allocator.Rent(4).Release();
    }

    [Fact]
    public void A_write_after_TryRewind_is_reported_when_the_bytes_are_rented_again()
    {
        using var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(32);
        var late = slice.Span;
        slice.Release();
        Assert.True(allocator.TryRewind());
        late[20] = 1;
        allocator.Rent(16).Release();
        AssertReported(() => allocator.RentMemory(16), "at offset 20 ");
        Assert.Equal(1, pool.Outstanding().Count(rental => rental.Kind == RentalKind.Slab));
        SliceAllocator.Release(allocator.RentMemory(16));
    }

    [Fact]
    public void A_write_behind_a_slice_that_was_made_shorter_is_reported()
    {
        using var arena = new Arena(pool);
        var memory = arena.RentMemory(100);
        var late = memory.Span;
        Assert.True(arena.TryResize(ref memory, 10));
        late[50] = 1;
        AssertReported(() => arena.TryResize(ref memory, 60), "at offset 50 ");
        Assert.True(arena.TryResize(ref memory, 60));
    }

    [Fact]
    public void A_late_write_is_reported_by_ThrowIfOutstanding_and_once()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(8);
        var late = slice.Span;
        slice.Release();
        late[0] = 1;
        allocator.Dispose();
        AssertReported(pool.ThrowIfOutstanding, "at offset 0 ");
        pool.ThrowIfOutstanding();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Right_use_is_no_false_alarm(bool clear)
    {
        var twin = new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 1024, ClearOnReturn = clear }));
        using var allocator = new SliceAllocator(twin);
        using var arena = new Arena(twin);
        using var writer = new SlabBufferWriter(twin);
        for (var message = 0; message < 50; message++)
        {
            var (one, two) = (allocator.Rent(100 + message), allocator.Rent(50));
            allocator.TryResize(ref two, message % 3 == 0 ? 0 : 10 * message);
            one.Span.Fill(1);
            two.Span.Fill(2);
            arena.Rent(1000).Fill(3);
            writer.GetSpan(500).Fill(4);
            writer.Advance(10);
            one.Release();
            two.Release();
            if (message % 2 == 0) Assert.True(allocator.TryRewind());
            arena.Reset();
            writer.Reset();
        }

        allocator.Dispose();
        arena.Dispose();
        writer.Dispose();
        SlabPoolContract.AssertEmpty(twin);
    }

    [Fact]
    public void A_pool_that_clears_does_so_between_the_slices_of_a_slab_too()
    {
        var twin = new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 1024, ClearOnReturn = true }));
        using var allocator = new SliceAllocator(twin);
        for (var message = 0; message < 3; message++)
        {
            var slice = allocator.Rent(600);
            Assert.Equal(-1, slice.Span.IndexOfAnyExcept((byte)0));
            slice.Span.Fill(7);
            slice.Release();
            Assert.True(allocator.TryRewind());
        }
    }

    [Fact]
    public void A_late_Preserve_revives_no_slice_not_even_for_a_moment()
    {
        var twin = new DiagnosticSlabPool(SlabPool.Create());
        var allocator = new SliceAllocator(twin);
        var slice = allocator.Rent(8);
        var other = allocator.Rent(8);
        slice.Release();
        Threads.Run(3, _ =>
        {
            for (var i = 0; i < 2_000; i++) Assert.Throws<ObjectDisposedException>(slice.Preserve);
        });
        other.Release();
        allocator.Dispose();
        SlabPoolContract.AssertEmpty(twin);
    }

    static DiagnosticSlabPool CreatePool() => new(SlabPool.Create(new() { Name = "watched", SlabSize = 1024 }), captureStacks: true);

    static void AssertReported(Action action, string place)
    {
        var message = Assert.Throws<InvalidOperationException>(action).Message;
        Assert.Contains(place, message, StringComparison.Ordinal);
        Assert.Contains("Rented by", message, StringComparison.Ordinal);
    }
}

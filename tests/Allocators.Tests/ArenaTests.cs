using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

public class ArenaTests
{
    readonly SlabPool pool = SlabPool.Create(new() { SlabSize = 1024 });

    [Fact]
    public void Slices_lie_side_by_side_in_every_form()
    {
        using var arena = new Arena(pool);
        arena.Rent(4).Fill(1);
        var segment = arena.RentSegment(4);
        var memory = arena.RentMemory(4);
        segment.AsSpan().Fill(2);
        memory.Span.Fill(3);
        Assert.Equal([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], segment.Array![..12]);
        Assert.Equal((12, 12), (arena.LiveBytes, pool.Snapshot().LiveBytes));
        Assert.Equal(1012, pool.Snapshot().SlackBytes);
    }

    [Fact]
    public void A_message_takes_as_many_slabs_as_it_needs_and_gives_back_all_but_one()
    {
        using var arena = new Arena(pool);
        for (var message = 0; message < 3; message++)
        {
            for (var i = 0; i < 100; i++) arena.Rent(100).Fill((byte)i);
            Assert.Equal((10_000, 10), (arena.LiveBytes, pool.Snapshot().LentSlabs));
            arena.Reset();
            Assert.Equal((0, 0, 1), (arena.LiveBytes, pool.Snapshot().LiveBytes, pool.Snapshot().LentSlabs));
        }

        arena.Dispose();
        Assert.Equal(10 * 1024, pool.Snapshot().IdleBytes);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Theory]
    [InlineData(1024, 1)]
    [InlineData(1023, 2)]
    public void A_slab_is_used_to_its_last_byte_and_not_beyond(int length, int next)
    {
        using var arena = new Arena(pool);
        foreach (var rent in new Action<int>[] { n => arena.Rent(n), n => arena.RentSegment(n), n => arena.RentMemory(n) })
        {
            rent(0);
            rent(length);
            Assert.Equal((length, 1), (arena.LiveBytes, pool.Snapshot().LentSlabs));
            rent(next);
            Assert.Equal((length + next, 2), (arena.LiveBytes, pool.Snapshot().LentSlabs));
            arena.Reset();
        }
    }

    [Fact]
    public void An_oversize_slice_lies_in_one_piece_and_does_not_stay_with_the_arena()
    {
        using var arena = new Arena(pool);
        arena.Rent(10);
        Assert.Equal(5000, arena.Rent(5000).Length);
        Assert.Equal(1, pool.Snapshot().OversizeRents);
        arena.Reset();
        Assert.Equal((1, 5120), (pool.Snapshot().LentSlabs, pool.Snapshot().IdleBytes));
    }

    [Fact]
    public void The_last_slice_grows_and_shrinks_where_it_is()
    {
        using var arena = new Arena(pool);
        var memory = arena.RentMemory(10);
        memory.Span.Fill(1);
        Assert.True(arena.TryResize(ref memory, 1024));
        Assert.True(arena.TryResize(ref memory, 4));
        var segment = arena.RentSegment(6);
        Assert.Equal((4, 6), (memory.Length, arena.LiveBytes - memory.Length));
        Assert.Equal(4, segment.Offset);
        Assert.True(arena.TryResize(ref segment, 0));
        Assert.Equal(4, arena.LiveBytes);
    }

    [Fact]
    public void Only_the_last_slice_is_resized_and_only_within_its_slab()
    {
        using var arena = new Arena(pool);
        using var other = new Arena(pool);
        var first = arena.RentMemory(10);
        var last = arena.RentMemory(10);
        var foreign = other.RentMemory(10);
        var middle = last[..5];
        Assert.False(arena.TryResize(ref first, 5));
        Assert.False(arena.TryResize(ref foreign, 5));
        Assert.False(arena.TryResize(ref middle, 6));
        Assert.False(arena.TryResize(ref last, 1015));
        Assert.Equal((10, 10, 20), (first.Length, last.Length, arena.LiveBytes));
        Assert.Throws<ArgumentOutOfRangeException>(() => arena.TryResize(ref last, -1));
    }

    [Fact]
    public void Whoever_keeps_indexes_of_its_own_asks_the_generation()
    {
        using var arena = new Arena(pool);
        var generation = arena.Generation;
        arena.Rent(1);
        arena.ThrowIfReleased(generation);
        arena.Reset();
        var error = Assert.Throws<ObjectDisposedException>(() => arena.ThrowIfReleased(generation));
        Assert.Contains("reset", error.Message, StringComparison.Ordinal);
        generation = arena.Generation;
        arena.Dispose();
        error = Assert.Throws<ObjectDisposedException>(() => arena.ThrowIfReleased(generation));
        Assert.Contains("disposed", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Bad_input_is_refused_and_changes_nothing()
    {
        using var arena = new Arena(pool);
        Assert.Throws<ArgumentNullException>(() => new Arena(null!));
        foreach (var length in new[] { -1, int.MinValue, int.MaxValue })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => arena.Rent(length).Length);
            Assert.Throws<ArgumentOutOfRangeException>(() => arena.RentSegment(length));
            Assert.Throws<ArgumentOutOfRangeException>(() => arena.RentMemory(length));
        }

        Assert.Equal(0, arena.Rent(0).Length + arena.RentSegment(0).Count + arena.RentMemory(0).Length);
        Assert.Equal(0, arena.LiveBytes);
        arena.Dispose();
        arena.Dispose();
        Assert.Throws<ObjectDisposedException>(() => arena.Rent(1).Length);
        Assert.Throws<ObjectDisposedException>(() => arena.RentSegment(1));
        Assert.Throws<ObjectDisposedException>(() => arena.RentMemory(1));
        Assert.Throws<ObjectDisposedException>(arena.Reset);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_rent_that_the_cap_refuses_leaves_the_arena_as_it_was()
    {
        using var capped = SlabPool.Create(new() { SlabSize = 1024, MaxBytes = 1024 });
        using var arena = new Arena(capped);
        arena.Rent(1000);
        Assert.Throws<SlabPoolExhaustedException>(() => arena.Rent(100).Length);
        Assert.Equal(1000, arena.LiveBytes);
        arena.Rent(24);
        arena.Reset();
        arena.Rent(1024);
    }

    [Fact]
    public void Memory_is_pinned_already_and_gives_its_array()
    {
        using var arena = new Arena(pool);
        var memory = arena.RentMemory(8)[2..];
        Assert.True(MemoryMarshal.TryGetArray<byte>(memory, out var segment));
        Assert.Equal((2, 6), (segment.Offset, segment.Count));
        using var pin = memory.Pin();
    }

    [Fact]
    public void The_default_arena_uses_the_shared_pool()
    {
        using var arena = new Arena();
        Assert.Equal(SlabPoolOptions.DefaultSlabSize, arena.RentSegment(1).Array!.Length);
        SlabPool.Shared.Dispose();
        SlabPool.Shared.Return(SlabPool.Shared.Rent());
    }
}

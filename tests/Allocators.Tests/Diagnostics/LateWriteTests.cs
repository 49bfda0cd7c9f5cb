namespace ProtoBench.Allocators;

/// <summary>A write through a span that was taken before the release is reported, wherever the bytes went.</summary>
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
        allocator.RentMemory(16).Release();
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

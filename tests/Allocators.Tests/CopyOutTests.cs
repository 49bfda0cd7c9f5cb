namespace ProtoBench.Allocators;

public class CopyOutTests
{
    readonly SlabPool pool = SlabPool.Create(new() { SlabSize = 1024, MaxIdleBytes = 0 });

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_bytes_move_and_the_old_slab_goes_home(bool diagnostic)
    {
        var watched = diagnostic ? new DiagnosticSlabPool(pool) : pool;
        var (requests, longLived) = (new SliceAllocator(watched), new SliceAllocator(watched));
        var (slice, memory) = (requests.Rent(10), requests.RentMemory(20));
        slice.Span.Fill(1);
        memory.Span.Fill(2);
        var (keptSlice, keptMemory) = (slice.CopyOut(longLived), SliceAllocator.CopyOut(memory[5..], longLived));
        requests.Dispose();
        Assert.Equal((1, 2, 25), (watched.Snapshot().LentSlabs, watched.Snapshot().LiveSlices, watched.Snapshot().LiveBytes));
        Assert.Equal(Enumerable.Repeat((byte)1, 10), keptSlice.Span.ToArray());
        Assert.Equal(Enumerable.Repeat((byte)2, 15), keptMemory.ToArray());
        keptSlice.Release();
        SliceAllocator.Release(keptMemory);
        longLived.Dispose();
        SlabPoolContract.AssertEmpty(watched);
    }

    [Fact]
    public void A_slice_that_was_released_already_leaves_no_copy_behind()
    {
        var watched = new DiagnosticSlabPool(pool);
        using var requests = new SliceAllocator(watched);
        using var longLived = new SliceAllocator(watched);
        var (slice, memory) = (requests.Rent(10), requests.RentMemory(10));
        slice.Release();
        SliceAllocator.Release(memory);
        Assert.Throws<ObjectDisposedException>(() => slice.CopyOut(longLived));
        Assert.Throws<ObjectDisposedException>(() => SliceAllocator.CopyOut(memory, longLived));
        Assert.Equal(0, watched.Snapshot().LiveSlices);

        // In the fast form the release is what fails, after the copy was made.
        var allocator = new SliceAllocator(pool);
        var late = allocator.Rent(10);
        var lateMemory = allocator.RentMemory(10);
        late.Release();
        SliceAllocator.Release(lateMemory);
        allocator.Dispose();
        using var keeper = new SliceAllocator(pool);
        Assert.Throws<InvalidOperationException>(() => late.CopyOut(keeper));
        Assert.Throws<InvalidOperationException>(() => SliceAllocator.CopyOut(lateMemory, keeper));
        Assert.Equal(0, pool.Snapshot().LiveSlices);
    }

    [Fact]
    public void Nothing_and_foreign_memory()
    {
        using var longLived = new SliceAllocator(pool);
        Assert.Equal(default, default(SlabSlice).CopyOut(longLived));
        Assert.True(SliceAllocator.CopyOut(default, longLived).IsEmpty);
        Assert.Throws<ArgumentException>(() => SliceAllocator.CopyOut(new byte[1], longLived));
        Assert.Throws<ArgumentNullException>(() => default(SlabSlice).CopyOut(null!));
        Assert.Throws<ArgumentNullException>(() => SliceAllocator.CopyOut(new byte[1], null!));
        Assert.Equal(0, pool.Snapshot().Rents);
    }

    // README's table.
    [Theory]
    [InlineData("Leave them where they are", 57_671_680)]
    [InlineData("`CopyOut` to a second `SliceAllocator` of the same pool", 524_288)]
    [InlineData("`CopyOut` to an allocator over a pool with slabs of 16 KiB", 65_536)]
    public void One_in_a_thousand_slices_that_lives_long(string way, long heldBytes)
    {
        const int count = 900_000, length = 64, one = 1_000;
        using var requests = SlabPool.Create();
        using var small = SlabPool.Create(new() { SlabSize = 16 * 1024 });
        var allocator = new SliceAllocator(requests);
        using var longLived = new SliceAllocator(way.Contains("16 KiB", StringComparison.Ordinal) ? small : requests);
        var kept = new List<SlabSlice>();
        for (var i = 0; i < count; i++)
        {
            var slice = allocator.Rent(length);
            if (i % one != 0) slice.Release();
            else kept.Add(heldBytes > 1 << 24 ? slice : slice.CopyOut(longLived));
        }

        allocator.Dispose();
        var held = new[] { requests.Snapshot(), small.Snapshot() }.Sum(numbers => numbers.HeldBytes - numbers.IdleBytes);
        Assert.Equal((heldBytes, 57_600), (held, kept.Sum(slice => slice.Length)));
        Assert.Contains($"| {way} | {heldBytes:N0} |", ReadmeTests.Readme(), StringComparison.Ordinal);
        kept.ForEach(slice => slice.Release());
    }
}

namespace ProtoBench.Allocators;

public class SliceAllocatorTests
{
    readonly SlabPool pool = SlabPool.Create(new() { SlabSize = 1024 });

    [Fact]
    public void A_slab_goes_home_with_its_last_slice()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(4);
        var memory = allocator.RentMemory(4);
        slice.Span.Fill(1);
        memory.Span.Fill(2);
        Assert.Equal((8, 2), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices));
        allocator.Dispose();
        allocator.Dispose();
        slice.Release();
        Assert.Equal((4, 1, 1), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices, pool.Snapshot().LentSlabs));
        SliceAllocator.Release(memory);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void One_surviving_leaf_keeps_a_slab_and_the_slack_says_so()
    {
        var allocator = new SliceAllocator(pool);
        var leaves = Enumerable.Range(0, 256).Select(_ => allocator.Rent(4)).ToList();
        allocator.Dispose();
        leaves[1..].ForEach(leaf => leaf.Release());
        Assert.Equal((4, 1020), (pool.Snapshot().LiveBytes, pool.Snapshot().SlackBytes));
        leaves[0].Release();
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_preserved_slice_needs_one_more_release()
    {
        var allocator = new SliceAllocator(pool);
        var (slice, memory) = (allocator.Rent(4), allocator.RentMemory(4));
        slice.Preserve();
        SliceAllocator.Preserve(memory);
        allocator.Dispose();
        slice.Release();
        SliceAllocator.Release(memory[1..2]);
        Assert.Equal((2, 1), (pool.Snapshot().LiveSlices, pool.Snapshot().LentSlabs));
        slice.Release();
        SliceAllocator.Release(memory);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_slab_whose_slices_are_back_is_used_again_on_the_spot()
    {
        using var allocator = new SliceAllocator(pool);
        for (var i = 0; i < 1000; i++) allocator.Rent(100).Release();
        Assert.Equal((1, 1024), (pool.Snapshot().Rents, pool.Snapshot().HeldBytes));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Between_messages_a_slab_is_rewound_if_every_slice_is_back(bool diagnostic)
    {
        var checkedPool = diagnostic ? new DiagnosticSlabPool(pool) : pool;
        using var allocator = new SliceAllocator(checkedPool);
        Assert.True(allocator.TryRewind());
        var (one, two) = (allocator.Rent(400), allocator.RentMemory(400));
        SliceAllocator.Preserve(two);
        one.Release();
        SliceAllocator.Release(two);
        Assert.False(allocator.TryRewind());
        SliceAllocator.Release(two);
        Assert.True(allocator.TryRewind());
        Assert.Equal(0, checkedPool.Snapshot().LiveBytes);
        var again = allocator.Rent(1024);
        Assert.Equal((1, 1024, 1), (checkedPool.Snapshot().Rents, checkedPool.Snapshot().LiveBytes, checkedPool.Snapshot().LiveSlices));
        again.Release();
        allocator.Dispose();
        SlabPoolContract.AssertEmpty(checkedPool);
    }

    [Fact]
    public void Oversize_slices_come_and_go_by_themselves()
    {
        using var allocator = new SliceAllocator(pool);
        var slices = new[] { allocator.Rent(10), allocator.Rent(5000), allocator.Rent(10) };
        Assert.Equal([10, 5000, 10], slices.Select(slice => slice.Span.Length));
        Array.ForEach(slices, slice => slice.Release());
        Assert.Equal(0, pool.Snapshot().LiveBytes);
        Assert.Equal(1, pool.Snapshot().OversizeRents);
    }

    [Fact]
    public void The_last_slice_grows_and_shrinks_where_it_is()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(10);
        Assert.True(allocator.TryResize(ref slice, 1024));
        Assert.True(allocator.TryResize(ref slice, 4));
        Assert.False(allocator.TryResize(ref slice, 1025));
        var memory = allocator.RentMemory(10);
        Assert.False(allocator.TryResize(ref slice, 3));
        Assert.True(allocator.TryResize(ref memory, 20));
        Assert.Equal((24, 2), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices));
        var nothing = default(SlabSlice);
        var foreign = new byte[4].AsMemory();
        Assert.False(allocator.TryResize(ref nothing, 1));
        Assert.False(allocator.TryResize(ref foreign, 1));
        allocator.Dispose();
        slice.Release();
        SliceAllocator.Release(memory);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void An_empty_slice_has_no_owner()
    {
        using var allocator = new SliceAllocator(pool);
        allocator.Rent(0).Release();
        SliceAllocator.Release(allocator.RentMemory(0));
        SliceAllocator.Preserve(default);
        default(SlabSlice).Preserve();
        Assert.Equal(0, default(SlabSlice).Span.Length + default(SlabSlice).Memory.Length);
        Assert.Equal(0, pool.Snapshot().Rents);
    }

    [Fact]
    public void Foreign_memory_and_bad_lengths_are_refused()
    {
        using var allocator = new SliceAllocator(pool);
        using var arena = new Arena(pool);
        Assert.Throws<ArgumentNullException>(() => new SliceAllocator(null!));
        foreach (var length in new[] { -1, int.MinValue, int.MaxValue })
        {
            Assert.Throws<ArgumentOutOfRangeException>(() => allocator.Rent(length));
            Assert.Throws<ArgumentOutOfRangeException>(() => allocator.RentMemory(length));
        }

        foreach (var foreign in new[] { new byte[1].AsMemory(), arena.RentMemory(1) })
        {
            Assert.Contains("foreign", Assert.Throws<ArgumentException>(() => SliceAllocator.Release(foreign)).Message, StringComparison.Ordinal);
            Assert.Contains("foreign", Assert.Throws<ArgumentException>(() => SliceAllocator.Preserve(foreign)).Message, StringComparison.Ordinal);
            Assert.False(SliceAllocator.TryRelease(foreign));
        }

        allocator.Dispose();
        Assert.Throws<ObjectDisposedException>(() => allocator.Rent(1));
        Assert.Throws<ObjectDisposedException>(() => allocator.RentMemory(1));
    }

    [Fact]
    public void Too_many_releases_of_a_slab_are_an_error_and_keep_it_out_of_the_pool()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(4);
        slice.Release();
        slice.Release();
        Assert.Contains("more often", Assert.Throws<InvalidOperationException>(allocator.Dispose).Message, StringComparison.Ordinal);
        Assert.Equal(0, pool.Snapshot().IdleBytes);
    }

    [Fact]
    public void A_slice_is_released_at_most_as_often_as_its_sealed_slab_has_references()
    {
        var allocator = new SliceAllocator(pool);
        var slice = allocator.Rent(4);
        allocator.Dispose();
        slice.Release();
        Assert.Throws<InvalidOperationException>(slice.Release);
        Assert.Throws<ObjectDisposedException>(slice.Preserve);
        Assert.Contains("more often", Assert.Throws<InvalidOperationException>(slice.Release).Message, StringComparison.Ordinal);
        SlabPoolContract.AssertEmpty(pool);
    }

    [Fact]
    public void A_slab_that_is_not_cut_into_slices_is_not_released_by_slices()
    {
        var slab = pool.Rent();
        Assert.Throws<InvalidOperationException>(() => SliceAllocator.Release(slab.Memory));
        Assert.Throws<ObjectDisposedException>(() => SliceAllocator.Preserve(slab.Memory));
        Assert.Equal((1024, 0, 1), (pool.Snapshot().LiveBytes, pool.Snapshot().LiveSlices, pool.Snapshot().LentSlabs));
        pool.Return(slab);
    }

    [Fact]
    public void Slices_are_equal_when_they_are_the_same_place()
    {
        using var allocator = new SliceAllocator(pool);
        var (one, two) = (allocator.Rent(4), allocator.Rent(4));
        var copy = one;
        Assert.True(one == copy && one != two && one.Equals((object)copy) && one.GetHashCode() == copy.GetHashCode());
        one.Release();
        two.Release();
    }

    [Fact]
    public void The_slab_of_a_dead_thread_goes_home_when_its_slices_are_released()
    {
        var slice = default(SlabSlice);
        Threads.Run(1, _ => slice = new SliceAllocator(pool).Rent(4));
        Eventually.True(() => pool.Snapshot().StrandedSlabs == 1);
        Assert.Equal((1, 4), (pool.Snapshot().LentSlabs, pool.Snapshot().LiveBytes));
        slice.Release();
        SlabPoolContract.AssertEmpty(pool);

        // Nothing was out: the finalizer itself brings the slab home.
        Threads.Run(1, _ => new SliceAllocator(pool).Rent(4).Release());
        Eventually.True(() => pool.Snapshot().StrandedSlabs == 2);
        SlabPoolContract.AssertEmpty(pool);
        Assert.Equal(1024, pool.Snapshot().IdleBytes);
    }

    [Fact]
    public void Each_thread_has_an_allocator_of_its_own()
    {
        var mine = SliceAllocator.ForThread;
        Assert.Same(mine, SliceAllocator.ForThread);
        Threads.Run(1, _ => Assert.NotSame(mine, SliceAllocator.ForThread));
        mine.Rent(1).Release();
    }

    [Fact]
    public void Storms_of_releases_from_all_threads_end_at_zero()
    {
        const int threads = 4, rounds = 200, count = 500;
        using var gate = new Barrier(threads);
        var shared = new SlabSlice[threads * count];
        var allocators = Enumerable.Range(0, threads).Select(_ => new SliceAllocator(pool)).ToArray();
        Threads.Run(threads, thread =>
        {
            // Each thread rents its part and releases a part of every other thread's, all at the same moment.
            for (var round = 0; round < rounds; round++)
            {
                for (var i = 0; i < count; i++) shared[(thread * count) + i] = allocators[thread].Rent(1 + (i % 64));
                gate.SignalAndWait();
                for (var i = thread; i < shared.Length; i += threads) shared[i].Release();
                gate.SignalAndWait();
            }
        });
        Array.ForEach(allocators, allocator => allocator.Dispose());
        SlabPoolContract.AssertEmpty(pool);
    }
}

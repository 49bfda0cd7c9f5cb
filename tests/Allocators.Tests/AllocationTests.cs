namespace ProtoBench.Allocators;

public class AllocationTests
{
    const int leaves = 7_000;

    readonly SlabPool pool = SlabPool.Create(new() { IdleRetention = Timeout.InfiniteTimeSpan });

    [Fact]
    public void Arena()
    {
        using var arena = new Arena(pool);
        AssertQuiet(() =>
        {
            for (var i = 0; i < leaves; i += 4)
            {
                arena.Rent(4)[0] = 1;
                arena.RentSegment(64)[0] = 1;
                arena.RentMemory(4).Span[0] = 1;
                arena.Rent(200)[0] = 1;
            }

            arena.Rent(600_000);
            arena.Reset();
        });
    }

    [Fact]
    public void Wrapped_slices()
    {
        using var allocator = new SliceAllocator(pool);
        var slices = new SlabSlice[leaves];
        AssertQuiet(() =>
        {
            for (var i = 0; i < leaves; i++) slices[i] = allocator.Rent(i % 2 == 0 ? 4 : 64);
            foreach (var slice in slices) slice.Release();
        });
    }

    [Fact]
    public void Counted_memory()
    {
        using var allocator = new SliceAllocator(pool);
        var slices = new Memory<byte>[leaves];
        AssertQuiet(() =>
        {
            for (var i = 0; i < leaves; i++) slices[i] = allocator.RentMemory(i % 2 == 0 ? 4 : 64);
            foreach (var slice in slices) SliceAllocator.Preserve(slice);
            foreach (var slice in slices) SliceAllocator.Release(slice);
            foreach (var slice in slices) SliceAllocator.Release(slice);
        });
    }

    [Fact]
    public void Writer_and_its_sequence()
    {
        using var writer = new SlabBufferWriter(pool);
        AssertQuiet(() =>
        {
            for (var i = 0; i < leaves; i++)
            {
                writer.GetSpan(300)[0] = 1;
                writer.Advance(300);
            }

            // Not Assert.Equal, which allocates.
            Assert.True(writer.GetWrittenSequence().Length == leaves * 300L);
            writer.Reset();
            writer.GetSpan(64);
            writer.Advance(64);
            Assert.True(writer.GetWrittenSequence().IsSingleSegment);
            writer.Reset();
        });
    }

    [Fact]
    public void List()
    {
        using var list = new PooledList<(int Start, int Length)>();
        AssertQuiet(() =>
        {
            for (var i = 0; i < leaves; i++) list.Add((i, i));
            list.Clear();
        });
    }

    [Fact]
    public void Ten_million_rents_do_not_grow_the_pool()
    {
        using var arena = new Arena(pool);
        using var allocator = new SliceAllocator(pool);
        var slices = new SlabSlice[1000];
        void Thousands()
        {
            for (var i = 0; i < slices.Length; i++)
            {
                arena.Rent(i % 65);
                slices[i] = allocator.Rent(1 + (i % 64));
            }

            foreach (var slice in slices) slice.Release();
            arena.Reset();
        }

        for (var i = 0; i < 100; i++) Thousands();
        var held = pool.Snapshot().HeldBytes;
        AssertQuiet(Thousands, times: 5_000);
        Assert.Equal(held, pool.Snapshot().HeldBytes);
        Assert.Equal(0, pool.Snapshot().LiveBytes);
    }

    static void AssertQuiet(Action operation, int times = 10)
    {
        for (var i = 0; i < 10; i++) operation();

        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < times; i++) operation();
        }));
    }
}

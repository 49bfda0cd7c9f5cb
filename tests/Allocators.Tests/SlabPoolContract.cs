namespace ProtoBench.Allocators;

public abstract class SlabPoolContract
{
    protected abstract SlabPool CreatePool();

    [Fact]
    public void A_slab_is_as_large_as_asked_for_and_the_renters_alone()
    {
        using var pool = CreatePool();
        var lengths = new[] { 0, 1, pool.SlabSize, pool.SlabSize + 1, (3 * pool.SlabSize) + 7 };
        var slabs = lengths.Select(length => (length, slab: pool.Rent(length))).ToList();
        Assert.All(slabs, pair => Assert.True(pair.slab.Length >= Math.Max(pair.length, pool.SlabSize)));
        Assert.Equal(slabs.Count, slabs.Select(pair => pair.slab.Array).Distinct().Count());
        slabs.ForEach(pair => pool.Return(pair.slab));
        AssertEmpty(pool);
    }

    [Fact]
    public void A_returned_slab_is_rented_again()
    {
        using var pool = CreatePool();
        var slab = pool.Rent();
        var array = slab.Array;
        pool.Return(slab);
        var again = pool.Rent();
        Assert.Same(array, again.Array);
        pool.Return(again);
        Assert.Equal(pool.SlabSize, pool.Snapshot().HeldBytes);
    }

    [Fact]
    public void An_oversize_block_is_pooled_and_counted()
    {
        using var pool = CreatePool();
        var slab = pool.Rent(pool.SlabSize * 3);
        var array = slab.Array;
        pool.Return(slab);
        var again = pool.Rent((pool.SlabSize * 3) - 1);
        Assert.Same(array, again.Array);
        pool.Return(again);
        Assert.Equal(2, pool.Snapshot().OversizeRents);
    }

    [Fact]
    public void A_slab_is_memory_with_an_owner()
    {
        using var pool = CreatePool();
        using (var owner = pool.Rent())
        {
            owner.Memory.Span.Fill(5);
            using var pin = owner.Memory[3..].Pin();
            Assert.Equal(pool.SlabSize, pool.Snapshot().LiveBytes);
        }

        AssertEmpty(pool);
    }

    [Fact]
    public void Bad_input_is_refused_by_name()
    {
        using var pool = CreatePool();
        using var other = SlabPool.Create();
        Assert.Equal("minimumLength", Assert.Throws<ArgumentOutOfRangeException>(() => pool.Rent(-1)).ParamName);
        Assert.Throws<ArgumentOutOfRangeException>(() => pool.Rent(int.MaxValue));
        Assert.Throws<ArgumentNullException>(() => pool.Return(null!));
        var foreign = other.Rent();
        Assert.Contains("foreign", Assert.Throws<ArgumentException>(() => pool.Return(foreign)).Message, StringComparison.Ordinal);
        other.Return(foreign);
        var slab = pool.Rent();
        pool.Return(slab);
        Assert.Contains("already", Assert.Throws<InvalidOperationException>(() => pool.Return(slab)).Message, StringComparison.Ordinal);
        AssertEmpty(pool);
    }

    [Fact]
    public void After_dispose_a_rent_throws_and_a_return_is_welcome()
    {
        var pool = CreatePool();
        var slab = pool.Rent();
        pool.Dispose();
        pool.Dispose();
        Assert.Throws<ObjectDisposedException>(() => pool.Rent());
        pool.Return(slab);
        Assert.Equal(0, pool.Snapshot().HeldBytes);
    }

    [Fact]
    public void Trim_drops_what_is_idle_and_nothing_else()
    {
        using var pool = CreatePool();
        var kept = pool.Rent();
        pool.Return(pool.Rent());
        pool.Return(pool.Rent(2 * pool.SlabSize));
        var held = pool.Snapshot().HeldBytes;
        Assert.Equal(held - pool.SlabSize, pool.Trim());
        var after = pool.Snapshot();
        Assert.Equal((pool.SlabSize, 2), (after.HeldBytes, after.TrimmedSlabs));
        pool.Return(kept);
        AssertEmpty(pool);
    }

    [Fact]
    public void Threads_share_a_pool_and_never_a_slab()
    {
        using var pool = CreatePool();
        Threads.Run(4, thread =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                var slab = pool.Rent(i % 7 == 0 ? pool.SlabSize + 1 : 1);
                slab.Array.AsSpan(0, 64).Fill((byte)(thread + 1));
                if (i % 50 == 0) Thread.Yield();
                Assert.Equal(-1, slab.Array.AsSpan(0, 64).IndexOfAnyExcept((byte)(thread + 1)));
                pool.Return(slab);
            }
        });
        AssertEmpty(pool);
    }

    internal static void AssertEmpty(SlabPool pool)
    {
        var numbers = pool.Snapshot();
        Assert.Equal((0L, 0L, 0, 0L), (numbers.LiveBytes, numbers.LiveSlices, numbers.LentSlabs, numbers.SlackBytes));
        Assert.Equal(numbers.HeldBytes, numbers.IdleBytes);
        (pool as DiagnosticSlabPool)?.ThrowIfOutstanding();
    }
}

public class DefaultPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() => SlabPool.Create();
}

public class SmallPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() => SlabPool.Create(new() { SlabSize = 1000, IdleRetention = Timeout.InfiniteTimeSpan });
}

public class ClearingPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() => SlabPool.Create(new() { SlabSize = 4096, ClearOnReturn = true });
}

public class CappedPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() =>
        SlabPool.Create(new() { SlabSize = 4096, MaxBytes = 16 * 4096, ExhaustionBehavior = ExhaustionBehavior.AllocateUnpooled });
}

public class DiagnosticPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() => new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 4096 }), captureStacks: true);
}

public class DiagnosticClearingPoolContract : SlabPoolContract
{
    protected override SlabPool CreatePool() => new DiagnosticSlabPool(SlabPool.Create(new() { SlabSize = 4096, ClearOnReturn = true }));
}

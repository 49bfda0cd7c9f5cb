namespace ProtoBench.Allocators;

public class ArenaTests
{
    [Fact]
    public void Slices_lie_side_by_side_in_every_form()
    {
        using var pool = SlabPool.Create();
        using var arena = new Arena(pool);
        arena.Rent(4).Fill(1);
        var segment = arena.RentSegment(4);
        var memory = arena.RentMemory(4);
        segment.AsSpan().Fill(2);
        memory.Span.Fill(3);
        Assert.Equal([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3], segment.Array![..12]);
        Assert.Equal(12, arena.LiveBytes);
        Assert.True(arena.TryResize(ref memory, 2));
        Assert.Equal(10, pool.Snapshot().LiveBytes);
        arena.Reset();
        Assert.Equal(0, pool.Snapshot().LiveBytes);
    }

    [Fact]
    public void Memory_copied_before_the_reset_throws_under_the_twin()
    {
        using var pool = new DiagnosticSlabPool(SlabPool.Create());
        using var arena = new Arena(pool);
        var copy = arena.RentMemory(4);
        copy.Span.Fill(7);
        arena.Reset();
        Assert.Throws<ObjectDisposedException>(() => copy.Span[0]);
        pool.ThrowIfOutstanding();
    }
}

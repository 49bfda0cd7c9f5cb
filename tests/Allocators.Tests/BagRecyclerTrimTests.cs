namespace ProtoBench.Allocators;

public class BagRecyclerTrimTests
{
    [Fact]
    public void Trim_disposes_what_is_kept()
    {
        var recycler = new BagRecycler<MemoryStream>(() => new(), capacity: 3);
        var (kept, rented) = (new MemoryStream(), recycler.Rent());
        recycler.Return(kept);
        recycler.Trim();
        Assert.True(!kept.CanRead && rented.CanRead);
        Assert.NotSame(kept, recycler.Rent());
    }

    [Fact]
    public void A_recycler_without_capacity_keeps_nothing()
    {
        var recycler = new BagRecycler<MemoryStream>(() => new(), capacity: 0);
        var stream = recycler.Rent();
        recycler.Return(stream);
        Assert.False(stream.CanRead);
        recycler.Trim();
    }
}

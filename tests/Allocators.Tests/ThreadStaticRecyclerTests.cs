namespace ProtoBench.Allocators;

public class ThreadStaticRecyclerTests
{
    [Fact]
    public void Each_thread_keeps_one_spare()
    {
        var recycler = ThreadStaticRecycler<MemoryStream>.Instance;
        Threads.Run(1, _ =>
        {
            var (root, other) = (recycler.Rent(), recycler.Rent());
            Assert.NotSame(root, other);
            recycler.Return(root);
            recycler.Return(other);
            Assert.True(root.CanRead && !other.CanRead);
            Threads.Run(1, _ => Assert.NotSame(root, recycler.Rent()));
            Assert.Same(root, recycler.Rent());
        });
    }

    [Fact]
    public void Misuse_that_can_be_seen_throws() => Threads.Run(1, _ =>
    {
        var recycler = ThreadStaticRecycler<MemoryStream>.Instance;
        var root = recycler.Rent();
        recycler.Return(root);
        Assert.Throws<InvalidOperationException>(() => recycler.Return(root));
        Assert.Throws<ArgumentNullException>(() => recycler.Return(null!));
    });
}

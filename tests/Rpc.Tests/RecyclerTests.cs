namespace ProtoBench.Rpc.Tests;

public class BagRecyclerTests
{
    Root? shared;

    [Fact]
    public void What_was_returned_is_rented_again_on_any_thread()
    {
        var recycler = new BagRecycler<Root>(() => new());
        var root = recycler.Rent();
        recycler.Return(root);
        Threads.Run(1, _ => Assert.Same(root, recycler.Rent()));
        Assert.NotSame(root, recycler.Rent());
    }

    [Fact]
    public void Beyond_the_bound_an_object_is_disposed()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 2);
        var roots = new[] { new Root(), new Root(), new Root() };
        Array.ForEach(roots, recycler.Return);
        Assert.Equal([false, false, true], roots.Select(root => root.Disposed));
        recycler.Rent();
        recycler.Return(roots[2]);
        Assert.Contains(roots[2], new[] { recycler.Rent(), recycler.Rent() });
    }

    [Fact]
    public void Threads_never_share_an_object()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 3);
        Threads.Run(4, _ =>
        {
            for (var i = 0; i < 10_000; i++)
            {
                var root = recycler.Rent();
                Assert.Equal(1, Interlocked.Increment(ref root.Users));
                Interlocked.Decrement(ref root.Users);
                recycler.Return(root);
            }
        });
    }

    [Fact]
    public void A_second_return_of_an_idle_object_is_refused_on_any_thread()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 8);
        var (root, other) = (new Root(), new Root());
        recycler.Return(other);
        recycler.Return(root);
        Assert.Throws<InvalidOperationException>(() => recycler.Return(root));
        Threads.Run(3, _ => Assert.Throws<InvalidOperationException>(() => recycler.Return(root)));
        Assert.Equal(
            new HashSet<Root> { root, other },
            new HashSet<Root> { recycler.Rent(), recycler.Rent() });
        Assert.NotSame(root, recycler.Rent());
    }

    [Fact]
    public void What_two_returns_at_one_moment_left_twice_is_lent_once()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 8);
        var root = new Root();
        (recycler.slots[1], recycler.slots[6]) = (root, root);
        Assert.Same(root, recycler.Rent());
        Assert.All(recycler.slots, Assert.Null);
    }

    [Fact]
    public void An_object_that_two_threads_return_at_once_is_lent_once()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 8);
        using var gate = new Barrier(2);
        Threads.Run(2, thread =>
        {
            for (var i = 0; i < 2_000; i++)
            {
                if (thread == 0) Volatile.Write(ref shared, recycler.Rent());
                gate.SignalAndWait(TimeSpan.FromMinutes(1));
                try
                {
                    recycler.Return(Volatile.Read(ref shared)!);
                }
                catch (InvalidOperationException)
                {
                    // One of the two may be told.
                }

                gate.SignalAndWait(TimeSpan.FromMinutes(1));
                if (thread == 0) Assert.NotSame(recycler.Rent(), recycler.Rent());
                gate.SignalAndWait(TimeSpan.FromMinutes(1));
            }
        });
    }

    [Fact]
    public void A_recycler_without_capacity_keeps_nothing()
    {
        var recycler = new BagRecycler<Root>(() => new(), capacity: 0);
        var root = recycler.Rent();
        recycler.Return(root);
        Assert.True(root.Disposed);
    }

    [Fact]
    public void What_is_recycled_allocates_nothing()
    {
        var bag = new BagRecycler<Root>(() => new());
        var spare = ThreadStaticRecycler<Root>.Instance;
        void Once()
        {
            bag.Return(bag.Rent());
            spare.Return(spare.Rent());
        }

        Once();
        Assert.Equal(0, AllocatedBytes.Of(() =>
        {
            for (var i = 0; i < 10; i++)
                Once();
        }));
    }

    [Fact]
    public void Bad_input_is_refused()
    {
        Assert.Throws<ArgumentNullException>(() => new BagRecycler<Root>(null!));
        Assert.Equal("capacity", Assert.Throws<ArgumentOutOfRangeException>(() => new BagRecycler<Root>(() => new(), -1)).ParamName);
        Assert.Throws<ArgumentNullException>(() => new BagRecycler<Root>(() => new()).Return(null!));
    }

    sealed class Root : IDisposable
    {
        public int Users;

        public bool Disposed { get; private set; }

        public void Dispose() => Disposed = true;
    }
}

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

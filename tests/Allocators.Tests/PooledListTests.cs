using System.Buffers;

namespace ProtoBench.Allocators;

public class PooledListTests
{
    [Fact]
    public void Items_are_kept_in_order_and_changed_in_place()
    {
        using var list = new PooledList<(int Index, string Name)>();
        for (var i = 0; i < 1000; i++) list.Add((i, "n" + i));
        list[7].Name = "seven";
        list.AddSlot() = (1000, "last");
        Assert.Equal((1001, "seven", "last"), (list.Count, list.Span[7].Name, list.Memory.Span[^1].Name));
        var sum = 0;
        foreach (ref var item in list) sum += item.Index;
        Assert.Equal(500_500, sum);
    }

    [Fact]
    public void It_grows_by_doubling_and_returns_each_array_once()
    {
        var pool = new CountingPool<int>();
        using (var list = new PooledList<int>(pool))
        {
            for (var i = 0; i < 100; i++) list.Add(i);
            Assert.Equal([16, 32, 64, 128], pool.Rented);
            Assert.Equal([16, 32, 64], pool.Returned);
            list.Clear();
            Assert.Equal((0, 128), (list.Count, list.Capacity));
            list.EnsureCapacity(128);
            list.EnsureCapacity(129);
            Assert.Equal(256, list.Capacity);
        }

        Assert.Equal(pool.Rented, pool.Returned);
    }

    [Fact]
    public void Clear_and_Dispose_let_go_of_references()
    {
        var pool = new CountingPool<object>();
        var list = new PooledList<object>(pool);
        list.Add(new());
        var kept = list.Span;
        list.Clear();
        Assert.Null(kept[0]);
        list.Add(new());
        list.Dispose();
        Assert.True(pool.Cleared);
    }

    [Fact]
    public void Bad_input_is_refused()
    {
        var list = new PooledList<int>();
        list.Add(1);
        Assert.Throws<ArgumentNullException>(() => new PooledList<int>(null!));
        Assert.Throws<IndexOutOfRangeException>(() => list[1]);
        Assert.Throws<IndexOutOfRangeException>(() => list[-1]);
        Assert.Throws<ArgumentOutOfRangeException>(() => list.EnsureCapacity(-1));
        list.Dispose();
        list.Dispose();
        Assert.Equal(0, list.Count + list.Capacity);
        Assert.Throws<ObjectDisposedException>(() => list.Add(1));
        Assert.Throws<ObjectDisposedException>(() => list.EnsureCapacity(0));
    }

    sealed class CountingPool<T> : ArrayPool<T>
    {
        public List<int> Rented { get; } = [];

        public List<int> Returned { get; } = [];

        public bool Cleared { get; private set; }

        public override T[] Rent(int minimumLength)
        {
            Rented.Add(minimumLength);
            return new T[minimumLength];
        }

        public override void Return(T[] array, bool clearArray = false)
        {
            Returned.Add(array.Length);
            Cleared = clearArray;
        }
    }
}

using System.Collections.Concurrent;
using System.Runtime.InteropServices;

namespace ProtoBench.Allocators;

/// <summary>Random programs against a model: whatever is rented, resized, preserved and released, in whatever order and on whatever
/// thread, no two live slices share a byte and every byte comes back.</summary>
/// <remarks>PROTOBENCH_MODEL_STEPS sets the steps per program: 20,000 by default, millions for a long run.</remarks>
public class ModelTests
{
    static readonly int steps = int.TryParse(Environment.GetEnvironmentVariable("PROTOBENCH_MODEL_STEPS"), out var set) ? set : 20_000;

    public static TheoryData<int, bool, bool> Programs => new(
        from seed in Enumerable.Range(1, 4)
        from diagnostic in new[] { false, true }
        from clear in new[] { false, true }
        select (seed, diagnostic, clear));

    [Theory]
    [MemberData(nameof(Programs))]
    public void One_thread(int seed, bool diagnostic, bool clear)
    {
        var pool = CreatePool(diagnostic, clear);
        var allocators = new[] { new SliceAllocator(pool), new SliceAllocator(pool) };
        using var arena = new Arena(pool);
        var random = new Random(seed);
        var live = new List<Leaf>();
        var inArena = new List<Leaf>();
        for (var step = 0; step < steps; step++)
        {
            var allocator = allocators[random.Next(allocators.Length)];
            switch (random.Next(10))
            {
                case < 4 when live.Count < 300:
                    live.Add(Leaf.Rent(allocator, random, step));
                    if (step % 64 == 0) AssertApart(live.Concat(inArena));
                    break;
                case 4:
                    inArena.Add(Leaf.Rent(arena, random, step));
                    break;
                case 5 when live.Count > 0:
                    live[random.Next(live.Count)].Preserve();
                    break;
                case 6 when live.Count > 0:
                    live[^1].TryResize(allocator, random.Next(200));
                    break;
                case 7 when random.Next(4) == 0:
                    allocator.TryRewind();
                    break;
                case 7 when random.Next(100) == 0:
                    inArena.ForEach(leaf => leaf.Check());
                    inArena.Clear();
                    arena.Reset();
                    break;
                case > 7 when live.Count > 0:
                    var index = random.Next(live.Count);
                    if (live[index].Release()) live.RemoveAt(index);
                    break;
            }
        }

        AssertApart(live.Concat(inArena));
        live.ForEach(leaf => leaf.ReleaseTo(1));
        var numbers = pool.Snapshot();
        Assert.Equal(live.Concat(inArena).Sum(leaf => (long)leaf.Length), numbers.LiveBytes);
        Assert.Equal(live.Count(leaf => leaf.IsCounted), numbers.LiveSlices);
        live.ForEach(leaf => leaf.ReleaseTo(0));
        inArena.ForEach(leaf => leaf.Check());
        arena.Dispose();
        Array.ForEach(allocators, allocator => allocator.Dispose());
        SlabPoolContract.AssertEmpty(pool);
    }

    [Theory]
    [MemberData(nameof(Programs))]
    public void Many_threads(int seed, bool diagnostic, bool clear)
    {
        var pool = CreatePool(diagnostic, clear);
        var handedOver = new ConcurrentQueue<Leaf>();
        Threads.Run(3, thread =>
        {
            var random = new Random((seed * 100) + thread);
            using var allocator = new SliceAllocator(pool);
            for (var step = 0; step < steps; step++)
            {
                // Rented here, released wherever it is taken out of the queue, possibly after this thread has ended.
                var leaf = Leaf.Rent(allocator, random, step);
                if (random.Next(3) == 0) leaf.TryResize(allocator, random.Next(200));
                if (random.Next(5) == 0) leaf.Preserve();
                handedOver.Enqueue(leaf);
                while (handedOver.Count > 200 && handedOver.TryDequeue(out var other))
                {
                    if (!other.Release()) handedOver.Enqueue(other);
                }
            }
        });
        Assert.NotEqual(0, pool.Snapshot().LiveBytes);
        foreach (var leaf in handedOver) leaf.ReleaseTo(0);
        SlabPoolContract.AssertEmpty(pool);
    }

    static SlabPool CreatePool(bool diagnostic, bool clear)
    {
        var pool = SlabPool.Create(new() { SlabSize = 1024, ClearOnReturn = clear });
        return diagnostic ? new DiagnosticSlabPool(pool) : pool;
    }

    static void AssertApart(IEnumerable<Leaf> leaves)
    {
        foreach (var array in leaves.Where(leaf => leaf.Length > 0).Select(leaf => leaf.Place).GroupBy(place => place.Array))
        {
            var end = 0;
            foreach (var place in array.OrderBy(place => place.Offset))
            {
                Assert.True(place.Offset >= end, "two live slices overlap");
                end = place.Offset + place.Count;
            }
        }
    }

    /// <summary>A slice in either counted form or from an arena, full of a pattern of its own.</summary>
    sealed class Leaf
    {
        readonly byte pattern;
        SlabSlice slice;
        Memory<byte> memory;
        int references = 1;

        Leaf(SlabSlice slice, Memory<byte> memory, int id)
        {
            this.slice = slice;
            this.memory = memory;
            pattern = (byte)(1 + (id % 200));
            Bytes.Fill(pattern);
        }

        public int Length => Bytes.Length;

        // A rent of nothing has no owner; a slice that was resized to nothing has.
        public bool IsCounted => slice != default || !memory.Equals(default);

        public ArraySegment<byte> Place =>
            MemoryMarshal.TryGetArray<byte>(slice == default ? memory : slice.Memory, out var place) ? place : default;

        Span<byte> Bytes => slice == default ? memory.Span : slice.Span;

        public static Leaf Rent(SliceAllocator allocator, Random random, int id) =>
            random.Next(2) == 0 ? new(allocator.Rent(Size(random)), default, id) : new(default, allocator.RentMemory(Size(random)), id);

        public static Leaf Rent(Arena arena, Random random, int id) => new(default, arena.RentMemory(Size(random)), id);

        // Mostly small, sometimes more than half a slab, seldom oversize, seldom nothing.
        static int Size(Random random) => random.Next(40) switch { 0 => random.Next(3000), 1 => 0, _ => random.Next(1, 100) };

        public void Check() => Assert.True(Bytes.IndexOfAnyExcept(pattern) < 0, "somebody wrote into a live slice");

        public void Preserve()
        {
            references++;
            if (slice == default) SliceAllocator.Preserve(memory);
            else slice.Preserve();
        }

        public void TryResize(SliceAllocator allocator, int length)
        {
            // Statistics count a slice once a reference at the length it has then, so only an unshared one is resized here.
            if (references > 1) return;
            var kept = Math.Min(length, Length);
            if (!(slice == default ? allocator.TryResize(ref memory, length) : allocator.TryResize(ref slice, length))) return;
            Assert.Equal(length, Length);
            Assert.True(Bytes[..kept].IndexOfAnyExcept(pattern) < 0, "resizing lost bytes");
            Bytes.Fill(pattern);
        }

        public bool Release()
        {
            Check();
            if (slice == default) SliceAllocator.Release(memory);
            else slice.Release();
            return --references == 0;
        }

        public void ReleaseTo(int left)
        {
            while (references > left) Release();
        }
    }
}

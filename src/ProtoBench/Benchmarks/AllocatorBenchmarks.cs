using System.Buffers;
using System.Diagnostics.Metrics;
using BenchmarkDotNet.Attributes;
using CommunityToolkit.HighPerformance.Buffers;
using ProtoBench.Allocators;

namespace ProtoBench.Benchmarks;

/// <summary>The hive's 7,000 leaves (ids of 1 to 4 bytes, contexts of 64) are rented, touched at both ends, kept as a message keeps them,
/// and then all released. Serial cells use one thread. Each cell returns the number of leaves.</summary>
public class AllocatorBenchmarks
{
    readonly record struct Place(int Offset, int Length);

    static readonly int[] lengths = LeafLengths();

    readonly byte[][] arrays = new byte[lengths.Length][];
    readonly IMemoryOwner<byte>[] owners = new IMemoryOwner<byte>[lengths.Length];
    readonly SlabSlice[] slices = new SlabSlice[lengths.Length];
    readonly Memory<byte>[] memories = new Memory<byte>[lengths.Length];
    readonly Place[] places = new Place[lengths.Length];
    readonly ArrayPool<byte> privatePool = ArrayPool<byte>.Create(maxArrayLength: 1 << 20, maxArraysPerBucket: lengths.Length);
    readonly Arena arena = new();
    readonly SliceAllocator slab = new(SlabPool.Shared);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_NewArray()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch(arrays[i] = new byte[lengths[i]]);
        return arrays.Length;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("Serial")]
    public int Serial_ArrayPoolShared() => RentAndReturn(ArrayPool<byte>.Shared, arrays);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_ArrayPoolPrivate() => RentAndReturn(privatePool, arrays);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_MemoryPoolShared()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((owners[i] = MemoryPool<byte>.Shared.Rent(lengths[i])).Memory.Span[..lengths[i]]);
        return DisposeAll();
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_MemoryOwner()
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            var owner = MemoryOwner<byte>.Allocate(lengths[i]);
            Touch(owner.Span);
            owners[i] = owner;
        }

        return DisposeAll();
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabMemory()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((memories[i] = slab.RentMemory(lengths[i])).Span);
        foreach (var memory in memories)
            SliceAllocator.Release(memory);
        return memories.Length;
    }

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabWrapper() => RentAndRelease(slab, slices);

    /// <summary>The allocator returns to the start of its slab between messages if all slices were released.</summary>
    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_SlabWrapperRewind() => RentReleaseAndRewind(slab, slices);

    [Benchmark, BenchmarkCategory("Serial")]
    public int Serial_Arena() => RentAndReset(arena, places);

    static int RentAndReturn(ArrayPool<byte> pool, byte[][] arrays)
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((arrays[i] = pool.Rent(lengths[i])).AsSpan(0, lengths[i]));
        foreach (var array in arrays)
            pool.Return(array);
        return arrays.Length;
    }

    static int RentAndRelease(SliceAllocator slab, SlabSlice[] slices)
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((slices[i] = slab.Rent(lengths[i])).Span);
        foreach (var slice in slices)
            slice.Release();
        return slices.Length;
    }

    static int RentReleaseAndRewind(SliceAllocator slab, SlabSlice[] slices)
    {
        var released = RentAndRelease(slab, slices);
        return slab.TryRewind() ? released : 0;
    }

    static int RentAndReset(Arena arena, Place[] places)
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            var leaf = arena.RentSegment(lengths[i]);
            Touch(leaf);
            places[i] = new(leaf.Offset, leaf.Count);
        }

        arena.Reset();
        return places.Length;
    }

    int DisposeAll()
    {
        foreach (var owner in owners)
            owner.Dispose();
        return owners.Length;
    }

    static void Touch(Span<byte> leaf) => leaf[0] = leaf[^1] = 1;

    static int[] LeafLengths()
    {
        const int contextLength = 64;
        static int IdLength(int i) => i < 10 ? 1 : i < 100 ? 2 : i < 1_000 ? 3 : 4;
        return [.. Enumerable.Range(0, Payloads.Hive.Items).SelectMany(i => new[] { IdLength(i), contextLength })];
    }

    readonly Worker releaser = new();

    [Benchmark(Baseline = true), BenchmarkCategory("Handoff")]
    public int Handoff_ArrayPoolShared()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((arrays[i] = ArrayPool<byte>.Shared.Rent(lengths[i])).AsSpan(0, lengths[i]));
        releaser.Do(this, static all =>
        {
            foreach (var array in all.arrays)
                ArrayPool<byte>.Shared.Return(array);
        });
        return arrays.Length;
    }

    [Benchmark, BenchmarkCategory("Handoff")]
    public int Handoff_NewArray()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch(arrays[i] = new byte[lengths[i]]);
        releaser.Do(this, static all => Array.Clear(all.arrays));
        return arrays.Length;
    }

    [Benchmark, BenchmarkCategory("Handoff")]
    public int Handoff_SlabMemory()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((memories[i] = slab.RentMemory(lengths[i])).Span);
        releaser.Do(this, static all =>
        {
            foreach (var memory in all.memories)
                SliceAllocator.Release(memory);
        });
        return memories.Length;
    }

    [Benchmark, BenchmarkCategory("Handoff")]
    public int Handoff_SlabWrapper()
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch((slices[i] = slab.Rent(lengths[i])).Span);
        releaser.Do(this, static all =>
        {
            foreach (var slice in all.slices)
                slice.Release();
        });
        return slices.Length;
    }

    [Benchmark, BenchmarkCategory("Handoff")]
    public int Handoff_Arena()
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            var leaf = arena.RentSegment(lengths[i]);
            Touch(leaf);
            places[i] = new(leaf.Offset, leaf.Count);
        }

        releaser.Do(this, static all => all.arena.Reset());
        return places.Length;
    }

    /// <summary>Represents a thread that runs one action at a time, without allocations.</summary>
    sealed class Worker
    {
        readonly ManualResetEventSlim asked = new();
        readonly ManualResetEventSlim done = new();
        AllocatorBenchmarks? with;
        Action<AllocatorBenchmarks>? task;

        public void Do(AllocatorBenchmarks with, Action<AllocatorBenchmarks> task)
        {
            if (this.with is null)
                new Thread(Run) { IsBackground = true, Name = nameof(Worker) }.Start();
            (this.with, this.task) = (with, task);
            done.Reset();
            asked.Set();
            done.Wait();
        }

        void Run()
        {
            while (true)
            {
                asked.Wait();
                asked.Reset();
                task!(with!);
                done.Set();
            }
        }
    }

    const int rounds = 8; // so that the barrier (5 μs) has no effect

    public static IEnumerable<int> ThreadCounts =>
        Enumerable.Range(0, 10).Select(i => 1 << i).TakeWhile(n => n < Environment.ProcessorCount).Append(Environment.ProcessorCount);

    [Benchmark(Baseline = true), BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_Control(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own =>
    {
        for (var i = 0; i < lengths.Length; i++)
        {
            Touch(own.Block.AsSpan(i, lengths[i]));
            own.Places[i] = new(i, lengths[i]);
        }
    });

    [Benchmark, BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_NewArray(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own =>
    {
        for (var i = 0; i < lengths.Length; i++)
            Touch(own.Arrays[i] = new byte[lengths[i]]);
    });

    [Benchmark, BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_ArrayPoolShared(int threads) =>
        WorkerGroup<Own>.Of(threads).Do(rounds, static own => RentAndReturn(ArrayPool<byte>.Shared, own.Arrays));

    [Benchmark, BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_SlabWrapper(int threads) =>
        WorkerGroup<Own>.Of(threads).Do(rounds, static own => RentAndRelease(own.Slab, own.Slices));

    [Benchmark, BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_SlabWrapperRewind(int threads) =>
        WorkerGroup<Own>.Of(threads).Do(rounds, static own => RentReleaseAndRewind(own.Slab, own.Slices));

    [Benchmark, BenchmarkCategory("Threads"), ArgumentsSource(nameof(ThreadCounts))]
    public int Threads_Arena(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own => RentAndReset(own.Arena, own.Places));

    sealed class Own
    {
        public byte[] Block { get; } = new byte[SlabPoolOptions.DefaultSlabSize];

        public byte[][] Arrays { get; } = new byte[lengths.Length][];

        public SlabSlice[] Slices { get; } = new SlabSlice[lengths.Length];

        public Place[] Places { get; } = new Place[lengths.Length];

        public Arena Arena { get; } = new();

        public SliceAllocator Slab { get; } = new(SlabPool.Shared);
    }

    readonly Lazy<SliceAllocator> metered = new(() =>
    {
        var listener = new MeterListener { InstrumentPublished = (instrument, all) => all.EnableMeasurementEvents(instrument) };
        listener.Start();
        var pool = SlabPool.Create();
        _ = new Timer(_ => listener.RecordObservableInstruments(), null, 0, 1_000); // as often as an exporter reads
        return new(pool);
    });

    readonly Lazy<SliceAllocator> stamped = new(() => new(new DiagnosticSlabPool(SlabPool.Create())));
    readonly Lazy<SliceAllocator> traced = new(() => new(new DiagnosticSlabPool(SlabPool.Create(), captureStacks: true)));

    [Benchmark(Baseline = true), BenchmarkCategory("Safety")]
    public int Safety_Off() => RentAndRelease(slab, slices);

    [Benchmark, BenchmarkCategory("Safety")]
    public int Safety_Counters() => RentAndRelease(metered.Value, slices);

    [Benchmark, BenchmarkCategory("Safety")]
    public int Safety_StampsAndPoison() => RentAndRelease(stamped.Value, slices);

    [Benchmark, BenchmarkCategory("Safety")]
    public int Safety_Stacks() => RentAndRelease(traced.Value, slices);
}

/// <summary>Represents threads that live as long as the process and run the same action at the same time, without allocations.</summary>
sealed class WorkerGroup<TOwn>
    where TOwn : new()
{
    static WorkerGroup<TOwn>? current;

    readonly Barrier barrier;
    readonly TOwn own = new();
    readonly int size;
    Action<TOwn>? task;
    int rounds;

    WorkerGroup(int size)
    {
        this.size = size;
        barrier = new(size);
        for (var i = 1; i < size; i++)
            new Thread(Follow) { IsBackground = true, Name = nameof(WorkerGroup<>) }.Start();
    }

    /// <summary>Returns the group of this process. A measured process has one size for its whole life.</summary>
    public static WorkerGroup<TOwn> Of(int size) => current?.size == size ? current : current = new(size);

    public int Do(int rounds, Action<TOwn> task)
    {
        (this.rounds, this.task) = (rounds, task);
        Turn(own);
        return size;
    }

    void Follow()
    {
        var mine = new TOwn();
        while (true)
            Turn(mine);
    }

    void Turn(TOwn mine)
    {
        barrier.SignalAndWait();
        for (var round = 0; round < rounds; round++)
            task!(mine);
        barrier.SignalAndWait();
    }
}

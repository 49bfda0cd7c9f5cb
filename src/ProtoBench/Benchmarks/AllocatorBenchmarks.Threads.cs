using System.Buffers;
using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;

namespace ProtoBench.Benchmarks;

/// <summary>
/// Threads: each of N threads does the serial work eight times, at once. Perfect scaling shows the same time for every N; Control rents
/// nothing and shows what this machine's cores give at best in the same run.
/// </summary>
public partial class AllocatorBenchmarks
{
    const int rounds = 8; // so that meeting at the barrier (5 us) does not count

    /// <summary>1, 2, 4 … and all cores.</summary>
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

    /// <summary>What one thread of the group owns.</summary>
    sealed class Own
    {
        public byte[] Block { get; } = new byte[SlabPoolOptions.DefaultSlabSize];

        public byte[][] Arrays { get; } = new byte[lengths.Length][];

        public SlabSlice[] Slices { get; } = new SlabSlice[lengths.Length];

        public Place[] Places { get; } = new Place[lengths.Length];

        public Arena Arena { get; } = new();

        public SliceAllocator Slab { get; } = new(SlabPool.Shared);
    }
}

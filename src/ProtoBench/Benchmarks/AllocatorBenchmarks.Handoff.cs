using System.Buffers;
using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;

namespace ProtoBench.Benchmarks;

/// <summary>Handoff: one thread rents and touches, another releases, as when a request is decoded here and finished there.</summary>
public partial class AllocatorBenchmarks
{
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
                memory.Release();
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

    /// <summary>A thread of its own that does one thing at a time, without allocating for it.</summary>
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
}

using System.Diagnostics.Metrics;
using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;

namespace ProtoBench.Benchmarks;

/// <summary>Safety: what it costs to be told of mistakes. The same 7,000 counted slices each time.</summary>
public partial class AllocatorBenchmarks
{
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

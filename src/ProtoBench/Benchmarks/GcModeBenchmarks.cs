using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>The cost of allocations in a busy server: N threads decode the request at the same time, with each GC mode. Each thread decodes
/// four requests in an operation, so with perfect scaling the time is the same for every N. Runs only when named, because it is five
/// jobs.</summary>
[GcModes, OnlyWhenNamed]
public class GcModeBenchmarks
{
    const int rounds = 4;

    CollectorCost.Meter? meter;

    public static IEnumerable<int> ThreadCounts =>
        new[] { 1, 2, Environment.ProcessorCount }.Where(count => count <= Environment.ProcessorCount).Distinct();

    [GlobalCleanup]
    public void Cleanup() => Console.WriteLine(meter?.Read());

    [Benchmark(Baseline = true), ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_Google(int threads) => Do(threads, static own => own.Last = ForwardRequest.Parser.ParseFrom(own.Wire.AsSpan()));

    [Benchmark, ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_GoogleSlab(int threads) => Do(threads, static own =>
    {
        own.Arena.Reset();
        own.Last = GoogleSlab.ParseRequest(own.Wire, own.Arena);
    });

    [Benchmark, ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_Slab(int threads) => Do(threads, static own =>
    {
        own.Slab.Dispose();
        own.Slab = SlabProtobuf.ForwardRequest.Rent();
        own.Slab.Parse(own.Wire.AsSpan());
    });

    [Benchmark, ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_BestStrategy(int threads) => Do(threads, static own =>
    {
        own.Request.Release();
        own.Request.Parse(own.Wire);
    });

    int Do(int threads, Action<Own> task)
    {
        (meter ??= new()).Count(rounds * threads);
        return WorkerGroup<Own>.Of(threads).Do(rounds, task);
    }

    /// <summary>Represents the objects of one thread, including its own copy of the payload, as for a connection of its own.</summary>
    sealed class Own
    {
        public byte[] Wire { get; } = Payloads.Hive.Request();

        public Arena Arena { get; } = new();

        public Message<SlabProtobuf.ForwardRequest> Slab { get; set; } = ProtoBench.SlabProtobuf.ForwardRequest.Rent();

        public StrategyRequest<Memory<byte>, ArenaLeaves, PooledStore<Memory<byte>>> Request { get; } = new();

        public object? Last { get; set; }
    }
}

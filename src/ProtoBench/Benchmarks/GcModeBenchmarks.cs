using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;
using ProtoBench.Gpb;
using ProtoBench.Running;
using ProtoBench.Strategies;

namespace ProtoBench.Benchmarks;

/// <summary>
/// Where zero allocation pays: N threads decode the request at once, under each of the collector's modes. Each of the N threads decodes four requests in an operation, so that the same
/// time for every N is perfect scaling. Runs only when named, because it is four jobs.
/// </summary>
[GcModes, OnlyWhenNamed]
public class GcModeBenchmarks
{
    const int rounds = 4;

    public static IEnumerable<int> ThreadCounts => AllocatorBenchmarks.ThreadCounts;

    [Benchmark(Baseline = true), ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_Google(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own => own.Last = ForwardRequest.Parser.ParseFrom(own.Wire));

    [Benchmark, ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_GoogleSlab(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own =>
    {
        own.Arena.Reset();
        own.Last = GoogleSlab.ParseRequest(own.Wire, own.Arena);
    });

    [Benchmark, ArgumentsSource(nameof(ThreadCounts))]
    public int Decode_BestStrategy(int threads) => WorkerGroup<Own>.Of(threads).Do(rounds, static own =>
    {
        own.Request.Release();
        own.Request.Parse(own.Wire);
    });

    /// <summary>What one thread owns: its own copy of the payload too, as its own connection would give it.</summary>
    sealed class Own
    {
        public byte[] Wire { get; } = Payloads.Hive.Request();

        public Arena Arena { get; } = new();

        public StrategyRequest<Memory<byte>, ArenaLeaves, PooledStore<Memory<byte>>> Request { get; } = new();

        public object? Last { get; set; }
    }
}

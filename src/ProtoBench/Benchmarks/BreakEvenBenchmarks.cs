using BenchmarkDotNet.Attributes;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Requests of 1 to 100,000 items with leaves of 0 to 16 KiB, decoded by each library with each of its memory strategies, to find
/// the fastest for each shape. Runs only when named, or with <c>--map</c>. Each cell returns the message, and releases that of the previous
/// operation.</summary>
[BreakEvenMap, OnlyWhenNamed]
public class BreakEvenBenchmarks
{
    readonly Arena arena = new();
    readonly StrategyRequest<byte[], ArrayLeaves, ListStore<byte[]>> arrays = new();
    readonly StrategyRequest<Memory<byte>, CountedLeaves, ListStore<Memory<byte>>> counted = new();
    readonly StrategyRequest<Memory<byte>, ArenaLeaves, PooledStore<Memory<byte>>> arenas = new();
    Message<SlabProtobuf.ForwardRequest> slab = SlabProtobuf.ForwardRequest.Rent();
    readonly Pbn.SlabRequest pbnSlab = new();
    byte[] wire = [];

    [Params(1, 10, 100, 1_000, 10_000, 100_000)]
    public int Items { get; set; }

    [Params(0, 4, 64, 1_024, 16_384)]
    public int LeafBytes { get; set; }

    [GlobalSetup]
    public void Setup() => wire = Hive.Shape(Items, LeafBytes);

    [Benchmark(Baseline = true)] public ForwardRequest Decode_Google() => ForwardRequest.Parser.ParseFrom(wire.AsSpan());
    [Benchmark] public ForwardRequest Decode_GoogleSlab() { arena.Reset(); return GoogleSlab.ParseRequest(wire, arena); }
    [Benchmark] public ForwardRequest Decode_GoogleAlias() => GoogleSlab.AliasRequest(wire);
    [Benchmark] public Message<SlabProtobuf.ForwardRequest> Decode_Slab() => SlabMessages.Read(ref slab, wire.AsSpan());
    [Benchmark] public Message<SlabProtobuf.ForwardRequest> Decode_SlabAlias() => SlabMessages.Alias(ref slab, wire);
    [Benchmark] public IStrategyRequest Decode_StructArray() { arrays.Release(); arrays.Parse(wire); return arrays; }
    [Benchmark] public IStrategyRequest Decode_StructCounted() { counted.Release(); counted.Parse(wire); return counted; }
    [Benchmark] public IStrategyRequest Decode_StructArena() { arenas.Release(); arenas.Parse(wire); return arenas; }

    [Benchmark]
    public Pbn.ForwardRequest Decode_PBN() =>
        Pbn.ContractModel.Instance.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire);
    [Benchmark] public Pbn.SlabRequest Decode_PBNSlab() => Pbn.SlabModel.Instance.Read(wire, pbnSlab);
}

using System.Buffers;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.Running;

namespace ProtoBench.Benchmarks;

/// <summary>
/// What the first message of a process costs: each measurement is the first call of the library in a process of its own, with all methods
/// that the JIT has to compile for it. The message is the request with ten items, so that compiling is nearly all of it. Runs only when
/// named, because each cell starts 15 processes.
/// </summary>
[ColdStart, OnlyWhenNamed]
public class ColdStartBenchmarks
{
    readonly byte[] wire = Hive.Request(items: 10);
    readonly ArrayBufferWriter<byte> output = new(1 << 16);

    [Benchmark(Baseline = true), BenchmarkCategory("Read")]
    public object FirstReadGoogle() => ForwardRequest.Parser.ParseFrom(wire);

    [Benchmark, BenchmarkCategory("Read")]
    public object FirstReadPBN() => ProtoBuf.Serializer.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire);

    [Benchmark, BenchmarkCategory("Read")]
    public int FirstReadSlab()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(wire).ItemRequests.Count;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWrite")]
    public void FirstReadWriteGoogle() => ForwardRequest.Parser.ParseFrom(wire).WriteTo(output);

    [Benchmark, BenchmarkCategory("ReadWrite")]
    public void FirstReadWritePBN() =>
        ProtoBuf.Serializer.Serialize(output, ProtoBuf.Serializer.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire));

    [Benchmark, BenchmarkCategory("ReadWrite")]
    public void FirstReadWriteSlab()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        message.Parse(wire);
        message.WriteTo(output);
    }
}

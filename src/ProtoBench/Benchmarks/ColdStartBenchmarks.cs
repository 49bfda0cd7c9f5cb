using System.Buffers;
using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Gpb;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>The cost of the first message of a process. Each measurement is the first call of the library in a new process, with all
/// methods that the JIT compiles for it. The message is the request with ten items, so that most of the time is compilation. Runs only when
/// named, because each cell starts 15 processes.</summary>
[ColdStart, OnlyWhenNamed]
public class ColdStartBenchmarks
{
    const int items = 10;

    readonly byte[] wire = Hive.Request(items);
    readonly ArrayBufferWriter<byte> output = new(1 << 16);

    [Benchmark(Baseline = true), BenchmarkCategory("Read")]
    public int FirstReadGoogle() => ForwardRequest.Parser.ParseFrom(wire.AsSpan()).ItemRequests.Count;

    [Benchmark, BenchmarkCategory("Read")]
    public int FirstReadPBN() =>
        Pbn.ContractModel.Instance.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire).ItemRequests.Count;

    [Benchmark, BenchmarkCategory("Read")]
    public int FirstReadPBNRuntime() =>
        ProtoBuf.Serializer.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire).ItemRequests.Count;

    [Benchmark, BenchmarkCategory("Read")]
    public int FirstReadSlab()
    {
        using var message = SlabProtobuf.ForwardRequest.Rent();
        return message.Parse(wire).ItemRequests.Count;
    }

    [Benchmark(Baseline = true), BenchmarkCategory("ReadWrite")]
    public int FirstReadWriteGoogle()
    {
        output.ResetWrittenCount();
        ForwardRequest.Parser.ParseFrom(wire.AsSpan()).WriteTo(output);
        return output.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ReadWrite")]
    public int FirstReadWritePBN()
    {
        output.ResetWrittenCount();
        var model = Pbn.ContractModel.Instance;
        model.Serialize(output, model.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire));
        return output.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ReadWrite")]
    public int FirstReadWritePBNRuntime()
    {
        output.ResetWrittenCount();
        ProtoBuf.Serializer.Serialize(output, ProtoBuf.Serializer.Deserialize<Pbn.ForwardRequest>((ReadOnlyMemory<byte>)wire));
        return output.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("ReadWrite")]
    public int FirstReadWriteSlab()
    {
        output.ResetWrittenCount();
        using var message = SlabProtobuf.ForwardRequest.Rent();
        message.Parse(wire);
        message.WriteTo(output);
        return output.WrittenCount;
    }
}

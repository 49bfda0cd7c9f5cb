using System.Buffers;
using System.IO.Pipelines;
using BenchmarkDotNet.Attributes;
using CommunityToolkit.HighPerformance.Buffers;
using Google.Protobuf;
using Microsoft.IO;
using ProtoBench.Allocators;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>Writes one Google message to each kind of destination. Presized destinations have enough space and are reused. Growing
/// destinations are new for each message and start small. Each cell returns the number of bytes. "LOH" marks sizes from 85,000 bytes on,
/// whose arrays are on the large object heap.</summary>
public class WriterBenchmarks
{
    ForwardRequest message = new();
    MemoryStream stream = new();
    ArrayBufferWriter<byte> writer = new();
    ArrayPoolBufferWriter<byte> pooled = new();
    readonly SlabBufferWriter slab = new();
    readonly Pipe pipe = new(new(pauseWriterThreshold: 0, useSynchronizationContext: false));

    [ParamsSource(nameof(Sizes))]
    public MessageSize Size { get; set; } = new(0);

    public static IEnumerable<MessageSize> Sizes =>
        [new(1 << 10), new(16 << 10), new(64 << 10), new(MessageSize.LargeObject), new(256 << 10), new(1 << 20)];

    [GlobalSetup]
    public void Setup()
    {
        message = Size.Message();
        var room = Size.Bytes + 4_096;
        (stream, writer, pooled) = (new(room), new(room), new(room));
    }

    [Benchmark, BenchmarkCategory("Presized")]
    public long Presized_MemoryStream() { stream.SetLength(0); message.WriteTo(stream); return stream.Length; }
    [Benchmark(Baseline = true), BenchmarkCategory("Presized")]
    public long Presized_ArrayBufferWriter() { writer.ResetWrittenCount(); message.WriteTo(writer); return writer.WrittenCount; }
    [Benchmark, BenchmarkCategory("Presized")]
    public long Presized_ArrayBufferWriterClear() { writer.Clear(); message.WriteTo(writer); return writer.WrittenCount; }
    [Benchmark, BenchmarkCategory("Presized")]
    public long Presized_ArrayPoolBufferWriter() { pooled.Clear(); message.WriteTo(pooled); return pooled.WrittenCount; }
    [Benchmark, BenchmarkCategory("Presized")]
    public long Presized_SlabBufferWriter() { slab.Reset(); message.WriteTo(slab); return slab.WrittenCount; }
    [Benchmark, BenchmarkCategory("Presized")] public long Presized_PipeWriter() => ThroughPipe(pipe);

    [Benchmark(Baseline = true), BenchmarkCategory("Growing")]
    public long Growing_MemoryStream() { using var to = new MemoryStream(); message.WriteTo(to); return to.Length; }
    [Benchmark, BenchmarkCategory("Growing")]
    public long Growing_ArrayBufferWriter() { var to = new ArrayBufferWriter<byte>(); message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("Growing")]
    public long Growing_ArrayPoolBufferWriter()
    {
        using var to = new ArrayPoolBufferWriter<byte>();
        message.WriteTo(to);
        return to.WrittenCount;
    }

    [Benchmark, BenchmarkCategory("Growing")]
    public long Growing_SlabBufferWriter() { using var to = new SlabBufferWriter(); message.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("Growing")]
    public long Growing_PipeWriter() => ThroughPipe(new(new(pauseWriterThreshold: 0, useSynchronizationContext: false)));

    /// <summary>Writes through a pipe. A pipe must be read to be empty again, so the bytes are counted at its output.</summary>
    long ThroughPipe(Pipe pipe)
    {
        message.WriteTo(pipe.Writer);
        pipe.Writer.Complete();
        pipe.Reader.TryRead(out var read);
        var written = read.Buffer.Length;
        pipe.Reader.AdvanceTo(read.Buffer.End);
        pipe.Reader.Complete();
        pipe.Reset();
        return written;
    }

    readonly RecyclableMemoryStreamManager recyclable = new();
    RecyclableMemoryStream? recycled;

    [Benchmark, BenchmarkCategory("Presized")]
    public long Presized_RecyclableMemoryStream()
    {
        recycled ??= recyclable.GetStream(null, Size.Bytes);
        recycled.SetLength(0);
        message.WriteTo((System.Buffers.IBufferWriter<byte>)recycled);
        return recycled.Length;
    }

    [Benchmark, BenchmarkCategory("Growing")]
    public long Growing_RecyclableMemoryStream()
    {
        using var to = recyclable.GetStream();
        message.WriteTo((System.Buffers.IBufferWriter<byte>)to);
        return to.Length;
    }
}

/// <summary>Represents the exact size of a message, with items like those of the hive, and bytes of the root for the rest.</summary>
public sealed record MessageSize(int Bytes)
{
    /// <summary>The size from which an array is on the large object heap, where garbage is collected only with generation 2.</summary>
    public const int LargeObject = 85_000;

    const int itemBytes = 74; // with an id of four digits

    public ForwardRequest Message()
    {
        const int rest = 16;
        var context = ByteString.CopyFrom(new byte[64]);
        var message = new ForwardRequest();
        for (var size = 0; size + itemBytes + rest <= Bytes; size += itemBytes)
            message.ItemRequests.Add(new ForwardPerItemRequest { ItemId = "1000", ItemContext = context });
        for (var fill = Bytes - message.CalculateSize(); message.CalculateSize() != Bytes; fill--)
            message.RequestContextInfo = ByteString.CopyFrom(new byte[fill]);
        return message;
    }

    public override string ToString() =>
        (Bytes >= 1 << 20 ? $"{Bytes >> 20} MiB" : Bytes % 1_024 == 0 ? $"{Bytes >> 10} KiB" : $"{Bytes} B")
            + (Bytes >= LargeObject ? " LOH" : "");
}

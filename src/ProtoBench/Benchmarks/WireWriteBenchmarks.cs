using BenchmarkDotNet.Attributes;
using ProtoBench.PeerToPeer;

namespace ProtoBench.Benchmarks;

/// <summary>Appends a message between peers (a coinbase transaction after its header) to an empty buffer with enough space. Stream has one
/// code path for any stream. Buffer detects that the stream is a buffer and appends in place. The other names are Buffer without one of its
/// optimizations. Each cell returns the number of bytes. WriteMessage computes the checksum, a double SHA-256, which takes more than nine
/// tenths of its time. The optimizations should be compared by WriteHashed, whose checksum is known, and by WritePayload.</summary>
[CostColumns]
public class WireWriteBenchmarks : ISizedCells
{
    readonly PeerMessage message = PeerMessage.Sample;
    readonly PeerMessage hashed = PeerMessage.Sample.Hashed();

    public Sink Sink { get; } = new();

    public long WireBytes(string cell) =>
        message.Payload.Size() + (cell.StartsWith("WritePayload", StringComparison.Ordinal) ? 0 : PeerMessage.HeaderSize);

    [Benchmark(Baseline = true), BenchmarkCategory("WriteMessage")]
    public long WriteMessageStream() { var to = Sink.MS; message.WritePieces(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBuffer() { var to = Sink.MS; message.Write(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBufferPooledInts() { var to = Sink.MS; message.WriteInPlace<PooledIntsOutput>(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBufferStringCopy() { var to = Sink.MS; message.WriteInPlace<StringCopyOutput>(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBufferNoPresize() { var to = Sink.MS; message.WriteGrowing(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBufferCallerSized()
    {
        var to = Sink.MS;
        to.Capacity = Math.Max(to.Capacity, PeerMessage.HeaderSize + message.Payload.Size());
        message.Write(to);
        return to.Length;
    }

    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageStream_New() { using var to = new MemoryStream(); message.WritePieces(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBuffer_New() { using var to = new MemoryStream(); message.Write(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteMessage")]
    public long WriteMessageBufferNoPresize_New() { using var to = new MemoryStream(); message.WriteGrowing(to); return to.Length; }

    [Benchmark(Baseline = true), BenchmarkCategory("WriteHashed")]
    public long WriteHashedStream() { var to = Sink.MS; hashed.WritePieces(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteHashed")] public long WriteHashedBuffer() { var to = Sink.MS; hashed.Write(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteHashed")]
    public long WriteHashedBufferPooledInts() { var to = Sink.MS; hashed.WriteInPlace<PooledIntsOutput>(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteHashed")]
    public long WriteHashedBufferStringCopy() { var to = Sink.MS; hashed.WriteInPlace<StringCopyOutput>(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WriteHashed")]
    public long WriteHashedBufferNoPresize() { var to = Sink.MS; hashed.WriteGrowing(to); return to.Length; }

    [Benchmark(Baseline = true), BenchmarkCategory("WritePayload")]
    public long WritePayloadStream() { var to = Sink.MS; message.WritePayloadPieces(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WritePayload")]
    public long WritePayloadBuffer() { var to = Sink.MS; message.WritePayload(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WritePayload")]
    public long WritePayloadBufferPooledInts() { var to = Sink.MS; message.WritePayloadInPlace<PooledIntsOutput>(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WritePayload")]
    public long WritePayloadBufferNoPresize() { var to = Sink.MS; message.WritePayloadGrowing(to); return to.Length; }
    [Benchmark, BenchmarkCategory("WritePayload")]
    public long WritePayloadBufferCallerSized()
    {
        var to = Sink.MS;
        to.Capacity = Math.Max(to.Capacity, message.Payload.Size());
        message.WritePayload(to);
        return to.Length;
    }
}

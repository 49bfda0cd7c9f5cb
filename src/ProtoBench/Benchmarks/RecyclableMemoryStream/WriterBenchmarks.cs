using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using Microsoft.IO;

namespace ProtoBench.Benchmarks;

public partial class WriterBenchmarks
{
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

using System.IO.Compression;
using BenchmarkDotNet.Attributes;
using BenchmarkDotNet.Running;
using ZstdSharp;

namespace ProtoBench.Benchmarks;

/// <summary>Compresses the bytes of every data set with the settings of services: gzip and Brotli at their fastest level, as in ASP.NET
/// Core and grpc-dotnet, and zstd at its default level. Each cell returns the compressed size. Runs only when named, because there is a
/// cell for each data set, format and compressor.</summary>
[OnlyWhenNamed]
public class CompressionBenchmarks : ISizedCells
{
    readonly MemoryStream output = new();
    readonly Compressor zstd = new();
    byte[]? message;
    byte[] room = [];

    public static IEnumerable<string> DataSets => Classes.Select(IDataSetCells.NameOf);

    [ParamsSource(nameof(DataSets))]
    public string DataSet { get; set; } = "";

    public static IEnumerable<string> Formats =>
        ["Protobuf", .. MeasuredLibraries.Registered.Where(library => library.HasOwnFormat).Select(library => library.Cell)];

    [ParamsSource(nameof(Formats))]
    public string Format { get; set; } = "";

    static IEnumerable<Type> Classes => BenchmarkClasses.All.Where(typeof(IDataSetCells).IsAssignableFrom);

    public static long CompressedBytes(BenchmarkCase cell)
    {
        var cells = new CompressionBenchmarks
        {
            DataSet = (string)cell.Parameters[nameof(DataSet)],
            Format = (string)cell.Parameters[nameof(Format)],
        };
        cells.Setup();
        return (long)cell.Descriptor.WorkloadMethod.Invoke(cells, null)!;
    }

    public long WireBytes(string cell) => Message().Length;

    [GlobalSetup]
    public void Setup()
    {
        room = new byte[Compressor.GetCompressBound(Message().Length)];
    }

    [Benchmark(Baseline = true)]
    public long Compress_GZip()
    {
        output.SetLength(0);
        using (var stream = new GZipStream(output, CompressionLevel.Fastest, leaveOpen: true))
            stream.Write(Message());
        return output.Length;
    }

    [Benchmark]
    public long Compress_Brotli()
    {
        output.SetLength(0);
        using (var stream = new BrotliStream(output, CompressionLevel.Fastest, leaveOpen: true))
            stream.Write(Message());
        return output.Length;
    }

    [Benchmark] public long Compress_Zstd() => zstd.Wrap(Message(), room);

    public byte[] Compressed(string cell, long length) => cell == nameof(Compress_Zstd) ? room[..(int)length] : output.ToArray();

    /// <summary>The first message of the set.</summary>
    public byte[] Message() => message ??=
        ((IDataSetCells)Activator.CreateInstance(Classes.Single(type => IDataSetCells.NameOf(type) == DataSet))!).Message(Format);
}

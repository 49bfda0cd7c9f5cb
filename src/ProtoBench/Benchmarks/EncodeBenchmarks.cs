using BenchmarkDotNet.Attributes;
using ProtoBench.Codec;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>Writes a message with one bytes field after gRPC's prefix, by size. ByteArray uses ToByteArray and a BinaryWriter. Direct has
/// no copy and no object between message and writer. Each cell returns the number of bytes of the frame.</summary>
[CostColumns]
public class EncodeBenchmarks : ISizedCells
{
    static readonly int[] powers = [10, 13, 16, 19, 20];

    readonly Sink sink = new(2 << 20); // larger than the largest frame
    readonly Message<SlabProtobuf.Echo> slab = SlabProtobuf.Echo.Rent();
    Echo message = new();

    [ParamsSource(nameof(Sizes))]
    public FrameSize Size { get; set; } = FrameSize.OfBody(0, "none");

    public static IEnumerable<FrameSize> Sizes =>
    [
        FrameSize.OfBody(1, "1 B"), FrameSize.OfBody(1 << 10, "1 KiB"), FrameSize.OfBody(8 << 10, "8 KiB"),
        FrameSize.OfBody(64 << 10, "64 KiB"), FrameSize.OfBody(512 << 10, "512 KiB"), FrameSize.OfBody(1 << 20, "1 MiB"),
        .. powers.SelectMany(power => new[] { FrameSize.OfFrame(power, Frame.PrefixSize), FrameSize.OfFrame(power) }),
    ];

    public Sink Sink => sink;

    public long WireBytes(string cell) => Size.FrameBytes;

    [GlobalSetup]
    public void Setup()
    {
        message = Size.Message();
        slab.Value.SetBody(message.Body.Span);
    }

    [Benchmark(Baseline = true)] public long EncodeByteArray() => Frame.WriteByteArray(message, sink.MS);
    [Benchmark] public long EncodeDirect() => Frame.WriteDirect(message, sink.BW);
    [Benchmark] public long EncodeSlab() => Frame.WriteSlab(slab, sink.BW);
}

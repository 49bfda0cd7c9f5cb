using BenchmarkDotNet.Attributes;
using ProtoBench.Payloads;

namespace ProtoBench.Benchmarks;

/// <summary>Measures packed lists of numbers: floats, doubles, int32s of random size (one to five bytes) and of one byte, and sint64s of
/// random size (one to ten bytes). Deserialize cells return the message, the others the number of bytes. MeasureSerialize cells compute the
/// size first.</summary>
public partial class PackedBenchmarks : ISizedCells
{
    byte[] floats = [];
    byte[] doubles = [];
    byte[] int32s = [];
    byte[] smalls = [];
    byte[] sInt64s = [];
    byte[] copy = [];

    [Params(16, 2_000, 1_000_000)]
    public int Elements { get; set; }

    public Sink Sink { get; private set; } = new(1);

    public long WireBytes(string cell) => Message(cell).Length;

    public byte[] Message(string cell) =>
        PackedList.Message(
            Enum.GetValues<PackedElement>().Single(element => cell.Contains($"Packed{element}", StringComparison.Ordinal)), Elements);

    [GlobalSetup]
    public void Setup()
    {
        floats = PackedList.Message(PackedElement.Float, Elements);
        doubles = PackedList.Message(PackedElement.Double, Elements);
        int32s = PackedList.Message(PackedElement.Int32, Elements);
        smalls = PackedList.Message(PackedElement.Small, Elements);
        sInt64s = PackedList.Message(PackedElement.SInt64, Elements);

        // pinned and old, like the lower bound of the hive
        copy = GC.AllocateUninitializedArray<byte>(doubles.Length, pinned: true);
        Sink = new(doubles.Length + 1_024);
    }
}

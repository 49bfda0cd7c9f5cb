using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using ProtoBench.Buffers;
using ProtoBench.Codec;
using ProtoBench.Gpb;
using ProtoBench.Payloads;
using ProtoBench.Pbn;
using ProtoBench.Running;
using ProtoBench.SlabProtobuf;
using ProtoBuf;

namespace ProtoBench.Benchmarks;

/// <summary>Measures packed lists of numbers: floats, doubles, int32s of random size (one to five bytes) and of one byte, and sint64s of
/// random size (one to ten bytes). Deserialize cells return the message, the others the number of bytes. MeasureSerialize cells compute the
/// size first.</summary>
public class PackedBenchmarks : ISizedCells
{
    byte[] floats = [];
    byte[] doubles = [];
    byte[] int32s = [];
    byte[] smalls = [];
    byte[] sInt64s = [];
    byte[] copy = [];

    // Each message is created when a cell first uses it, so that a process loads only the measured library.
    Gpb.PackedFloats? googleFloat;
    Pbn.PackedFloats? pbnFloat;
    Message<SlabProtobuf.PackedFloats> slabFloat;
    Gpb.PackedDoubles? googleDouble;
    Pbn.PackedDoubles? pbnDouble;
    Message<SlabProtobuf.PackedDoubles> slabDouble;
    Gpb.PackedInt32s? googleInt32;
    Pbn.PackedInt32s? pbnInt32;
    Message<SlabProtobuf.PackedInt32s> slabInt32;
    Gpb.PackedInt32s? googleSmall;
    Pbn.PackedInt32s? pbnSmall;
    Message<SlabProtobuf.PackedInt32s> slabSmall;
    Gpb.PackedSInt64s? googleSInt64;
    Pbn.PackedSInt64s? pbnSInt64;
    Message<SlabProtobuf.PackedSInt64s> slabSInt64;

    [Params(16, 2_000, 1_000_000)]
    public int Elements { get; set; }

    public Sink Sink { get; private set; } = new(1);

    Gpb.PackedFloats GoogleFloat => googleFloat ??= Gpb.PackedFloats.Parser.ParseFrom(floats);
    Pbn.PackedFloats PbnFloat => pbnFloat ??= Serializer.Deserialize<Pbn.PackedFloats>(floats.AsSpan());
    Message<SlabProtobuf.PackedFloats> SlabFloat =>
        slabFloat == default ? slabFloat = Read<SlabProtobuf.PackedFloats>(floats) : slabFloat;

    Gpb.PackedDoubles GoogleDouble => googleDouble ??= Gpb.PackedDoubles.Parser.ParseFrom(doubles);
    Pbn.PackedDoubles PbnDouble => pbnDouble ??= Serializer.Deserialize<Pbn.PackedDoubles>(doubles.AsSpan());
    Message<SlabProtobuf.PackedDoubles> SlabDouble =>
        slabDouble == default ? slabDouble = Read<SlabProtobuf.PackedDoubles>(doubles) : slabDouble;

    Gpb.PackedInt32s GoogleInt32 => googleInt32 ??= Gpb.PackedInt32s.Parser.ParseFrom(int32s);
    Pbn.PackedInt32s PbnInt32 => pbnInt32 ??= Serializer.Deserialize<Pbn.PackedInt32s>(int32s.AsSpan());
    Message<SlabProtobuf.PackedInt32s> SlabInt32 =>
        slabInt32 == default ? slabInt32 = Read<SlabProtobuf.PackedInt32s>(int32s) : slabInt32;

    Gpb.PackedInt32s GoogleSmall => googleSmall ??= Gpb.PackedInt32s.Parser.ParseFrom(smalls);
    Pbn.PackedInt32s PbnSmall => pbnSmall ??= Serializer.Deserialize<Pbn.PackedInt32s>(smalls.AsSpan());
    Message<SlabProtobuf.PackedInt32s> SlabSmall =>
        slabSmall == default ? slabSmall = Read<SlabProtobuf.PackedInt32s>(smalls) : slabSmall;

    Gpb.PackedSInt64s GoogleSInt64 => googleSInt64 ??= Gpb.PackedSInt64s.Parser.ParseFrom(sInt64s);
    Pbn.PackedSInt64s PbnSInt64 => pbnSInt64 ??= Serializer.Deserialize<Pbn.PackedSInt64s>(sInt64s.AsSpan());
    Message<SlabProtobuf.PackedSInt64s> SlabSInt64 =>
        slabSInt64 == default ? slabSInt64 = Read<SlabProtobuf.PackedSInt64s>(sInt64s) : slabSInt64;

    public long WireBytes(string cell) => Message(cell).Length;

    /// <summary>Returns the message of a cell, as wire bytes.</summary>
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

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializePackedFloat")]
    public Gpb.PackedFloats DeserializePackedFloatGoogle() => Gpb.PackedFloats.Parser.ParseFrom(floats);
    [Benchmark, BenchmarkCategory("DeserializePackedFloat")]
    public Pbn.PackedFloats DeserializePackedFloatPBN() => Serializer.Deserialize<Pbn.PackedFloats>(floats.AsSpan());
    [Benchmark, BenchmarkCategory("DeserializePackedFloat")]
    public Message<SlabProtobuf.PackedFloats> DeserializePackedFloatSlab()
    {
        slabFloat.Dispose();
        slabFloat = SlabProtobuf.PackedFloats.Rent();
        slabFloat.Parse(floats);
        return slabFloat;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedFloat")]
    public Message<SlabProtobuf.PackedFloats> DeserializePackedFloatSlab_Alias()
    {
        slabFloat.Dispose();
        slabFloat = SlabProtobuf.PackedFloats.Rent();
        slabFloat.ParseAlias(floats);
        return slabFloat;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedFloat")] public long DeserializePackedFloatFloor_Copy() => Copy(floats);

    [Benchmark(Baseline = true), BenchmarkCategory("SerializePackedFloat")]
    public long SerializePackedFloatGoogle() { var to = Sink.BW; GoogleFloat.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedFloat")]
    public long SerializePackedFloatPBN() { var to = Sink.BW; Serializer.Serialize(to, PbnFloat); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedFloat")]
    public long SerializePackedFloatSlab() { var to = Sink.BW; SlabFloat.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedFloat")] public long SerializePackedFloatFloor_Copy() => Copy(floats);

    [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerializePackedFloat")]
    public long MeasureSerializePackedFloatGoogle() => GoogleHive.MeasureSerialize(GoogleFloat, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedFloat")]
    public long MeasureSerializePackedFloatPBN() => ProtobufNetHive.MeasureSerialize(PbnFloat, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedFloat")]
    public long MeasureSerializePackedFloatSlab() => SlabHive.MeasureSerialize(SlabFloat, Sink.BW);

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializePackedDouble")]
    public Gpb.PackedDoubles DeserializePackedDoubleGoogle() => Gpb.PackedDoubles.Parser.ParseFrom(doubles);
    [Benchmark, BenchmarkCategory("DeserializePackedDouble")]
    public Pbn.PackedDoubles DeserializePackedDoublePBN() => Serializer.Deserialize<Pbn.PackedDoubles>(doubles.AsSpan());
    [Benchmark, BenchmarkCategory("DeserializePackedDouble")]
    public Message<SlabProtobuf.PackedDoubles> DeserializePackedDoubleSlab()
    {
        slabDouble.Dispose();
        slabDouble = SlabProtobuf.PackedDoubles.Rent();
        slabDouble.Parse(doubles);
        return slabDouble;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedDouble")]
    public Message<SlabProtobuf.PackedDoubles> DeserializePackedDoubleSlab_Alias()
    {
        slabDouble.Dispose();
        slabDouble = SlabProtobuf.PackedDoubles.Rent();
        slabDouble.ParseAlias(doubles);
        return slabDouble;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedDouble")] public long DeserializePackedDoubleFloor_Copy() => Copy(doubles);

    [Benchmark(Baseline = true), BenchmarkCategory("SerializePackedDouble")]
    public long SerializePackedDoubleGoogle() { var to = Sink.BW; GoogleDouble.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedDouble")]
    public long SerializePackedDoublePBN() { var to = Sink.BW; Serializer.Serialize(to, PbnDouble); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedDouble")]
    public long SerializePackedDoubleSlab() { var to = Sink.BW; SlabDouble.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedDouble")] public long SerializePackedDoubleFloor_Copy() => Copy(doubles);

    [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerializePackedDouble")]
    public long MeasureSerializePackedDoubleGoogle() => GoogleHive.MeasureSerialize(GoogleDouble, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedDouble")]
    public long MeasureSerializePackedDoublePBN() => ProtobufNetHive.MeasureSerialize(PbnDouble, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedDouble")]
    public long MeasureSerializePackedDoubleSlab() => SlabHive.MeasureSerialize(SlabDouble, Sink.BW);

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializePackedInt32")]
    public Gpb.PackedInt32s DeserializePackedInt32Google() => Gpb.PackedInt32s.Parser.ParseFrom(int32s);
    [Benchmark, BenchmarkCategory("DeserializePackedInt32")]
    public Pbn.PackedInt32s DeserializePackedInt32PBN() => Serializer.Deserialize<Pbn.PackedInt32s>(int32s.AsSpan());
    [Benchmark, BenchmarkCategory("DeserializePackedInt32")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedInt32Slab()
    {
        slabInt32.Dispose();
        slabInt32 = SlabProtobuf.PackedInt32s.Rent();
        slabInt32.Parse(int32s);
        return slabInt32;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedInt32")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedInt32Slab_Alias()
    {
        slabInt32.Dispose();
        slabInt32 = SlabProtobuf.PackedInt32s.Rent();
        slabInt32.ParseAlias(int32s);
        return slabInt32;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedInt32")] public long DeserializePackedInt32Floor_Copy() => Copy(int32s);

    [Benchmark(Baseline = true), BenchmarkCategory("SerializePackedInt32")]
    public long SerializePackedInt32Google() { var to = Sink.BW; GoogleInt32.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedInt32")]
    public long SerializePackedInt32PBN() { var to = Sink.BW; Serializer.Serialize(to, PbnInt32); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedInt32")]
    public long SerializePackedInt32Slab() { var to = Sink.BW; SlabInt32.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedInt32")] public long SerializePackedInt32Floor_Copy() => Copy(int32s);

    [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerializePackedInt32")]
    public long MeasureSerializePackedInt32Google() => GoogleHive.MeasureSerialize(GoogleInt32, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedInt32")]
    public long MeasureSerializePackedInt32PBN() => ProtobufNetHive.MeasureSerialize(PbnInt32, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedInt32")]
    public long MeasureSerializePackedInt32Slab() => SlabHive.MeasureSerialize(SlabInt32, Sink.BW);

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializePackedSmall")]
    public Gpb.PackedInt32s DeserializePackedSmallGoogle() => Gpb.PackedInt32s.Parser.ParseFrom(smalls);
    [Benchmark, BenchmarkCategory("DeserializePackedSmall")]
    public Pbn.PackedInt32s DeserializePackedSmallPBN() => Serializer.Deserialize<Pbn.PackedInt32s>(smalls.AsSpan());
    [Benchmark, BenchmarkCategory("DeserializePackedSmall")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedSmallSlab()
    {
        slabSmall.Dispose();
        slabSmall = SlabProtobuf.PackedInt32s.Rent();
        slabSmall.Parse(smalls);
        return slabSmall;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSmall")]
    public Message<SlabProtobuf.PackedInt32s> DeserializePackedSmallSlab_Alias()
    {
        slabSmall.Dispose();
        slabSmall = SlabProtobuf.PackedInt32s.Rent();
        slabSmall.ParseAlias(smalls);
        return slabSmall;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSmall")] public long DeserializePackedSmallFloor_Copy() => Copy(smalls);

    [Benchmark(Baseline = true), BenchmarkCategory("SerializePackedSmall")]
    public long SerializePackedSmallGoogle() { var to = Sink.BW; GoogleSmall.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSmall")]
    public long SerializePackedSmallPBN() { var to = Sink.BW; Serializer.Serialize(to, PbnSmall); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSmall")]
    public long SerializePackedSmallSlab() { var to = Sink.BW; SlabSmall.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSmall")] public long SerializePackedSmallFloor_Copy() => Copy(smalls);

    [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerializePackedSmall")]
    public long MeasureSerializePackedSmallGoogle() => GoogleHive.MeasureSerialize(GoogleSmall, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedSmall")]
    public long MeasureSerializePackedSmallPBN() => ProtobufNetHive.MeasureSerialize(PbnSmall, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedSmall")]
    public long MeasureSerializePackedSmallSlab() => SlabHive.MeasureSerialize(SlabSmall, Sink.BW);

    [Benchmark(Baseline = true), BenchmarkCategory("DeserializePackedSInt64")]
    public Gpb.PackedSInt64s DeserializePackedSInt64Google() => Gpb.PackedSInt64s.Parser.ParseFrom(sInt64s);
    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")]
    public Pbn.PackedSInt64s DeserializePackedSInt64PBN() => Serializer.Deserialize<Pbn.PackedSInt64s>(sInt64s.AsSpan());
    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")]
    public Message<SlabProtobuf.PackedSInt64s> DeserializePackedSInt64Slab()
    {
        slabSInt64.Dispose();
        slabSInt64 = SlabProtobuf.PackedSInt64s.Rent();
        slabSInt64.Parse(sInt64s);
        return slabSInt64;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")]
    public Message<SlabProtobuf.PackedSInt64s> DeserializePackedSInt64Slab_Alias()
    {
        slabSInt64.Dispose();
        slabSInt64 = SlabProtobuf.PackedSInt64s.Rent();
        slabSInt64.ParseAlias(sInt64s);
        return slabSInt64;
    }

    [Benchmark, BenchmarkCategory("DeserializePackedSInt64")] public long DeserializePackedSInt64Floor_Copy() => Copy(sInt64s);

    [Benchmark(Baseline = true), BenchmarkCategory("SerializePackedSInt64")]
    public long SerializePackedSInt64Google() { var to = Sink.BW; GoogleSInt64.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSInt64")]
    public long SerializePackedSInt64PBN() { var to = Sink.BW; Serializer.Serialize(to, PbnSInt64); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSInt64")]
    public long SerializePackedSInt64Slab() { var to = Sink.BW; SlabSInt64.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("SerializePackedSInt64")] public long SerializePackedSInt64Floor_Copy() => Copy(sInt64s);

    [Benchmark(Baseline = true), BenchmarkCategory("MeasureSerializePackedSInt64")]
    public long MeasureSerializePackedSInt64Google() => GoogleHive.MeasureSerialize(GoogleSInt64, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedSInt64")]
    public long MeasureSerializePackedSInt64PBN() => ProtobufNetHive.MeasureSerialize(PbnSInt64, Sink.BW);
    [Benchmark, BenchmarkCategory("MeasureSerializePackedSInt64")]
    public long MeasureSerializePackedSInt64Slab() => SlabHive.MeasureSerialize(SlabSInt64, Sink.BW);

    long Copy(byte[] wire)
    {
        wire.CopyTo(copy, 0);
        return wire.Length;
    }

    static Message<T> Read<T>(byte[] wire)
        where T : struct, ISlabMessage<T>
    {
        var message = Message<T>.Rent();
        message.Parse(wire);
        return message;
    }
}

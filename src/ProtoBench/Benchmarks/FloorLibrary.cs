using BenchmarkDotNet.Attributes;
using Google.Protobuf;
using PolyType;
using ProtoBench.Codec;
using ProtoBench.DataSets;
using ProtoBench.Floors;

namespace ProtoBench.Benchmarks;

/// <summary>Registers the lower bounds: a copy of the payload, and one pass over its tags and lengths. Those of a data set are a reader
/// and a writer of its schema that are written by hand.</summary>
static class FloorLibrary
{
    public static MeasuredLibrary Entry { get; } = new("Floor", "lower bound", Order: 100) { Buffers = ["Copy", "Walk"] };
}

public partial class SerializeBenchmarks
{
    [Benchmark] public long SerializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);

    [Benchmark] public long SerializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);

    [Benchmark] public long SerializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

public partial class DeserializeBenchmarks
{
    [Benchmark] public long DeserializeRequestFloor_Copy() => Floor.Copy(Wire.Request.BA);
    [Benchmark] public long DeserializeRequestFloor_Walk() => Floor.WalkRequest(Wire.Request.BA);

    [Benchmark] public long DeserializeResponseFloor_Copy() => Floor.Copy(Wire.Response.BA);
    [Benchmark] public long DeserializeResponseFloor_Walk() => Floor.WalkResponse(Wire.Response.BA);

    [Benchmark] public long DeserializeMixedFloor_Copy() => Floor.Copy(Wire.Mixed.BA);
}

/// <summary>It has a reader of its own without the work of a decoder: the order of the fields is hard-coded, and only tags are checked.
/// HiveWalk, which the memory strategies share, accepts fields in any order. WireReader belongs to the slab codec, which is compared
/// with these bounds.</summary>
static class Floor
{
    // Pinned and old, like the slab of a decoder. Copying into new memory would cause page faults, which a slab does not have.
    static readonly byte[] slab = GC.AllocateUninitializedArray<byte>(1 << 20, pinned: true);

    public static ReadOnlySpan<byte> Slab => slab;

    /// <summary>Copies the payload, as every decoder does that does not alias its input.</summary>
    public static long Copy(ReadOnlySpan<byte> payload)
    {
        payload.CopyTo(slab);
        return payload.Length;
    }

    /// <summary>The order of the fields is hard-coded: traceId, then items of (itemId, itemContext), then requestContextInfo.</summary>
    public static long WalkRequest(ReadOnlySpan<byte> payload)
    {
        var at = 0;
        long sum = Leaf(payload, ref at, 0x0A);
        while (payload[at] == 0x12)
        {
            at++;
            var end = Length(payload, ref at) + at;
            sum += Leaf(payload, ref at, 0x0A) + Leaf(payload, ref at, 0x12);
            if (at != end)
                throw new InvalidDataException($"an item ends at {at}, not at {end}");
        }

        return sum + Leaf(payload, ref at, 0x1A);
    }

    public static long WalkResponse(ReadOnlySpan<byte> payload)
    {
        var at = 0;
        long sum = 0;
        while (payload[at] == 0x0A)
        {
            at++;
            var end = Length(payload, ref at) + at;
            Expect(payload, at, 0x0D);
            at += 1 + sizeof(float);
            sum += Leaf(payload, ref at, 0x12);
            if (at != end)
                throw new InvalidDataException($"an item ends at {at}, not at {end}");
        }

        Expect(payload, at, 0x10);
        return sum;
    }

    static int Leaf(ReadOnlySpan<byte> payload, ref int at, byte tag)
    {
        Expect(payload, at++, tag);
        var length = Length(payload, ref at);
        at += length;
        return length;
    }

    static int Length(ReadOnlySpan<byte> payload, ref int at)
    {
        int b = payload[at++];
        var length = b & 0x7F;
        for (var shift = 7; b >= 0x80; shift += 7)
        {
            b = payload[at++];
            length |= (b & 0x7F) << shift;
        }

        return length;
    }

    static void Expect(ReadOnlySpan<byte> payload, int at, byte tag)
    {
        if (payload[at] != tag)
            throw new InvalidDataException($"expected tag 0x{tag:X2} at {at}, found 0x{payload[at]:X2}");
    }
}

public partial class PackedBenchmarks
{
    [Benchmark] public long DeserializePackedFloatFloor_Copy() => Copy(floats);
    [Benchmark] public long SerializePackedFloatFloor_Copy() => Copy(floats);
    [Benchmark] public long DeserializePackedDoubleFloor_Copy() => Copy(doubles);
    [Benchmark] public long SerializePackedDoubleFloor_Copy() => Copy(doubles);
    [Benchmark] public long DeserializePackedInt32Floor_Copy() => Copy(int32s);
    [Benchmark] public long SerializePackedInt32Floor_Copy() => Copy(int32s);
    [Benchmark] public long DeserializePackedSmallFloor_Copy() => Copy(smalls);
    [Benchmark] public long SerializePackedSmallFloor_Copy() => Copy(smalls);
    [Benchmark] public long DeserializePackedSInt64Floor_Copy() => Copy(sInt64s);
    [Benchmark] public long SerializePackedSInt64Floor_Copy() => Copy(sInt64s);

    long Copy(byte[] wire)
    {
        wire.CopyTo(copy, 0);
        return wire.Length;
    }
}

/// <summary>The cells of a data set, and its lower bounds. No other message has such a reader.</summary>
public abstract class FlooredSetBenchmarks<TSet, TGoogle, TSlab, TPlain, TFloor>
    : DataSetBenchmarks<TSet, TGoogle, TSlab, TPlain>
    where TSet : struct, IDataSet<TGoogle, TSlab, TPlain>
    where TGoogle : class, IMessage<TGoogle>, new()
    where TSlab : struct, ISlabMessage<TSlab>
    where TPlain : class, IShapeable<TPlain>
    where TFloor : SetFloor, new()
{
    // made by the cells that need it, because it has the memory of a whole data set
    TFloor Floor => field ??= new();

    TFloor Read => field ??= Parsed();

    [Benchmark, BenchmarkCategory("SerializeSet")]
    public long SerializeSetFloor() { var to = To; Read.WriteTo(to); return to.WrittenCount; }
    [Benchmark, BenchmarkCategory("DeserializeSet")]
    public SetFloor DeserializeSetFloor() { Floor.Parse(Wire); return Floor; }
    [Benchmark, BenchmarkCategory("DeserializeTouchSet")]
    public long DeserializeTouchSetFloor() { Floor.Parse(Wire); return Floor.Touch(); }

    TFloor Parsed()
    {
        Floor.Parse(Wire);
        return Floor;
    }
}

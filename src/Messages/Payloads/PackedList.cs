using System.Buffers;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Payloads;

[SuppressMessage("Naming", "CA1720", Justification = "the names of protobuf's types")]
public enum PackedElement
{
    Float,

    Double,

    /// <summary>Values of the type int32 with one to five bytes, with equal frequencies.</summary>
    Int32,

    /// <summary>Values of the type int32 with one byte.</summary>
    Small,

    /// <summary>Values of the type sint64 with one to ten bytes, with equal frequencies.</summary>
    SInt64,
}

public static class PackedList
{
    const int seed = 27;

    public static byte[] Message(PackedElement element, int count)
    {
        var random = new Random(seed);
        var body = new ArrayBufferWriter<byte>();
        for (var i = 0; i < count; i++)
        {
            switch (element)
            {
                case PackedElement.Float:
                    BinaryPrimitives.WriteSingleLittleEndian(body.GetSpan(sizeof(float)), random.NextSingle());
                    body.Advance(sizeof(float));
                    break;
                case PackedElement.Double:
                    BinaryPrimitives.WriteDoubleLittleEndian(body.GetSpan(sizeof(double)), random.NextDouble());
                    body.Advance(sizeof(double));
                    break;
                case PackedElement.Int32:
                    Varint(body, OfBytes(random, random.Next(1, 6)));
                    break;
                case PackedElement.Small:
                    Varint(body, (ulong)random.Next(0x80));
                    break;
                default:
                    Varint(body, OfBytes(random, random.Next(1, 11)));
                    break;
            }
        }

        return new WireBytes().Bytes(1, body.WrittenSpan).ToArray();
    }

    static ulong OfBytes(Random random, int bytes)
    {
        if (bytes == 10) return (ulong)random.NextInt64() | (1ul << 63);
        var least = bytes == 1 ? 0 : 1L << (7 * (bytes - 1));
        return (ulong)random.NextInt64(least, bytes == 9 ? long.MaxValue : 1L << (bytes == 5 ? 31 : 7 * bytes));
    }

    static void Varint(ArrayBufferWriter<byte> body, ulong value)
    {
        for (; value >= 0x80; value >>= 7) body.Write([(byte)(value | 0x80)]);
        body.Write([(byte)value]);
    }
}

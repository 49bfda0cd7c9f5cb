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
        var body = new WireBytes();
        for (var i = 0; i < count; i++)
        {
            switch (element)
            {
                case PackedElement.Float:
                    body.Raw(BitConverter.SingleToUInt32Bits(random.NextSingle()));
                    break;
                case PackedElement.Double:
                    body.Raw(BitConverter.DoubleToUInt64Bits(random.NextDouble()));
                    break;
                case PackedElement.Int32:
                    body.RawVarint(OfBytes(random, random.Next(1, 6)));
                    break;
                case PackedElement.Small:
                    body.RawVarint((ulong)random.Next(0x80));
                    break;
                default:
                    body.RawVarint(OfBytes(random, random.Next(1, 11)));
                    break;
            }
        }

        return new WireBytes().Message(1, body).ToArray();
    }

    static ulong OfBytes(Random random, int bytes)
    {
        if (bytes == 10) return (ulong)random.NextInt64() | (1ul << 63);
        var least = bytes == 1 ? 0 : 1L << (7 * (bytes - 1));
        return (ulong)random.NextInt64(least, bytes == 9 ? long.MaxValue : 1L << (bytes == 5 ? 31 : 7 * bytes));
    }
}

using System.Buffers;
using System.Buffers.Binary;
using System.Text;
using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Gpb;

namespace ProtoBench.Benchmarks;

/// <summary>Writes and reads messages with gRPC's prefix: a zero byte (not compressed) and the length as four bytes, big-endian.</summary>
static class Frame
{
    public const int PrefixSize = sizeof(byte) + sizeof(int);

    /// <summary>Writes with Google's ToByteArray and a BinaryWriter, which copies the payload twice.</summary>
    public static long WriteByteArray(Echo message, Stream to)
    {
        using var writer = new BinaryWriter(to, Encoding.UTF8, leaveOpen: true);
        var payload = message.ToByteArray();
        writer.Write((byte)0);
        writer.Write(BinaryPrimitives.ReverseEndianness(payload.Length));
        writer.Write(payload);
        writer.Flush();
        return to.Length;
    }

    /// <summary>Writes to the writer's span, which copies the payload once.</summary>
    public static long WriteDirect(Echo message, ArrayBufferWriter<byte> to)
    {
        var size = message.CalculateSize();
        var room = to.GetSpan(PrefixSize + size)[..(PrefixSize + size)];
        WritePrefix(room, size);
        message.WriteTo(room[PrefixSize..]);
        to.Advance(room.Length);
        return to.WrittenCount;
    }

    public static long WriteSlab(Message<SlabProtobuf.Echo> message, ArrayBufferWriter<byte> to)
    {
        var size = message.CalculateSize();
        var room = to.GetSpan(PrefixSize + size)[..(PrefixSize + size)];
        WritePrefix(room, size);
        message.WriteTo(room[PrefixSize..]);
        to.Advance(room.Length);
        return to.WrittenCount;
    }

    public static void WritePrefix(Span<byte> room, int size)
    {
        room[0] = 0;
        BinaryPrimitives.WriteInt32BigEndian(room[1..], size);
    }
}

public sealed record FrameSize(string Text, int Body)
{
    // the tag of the field; the size of its length varies
    const int tagSize = 1;

    public int FrameBytes => Frame.PrefixSize + tagSize + CodedOutputStream.ComputeLengthSize(Body) + Body;

    public static FrameSize OfBody(int body, string text) => new(text, body);

    /// <summary>Creates the size of a frame of 2^<paramref name="power"/> - <paramref name="less"/> bytes.</summary>
    public static FrameSize OfFrame(int power, int less = 0)
    {
        var frame = (1 << power) - less;
        for (var body = frame; body > 0; body--)
        {
            var size = new FrameSize($"2^{power}{(less == 0 ? "" : $"-{less}")} in all", body);
            if (size.FrameBytes == frame)
                return size;
        }

        throw new ArgumentOutOfRangeException(nameof(power), power, "no body makes a frame of this size");
    }

    public Echo Message()
    {
        var body = new byte[Body];
        for (var i = 0; i < body.Length; i++)
            body[i] = (byte)((i * 31) + 7);
        return new() { Body = ByteString.CopyFrom(body) };
    }

    public override string ToString() => Text;
}

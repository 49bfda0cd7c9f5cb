using Google.Protobuf;
using ProtoBench.Gpb;

namespace ProtoBench.Framing;

/// <summary>The size of a framed message: so many bytes of body, or so many bytes in all.</summary>
public sealed record FrameSize(string Text, int Body)
{
    // the field's tag; its length takes what it takes
    const int tagSize = 1;

    /// <summary>Bytes of the whole frame.</summary>
    public int FrameBytes => Frame.PrefixSize + tagSize + CodedOutputStream.ComputeLengthSize(Body) + Body;

    /// <summary>A body of so many bytes.</summary>
    public static FrameSize OfBody(int body, string text) => new(text, body);

    /// <summary>A frame of 2^<paramref name="power"/> bytes in all, less <paramref name="less"/>.</summary>
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

    /// <summary>A message with such a body: bytes that no two neighbours share.</summary>
    public Echo Message()
    {
        var body = new byte[Body];
        for (var i = 0; i < body.Length; i++)
            body[i] = (byte)((i * 31) + 7);
        return new() { Body = ByteString.CopyFrom(body) };
    }

    public override string ToString() => Text;
}

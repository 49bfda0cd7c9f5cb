using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.Schema;

/// <summary>Writes into a span that has room for the most that the message may take.</summary>
ref struct SchemaWriter(Span<byte> room)
{
    /// <summary>The most bytes of a count.</summary>
    public const int MaxVarint = 5;

    const int bytesPerChar = 3; // a pair of surrogates is two chars and four bytes

    readonly Span<byte> room = room;

    /// <summary>Bytes written so far.</summary>
    public int Written { get; private set; }

    /// <summary>The most bytes that a string may take.</summary>
    public static int MaxString(string text) => checked(MaxVarint + (text.Length * bytesPerChar));

    public void WriteInt32(int value)
    {
        BinaryPrimitives.WriteInt32LittleEndian(room[Written..], value);
        Written += sizeof(int);
    }

    public void WriteCount(int value)
    {
        var left = (uint)value;
        for (; left >= 0x80; left >>= 7)
            room[Written++] = (byte)(left | 0x80);
        room[Written++] = (byte)left;
    }

    public void WriteString(string text)
    {
        // Most strings are short: then the length takes one byte whatever the letters are, and the text is encoded once, in place.
        if (text.Length * bytesPerChar < 0x80)
        {
            var bytes = Encoding.UTF8.GetBytes(text, room[(Written + 1)..]);
            room[Written] = (byte)bytes;
            Written += 1 + bytes;
            return;
        }

        WriteCount(Encoding.UTF8.GetByteCount(text));
        Written += Encoding.UTF8.GetBytes(text, room[Written..]);
    }
}

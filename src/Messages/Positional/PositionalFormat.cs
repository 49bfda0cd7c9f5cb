using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.Positional;

/// <summary>The input is not trusted: no allocation depends on a length before the input is checked for it.</summary>
ref struct PositionalReader(ReadOnlySpan<byte> input)
{
    static readonly UTF8Encoding strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    readonly ReadOnlySpan<byte> input = input;
    int at;

    public int ReadInt32()
    {
        if (input.Length - at < sizeof(int))
            throw Damaged("the end is inside a number");
        var value = BinaryPrimitives.ReadInt32LittleEndian(input[at..]);
        at += sizeof(int);
        return value;
    }

    /// <summary>Reads a number of elements, each with at least <paramref name="least"/> bytes.</summary>
    public int ReadCount(int least)
    {
        if (at < input.Length && input[at] < 0x80 && input[at] * least <= input.Length - at - 1)
            return input[at++];
        var start = at;
        var value = 0UL;
        for (var shift = 0; ; shift += 7)
        {
            if (at == input.Length)
                throw Damaged("the end is inside a length");
            if (shift == PositionalWriter.MaxVarint * 7)
                throw Damaged("a length of more than five bytes");
            var b = input[at++];
            value |= (ulong)(b & 0x7F) << shift;
            if (b < 0x80)
                break;
        }

        if (value * (ulong)least > (ulong)(input.Length - at))
        {
            at = start;
            throw Damaged($"a length of {value} where {input.Length - at} bytes are left");
        }

        return (int)value;
    }

    public string ReadString()
    {
        var length = ReadCount(1);
        try
        {
            var text = strict.GetString(input.Slice(at, length));
            at += length;
            return text;
        }
        catch (DecoderFallbackException e)
        {
            throw Damaged("text that is not UTF-8: " + e.Message);
        }
    }

    public readonly void ExpectEnd()
    {
        if (at != input.Length)
            throw Damaged($"{input.Length - at} bytes follow the message");
    }

    readonly InvalidDataException Damaged(string why) => new($"at byte {at}: {why}");
}

/// <summary>Writes to a span with enough space for the largest size of the message.</summary>
ref struct PositionalWriter(Span<byte> room)
{
    public const int MaxVarint = 5;

    const int bytesPerChar = 3; // a pair of surrogates is two chars and four bytes

    readonly Span<byte> room = room;

    public int Written { get; private set; }

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
        // Most strings are so short that the length has one byte in any case. The text is then encoded once, in place.
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

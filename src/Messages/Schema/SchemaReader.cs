using System.Buffers.Binary;
using System.Text;

namespace ProtoBench.Schema;

/// <summary>Reads what <see cref="SchemaWriter"/> writes. The input is hostile until
/// checked: nothing is allocated from a length that the input does not hold.</summary>
ref struct SchemaReader(ReadOnlySpan<byte> input)
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

    /// <summary>A count of things of which each takes at least <paramref name="least"/> bytes.</summary>
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
            if (shift == SchemaWriter.MaxVarint * 7)
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

using System.Text;
using System.Text.Unicode;

namespace ProtoBench.Codec.Reflection;

/// <summary>Reads the fields of a serialized descriptor, one after the other. A fault of the input is a
/// <see cref="FormatException"/>, to which the caller adds the name of the file.</summary>
ref struct DescriptorWire(ReadOnlySpan<byte> message)
{
    /// <summary>The maximum number of messages or groups inside of each other.</summary>
    public const int MaxDepth = 100;

    const uint varint = 0, fixed64 = 1, lengthDelimited = 2, startGroup = 3, endGroup = 4, fixed32 = 5;

    readonly ReadOnlySpan<byte> message = message;

    /// <summary>The number and the wire type of the field.</summary>
    public uint Tag { get; private set; }

    /// <summary>The value of a varint.</summary>
    public ulong Varint { get; private set; }

    /// <summary>The value of a field that has a length.</summary>
    public ReadOnlySpan<byte> Bytes { get; private set; }

    /// <summary>The number of bytes that were read.</summary>
    public int Position { get; private set; }

    public readonly int Int32 => (int)Varint;

    public readonly bool Bool => Varint != 0;

    /// <summary>The value of an enum of which only small numbers are known; 0 for any other number.</summary>
    public readonly byte SmallEnum => Varint <= byte.MaxValue ? (byte)Varint : (byte)0;

    public readonly string Text =>
        Utf8.IsValid(Bytes) ? Encoding.UTF8.GetString(Bytes) : throw new FormatException("A text is not UTF-8.");

    /// <summary>Reads the next field. Returns false at the end.</summary>
    public bool Next()
    {
        if (Position == message.Length) return false;
        Tag = ReadTag();
        Skip(Tag, 0);
        return true;
    }

    void Skip(uint tag, int depth)
    {
        switch (tag & 7)
        {
            case varint:
                Varint = ReadVarint();
                break;
            case fixed64:
                Take(sizeof(ulong));
                break;
            case lengthDelimited:
                Bytes = Take(ReadVarint());
                break;
            case startGroup:
                SkipGroup(tag + (endGroup - startGroup), depth + 1);
                break;
            case fixed32:
                Take(sizeof(uint));
                break;
            default:
                throw new FormatException("A tag is not valid.");
        }
    }

    void SkipGroup(uint end, int depth)
    {
        if (depth > MaxDepth) throw new FormatException($"More than {MaxDepth} groups are inside of each other.");
        while (ReadTag() is var tag && tag != end) Skip(tag, depth);
    }

    uint ReadTag()
    {
        var tag = ReadVarint();
        return tag is >= 8 and <= uint.MaxValue ? (uint)tag : throw new FormatException("A tag is not valid.");
    }

    ulong ReadVarint()
    {
        var value = 0ul;
        for (var shift = 0; shift < 64; shift += 7)
        {
            if (Position == message.Length) throw Truncated();
            var one = message[Position++];
            value |= (ulong)(one & 0x7F) << shift;
            if (one < 0x80) return value;
        }

        throw new FormatException("A varint has more than 10 bytes.");
    }

    ReadOnlySpan<byte> Take(ulong length)
    {
        if (length > (ulong)(message.Length - Position)) throw Truncated();
        var value = message.Slice(Position, (int)length);
        Position += (int)length;
        return value;
    }

    static FormatException Truncated() => new("The bytes end in the middle of a field.");
}

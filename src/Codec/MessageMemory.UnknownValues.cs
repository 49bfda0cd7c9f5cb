namespace ProtoBench.Codec;

// Fields that are unknown although their number is known.
public sealed partial class MessageMemory
{
    const int longestTag = 5;
    const int longestVarint = 10;

    /// <summary>Stores a field as it stands on the wire: a value that a closed enum does not have.</summary>
    /// <param name="tag">The tag of the field, not packed.</param>
    /// <param name="value">The number.</param>
    /// <inheritdoc cref="Store" path="/exception"/>
    public ByteRange StoreVarintField(uint tag, int value)
    {
        Span<byte> field = stackalloc byte[longestTag + longestVarint];
        var length = PutVarint(field, tag);
        length += PutVarint(field[length..], (ulong)value);
        return Store(field[..length]);
    }

    /// <summary>Stores a field as it stands on the wire: a map's entry whose value a closed enum does not have.</summary>
    /// <param name="tag">The tag of the map.</param>
    /// <param name="body">The entry.</param>
    /// <inheritdoc cref="Store" path="/exception"/>
    public ByteRange StoreLengthDelimitedField(uint tag, ByteRange body)
    {
        Span<byte> head = stackalloc byte[longestTag + longestVarint];
        var length = PutVarint(head, tag);
        length += PutVarint(head[length..], (uint)body.Length);
        var room = Reserve(length + body.Length, out var range);
        head[..length].CopyTo(room);
        Span(body).CopyTo(room[length..]);
        return range;
    }

    static int PutVarint(Span<byte> target, ulong value)
    {
        var length = 0;
        for (; value >= 0x80; value >>= 7) target[length++] = (byte)(value | 0x80);
        target[length++] = (byte)value;
        return length;
    }
}

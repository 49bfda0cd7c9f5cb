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

    static int PutVarint(Span<byte> target, ulong value)
    {
        var length = 0;
        for (; value >= 0x80; value >>= 7) target[length++] = (byte)(value | 0x80);
        target[length++] = (byte)value;
        return length;
    }
}

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>Writes pieces of messages, right ones and wrong ones, without any library.</summary>
static class Wire
{
    public static byte[] Varint(ulong value)
    {
        var bytes = new List<byte>();
        for (; value >= 0x80; value >>= 7) bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
        return [.. bytes];
    }

    public static byte[] Tag(int number, int wireType) => Varint(((ulong)(uint)number << 3) | (uint)wireType);

    public static byte[] Field(int number, int wireType, params byte[] value) => [.. Tag(number, wireType), .. value];

    public static byte[] Delimited(int number, params IEnumerable<byte[]> parts)
    {
        var body = parts.SelectMany(part => part).ToArray();
        return [.. Tag(number, 2), .. Varint((ulong)body.Length), .. body];
    }

    public static byte[] Group(int number, params IEnumerable<byte[]> parts) =>
        [.. Tag(number, 3), .. parts.SelectMany(part => part), .. Tag(number, 4)];

    /// <summary>A value of each wire type that a field may have although its type has another one.</summary>
    public static byte[] Any(int number, int wireType) => wireType switch
    {
        0 => Field(number, 0, 0x96, 0x01),
        1 => Field(number, 1, 1, 2, 3, 4, 5, 6, 7, 8),
        2 => Delimited(number, [0x0B, 0x16, 0x21]),
        3 => Group(number, Field(1, 0, 7), Delimited(2, "x"u8.ToArray())),
        5 => Field(number, 5, 1, 2, 3, 4),
        _ => Tag(number, wireType),
    };

    public static byte[] Join(params IEnumerable<byte[]> parts) => [.. parts.SelectMany(part => part)];
}

namespace ProtoBench.Codec.Generator.Tests.Schemas;

/// <summary>A scalar type: its wire type, and values as they stand on the wire.</summary>
/// <param name="Values">Values; the first one is the default.</param>
sealed record WireScalar(string Name, int WireType, IReadOnlyList<byte[]> Values)
{
    static readonly byte[][] varints =
        [[0], [1], [0x7F], [0x80, 0x01], [0xFF, 0xFF, 0xFF, 0xFF, 0x07], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x80, 0x80, 0x80, 0x80, 0x08]];
    static readonly byte[][] overlong =
        [[0x81, 0], [0x81, 0x80, 0], [0x81, 0x80, 0x80, 0x80, 0x80, 0], [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0],
            [0x80, 0x80, 0x80, 0x80, 0x10]];
    static readonly byte[][] fixed32 = [[0, 0, 0, 0], [1, 2, 3, 4], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0x80, 0x7F], [0, 0, 0xC0, 0x7F]];
    static readonly byte[][] fixed64 =
        [[0, 0, 0, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8], [0, 0, 0, 0, 0, 0, 0xF0, 0x7F], [0, 0, 0, 0, 0, 0, 0xF8, 0xFF]];

    public static IReadOnlyList<WireScalar> All { get; } =
    [
        .. new[] { "int32", "int64", "uint32", "uint64", "sint32", "sint64",
            "bool" }.Select(name => new WireScalar(name, 0, [.. varints, .. overlong])),
        new("Kind", 0, [[0], [1], [2], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], [0x81, 0], [0x82, 0x80, 0x80, 0]]),
        .. new[] { "fixed32", "sfixed32", "float" }.Select(name => new WireScalar(name, 5, fixed32)),
        .. new[] { "fixed64", "sfixed64", "double" }.Select(name => new WireScalar(name, 1, fixed64)),
        new("string", 2,
            [[0], [1, (byte)'x'], [0x82, 0x00, 0xC3, 0xA9], [40, .. Enumerable.Repeat((byte)'y', 40)],
                [0x80, 0x01, .. Enumerable.Repeat((byte)'z', 128)]]),
        new("bytes", 2, [[0], [1, 0xFF], [0x83, 0x80, 0x00, 1, 2, 3]]),
    ];

    public byte[] Other => Values[1];
}

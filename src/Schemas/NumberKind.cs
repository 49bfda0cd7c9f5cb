using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>A value is passed as 64 bits: a signed integer is sign-extended, a float or double is its bits.</summary>
/// <param name="WireType">The wire type of a value that is not packed.</param>
/// <param name="Draw">Draws a value.</param>
/// <param name="IsZigZag">Whether a varint has the sign in its lowest bit.</param>
sealed record NumberKind(int WireType, Func<Random, ulong> Draw, bool IsZigZag = false)
{
    static readonly Dictionary<FieldType, NumberKind> kinds = new()
    {
        [FieldType.Double] = new(1, random => BitConverter.DoubleToUInt64Bits(Math.Round(random.NextDouble() * 1_000_000, 4))),
        [FieldType.Float] = new(5, random => BitConverter.SingleToUInt32Bits((float)Math.Round(random.NextDouble() * 1_000, 2))),
        [FieldType.Int64] = new(0, Varint64),
        [FieldType.Uint64] = new(0, Varint64),
        [FieldType.Int32] = new(0, Varint32),
        [FieldType.Fixed64] = new(1, Fixed64),
        [FieldType.Fixed32] = new(5, Fixed32),
        [FieldType.Uint32] = new(0, Varint32),
        [FieldType.Sfixed32] = new(5, Fixed32),
        [FieldType.Sfixed64] = new(1, Fixed64),
        [FieldType.Sint32] = new(0, Varint32, IsZigZag: true),
        [FieldType.Sint64] = new(0, Varint64, IsZigZag: true),
    };

    /// <summary>Returns the kind of a type. A bool and an enum are on the wire as an int32.</summary>
    public static NumberKind Of(FieldType type) => kinds[type is FieldType.Bool or FieldType.Enum ? FieldType.Int32 : type];

    // Small numbers are as frequent as large ones.
    static ulong Varint64(Random random) => (ulong)(random.NextInt64() >> random.Next(63));

    static ulong Varint32(Random random) => (ulong)(random.Next() >> random.Next(31));

    static ulong Fixed64(Random random) => (ulong)random.NextInt64();

    static ulong Fixed32(Random random) => (uint)random.Next();
}

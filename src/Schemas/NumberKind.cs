using System.Globalization;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>A value is passed as 64 bits: a signed integer is sign-extended, a float or double is its bits.</summary>
/// <param name="WireType">The wire type of a value that is not packed.</param>
/// <param name="Parse">Reads a number in JSON. Throws <see cref="JsonFieldException"/> if the text is no value of this type.</param>
sealed record NumberKind(int WireType, Func<string, ulong> Parse, Func<Random, ulong> Draw, bool IsZigZag = false)
{
    static readonly Dictionary<FieldType, NumberKind> kinds = new()
    {
        [FieldType.Double] = new(1, text => BitConverter.DoubleToUInt64Bits(Double(text)),
            random => BitConverter.DoubleToUInt64Bits(Math.Round(random.NextDouble() * 1_000_000, 4))),
        [FieldType.Float] = new(5, text => BitConverter.SingleToUInt32Bits(Float(text)),
            random => BitConverter.SingleToUInt32Bits((float)Math.Round(random.NextDouble() * 1_000, 2))),
        [FieldType.Int64] = new(0, Integer(long.MinValue, long.MaxValue), Varint64),
        [FieldType.Uint64] = new(0, Integer(ulong.MinValue, ulong.MaxValue), Varint64),
        [FieldType.Int32] = new(0, Integer(int.MinValue, int.MaxValue), Varint32),
        [FieldType.Fixed64] = new(1, Integer(ulong.MinValue, ulong.MaxValue), Fixed64),
        [FieldType.Fixed32] = new(5, Integer(uint.MinValue, uint.MaxValue), Fixed32),
        [FieldType.Uint32] = new(0, Integer(uint.MinValue, uint.MaxValue), Varint32),
        [FieldType.Sfixed32] = new(5, Integer(int.MinValue, int.MaxValue), Fixed32),
        [FieldType.Sfixed64] = new(1, Integer(long.MinValue, long.MaxValue), Fixed64),
        [FieldType.Sint32] = new(0, Integer(int.MinValue, int.MaxValue), Varint32, IsZigZag: true),
        [FieldType.Sint64] = new(0, Integer(long.MinValue, long.MaxValue), Varint64, IsZigZag: true),
    };

    /// <summary>Returns the kind of a type. A bool and an enum are on the wire as an int32.</summary>
    public static NumberKind Of(FieldType type) => kinds[type is FieldType.Bool or FieldType.Enum ? FieldType.Int32 : type];

    // Small numbers are as frequent as large ones.
    static ulong Varint64(Random random) => (ulong)(random.NextInt64() >> random.Next(63));

    static ulong Varint32(Random random) => (ulong)(random.Next() >> random.Next(31));

    static ulong Fixed64(Random random) => (ulong)random.NextInt64();

    static ulong Fixed32(Random random) => (uint)random.Next();

    static double Double(string text) => text switch
    {
        "NaN" => double.CopySign(double.NaN, 1), // the NaN of .NET has the sign bit set, and that of other languages does not
        "Infinity" => double.PositiveInfinity,
        "-Infinity" => double.NegativeInfinity,
        _ => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value)
            ? value
            : throw new JsonFieldException($"{JsonScalar.Shown(text)} is no number of this type"),
    };

    static float Float(string text)
    {
        var value = Double(text);
        return double.IsFinite(value) && !float.IsFinite((float)value)
            ? throw new JsonFieldException($"{JsonScalar.Shown(text)} is beyond the range of a float") : (float)value;
    }

    // 1e3 and 5.0 are also integers in protobuf's JSON. A decimal represents every 64-bit integer exactly.
    static Func<string, ulong> Integer(decimal least, decimal most) => text =>
        decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value == decimal.Truncate(value)
        && value >= least && value <= most
            ? value < 0 ? (ulong)(long)value : (ulong)value
            : throw new JsonFieldException($"{JsonScalar.Shown(text)} is no integer from {least} to {most}");
}

using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Model;

/// <summary>Describes a scalar type in C# and on the wire.</summary>
/// <param name="Stored">The C# type of the stored value; an enum in a repeated field is stored as its number.</param>
/// <param name="Method">The name of the type in the methods of the runtime: Int32 in ReadInt32 and WriteInt32.</param>
/// <param name="WireType">The wire type of a value that is not packed.</param>
/// <param name="MostBytes">The maximum number of bytes that one value takes on the wire. An int32 is sign-extended, a zigzag value is
/// not.</param>
sealed record ScalarKind(string Stored, string Method, uint WireType, int MostBytes)
{
    static readonly Dictionary<Type, ScalarKind> kinds = new()
    {
        [Type.Double] = new("double", "Double", WireTag.Fixed64, 8),
        [Type.Float] = new("float", "Float", WireTag.Fixed32, 4),
        [Type.Int64] = new("long", "Int64", WireTag.Varint, 10),
        [Type.Uint64] = new("ulong", "UInt64", WireTag.Varint, 10),
        [Type.Int32] = new("int", "Int32", WireTag.Varint, 10),
        [Type.Fixed64] = new("ulong", "Fixed64", WireTag.Fixed64, 8),
        [Type.Fixed32] = new("uint", "Fixed32", WireTag.Fixed32, 4),
        [Type.Bool] = new("bool", "Bool", WireTag.Varint, 1),
        [Type.Uint32] = new("uint", "UInt32", WireTag.Varint, 5),
        [Type.Enum] = new("int", "Int32", WireTag.Varint, 10),
        [Type.Sfixed32] = new("int", "SFixed32", WireTag.Fixed32, 4),
        [Type.Sfixed64] = new("long", "SFixed64", WireTag.Fixed64, 8),
        [Type.Sint32] = new("int", "SInt32", WireTag.Varint, 5),
        [Type.Sint64] = new("long", "SInt64", WireTag.Varint, 10),
    };

    public static ScalarKind Of(ProtoField field) => kinds[field.Type];

    /// <summary>Gets the maximum size on the wire of a message of singular numbers without unknown fields.</summary>
    public static int MostBytesOf(ProtoMessage message) =>
        message.Fields.Sum(field => new WireTag(field.Number, Of(field).WireType).Size + Of(field).MostBytes);

    /// <summary>Whether a packed field of this type is a block of numbers of four or eight bytes.</summary>
    public bool HasFixedWidth => WireType != WireTag.Varint;

    /// <summary>The size on the wire; 0 if it depends on the value.</summary>
    int FixedSize => HasFixedWidth || MostBytes == 1 ? MostBytes : 0;

    /// <summary>Gets the expression for the size of one value.</summary>
    public string Size(string value) => FixedSize > 0 ? $"{FixedSize}" : $"runtime::WireSize.{SizeMethod}({value})";

    /// <summary>Gets the expression for the size of consecutive values.</summary>
    public string SizeOfAll(string storage, string range) => FixedSize switch
    {
        0 => $"runtime::WireSize.{SizeMethod}({storage}.Slice({range}))",
        1 => $"{range}.Count",
        _ => $"({range}.Count * {FixedSize}L)",
    };

    /// <summary>Gets the condition that a value differs from zero. The bits are compared, so -0.0 differs.</summary>
    public string IsSet(string value) => Method switch
    {
        "Bool" => value,
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({value}) != 0",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({value}) != 0",
        _ => $"{value} != 0",
    };

    /// <summary>Gets the condition that two values differ. Floats are compared by their bits, as in Google.Protobuf.</summary>
    public string Differs(string one, string other) => Method switch
    {
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({one}) != sys::BitConverter.SingleToUInt32Bits({other})",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({one}) != sys::BitConverter.DoubleToUInt64Bits({other})",
        _ => $"{one} != {other}",
    };

    /// <summary>Converts a span of values to a span that is compared by bits.</summary>
    public string Bits(string span) => Method switch
    {
        "Float" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<float, uint>({span})",
        "Double" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<double, ulong>({span})",
        _ => span,
    };

    /// <summary>Gets the literal of a default value.</summary>
    public string Literal(string text) => (Stored, text) switch
    {
        ("float" or "double", "inf") => Stored + ".PositiveInfinity",
        ("float" or "double", "-inf") => Stored + ".NegativeInfinity",
        ("float" or "double", "nan") => Stored + ".NaN",
        ("float", _) => text + "F",
        ("double", _) => text + "D",
        ("long", "-9223372036854775808") or ("int", "-2147483648") => Stored + ".MinValue",
        ("long", _) => text + "L",
        ("ulong", _) => text + "UL",
        ("uint", _) => text + "U",
        _ => text,
    };

    string SizeMethod => Method is "UInt32" or "UInt64" ? "Varint" : Method;
}

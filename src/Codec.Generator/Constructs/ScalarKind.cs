using ProtoBench.Codec.Generator.Model;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>How a scalar type looks in C# and on the wire.</summary>
/// <param name="Stored">The type that is stored; an enum in a repeated field is stored as its number.</param>
/// <param name="Method">What the runtime's methods for it are named after: ReadInt32, WriteInt32.</param>
/// <param name="WireType">Its wire type when it is not packed.</param>
/// <param name="FixedSize">Its size on the wire; 0 if that depends on the value.</param>
sealed record ScalarKind(string Stored, string Method, uint WireType, int FixedSize)
{
    static readonly Dictionary<Type, ScalarKind> kinds = new()
    {
        [Type.Double] = new("double", "Double", 1, 8),
        [Type.Float] = new("float", "Float", 5, 4),
        [Type.Int64] = new("long", "Int64", 0, 0),
        [Type.Uint64] = new("ulong", "UInt64", 0, 0),
        [Type.Int32] = new("int", "Int32", 0, 0),
        [Type.Fixed64] = new("ulong", "Fixed64", 1, 8),
        [Type.Fixed32] = new("uint", "Fixed32", 5, 4),
        [Type.Bool] = new("bool", "Bool", 0, 1),
        [Type.Uint32] = new("uint", "UInt32", 0, 0),
        [Type.Enum] = new("int", "Int32", 0, 0),
        [Type.Sfixed32] = new("int", "SFixed32", 5, 4),
        [Type.Sfixed64] = new("long", "SFixed64", 1, 8),
        [Type.Sint32] = new("int", "SInt32", 0, 0),
        [Type.Sint64] = new("long", "SInt64", 0, 0),
    };

    public static ScalarKind Of(ProtoField field) => kinds[field.Type];

    /// <summary>Whether a packed field of it is a block of numbers of four or eight bytes.</summary>
    public bool HasFixedWidth => FixedSize > 1;

    /// <summary>The most bytes that one value takes on the wire: an int32 is sign-extended, a zigzag one is not.</summary>
    public int MostBytes => FixedSize > 0 ? FixedSize : Method is "UInt32" or "SInt32" ? 5 : 10;

    /// <summary>The size of one value.</summary>
    public string Size(string value) => FixedSize > 0 ? $"{FixedSize}" : $"codec::WireSize.{SizeMethod}({value})";

    /// <summary>The size of many values, one after the other.</summary>
    public string SizeOfAll(string storage, string range) => FixedSize switch
    {
        0 => $"codec::WireSize.{SizeMethod}({storage}.Slice({range}))",
        1 => $"{range}.Count",
        _ => $"({range}.Count * {FixedSize}L)",
    };

    /// <summary>Whether a value differs from zero. -0.0 does: by its bits.</summary>
    public string IsSet(string value) => Method switch
    {
        "Bool" => value,
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({value}) != 0",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({value}) != 0",
        _ => $"{value} != 0",
    };

    /// <summary>Whether two values differ: floats by their bits, as Google.Protobuf compares them.</summary>
    public string Differs(string one, string other) => Method switch
    {
        "Float" => $"sys::BitConverter.SingleToUInt32Bits({one}) != sys::BitConverter.SingleToUInt32Bits({other})",
        "Double" => $"sys::BitConverter.DoubleToUInt64Bits({one}) != sys::BitConverter.DoubleToUInt64Bits({other})",
        _ => $"{one} != {other}",
    };

    /// <summary>A span of values as one that is compared by bits.</summary>
    public string Bits(string span) => Method switch
    {
        "Float" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<float, uint>({span})",
        "Double" => $"sys::Runtime.InteropServices.MemoryMarshal.Cast<double, ulong>({span})",
        _ => span,
    };

    string SizeMethod => Method is "UInt32" or "UInt64" ? "Varint" : Method;
}

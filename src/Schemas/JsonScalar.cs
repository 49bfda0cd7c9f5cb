using System.Globalization;
using System.Text;
using System.Text.Json;
using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>Reads one JSON value, or the name of a map's key, as a scalar.</summary>
static class JsonScalar
{
    /// <summary>A number, bool or enum, as <see cref="MessageBuilder.Add(FieldDescriptorProto, ulong)"/> takes it.</summary>
    public static ulong Bits(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field) => field.Type switch
    {
        FieldType.Bool => Bool(ref reader) ? 1ul : 0,
        FieldType.Enum => (ulong)(long)Enum(ref reader, type.EnumOf(field)),
        FieldType.Float => BitConverter.SingleToUInt32Bits(Float(Number(ref reader))),
        FieldType.Double => BitConverter.DoubleToUInt64Bits(Double(Number(ref reader))),
        FieldType.Uint32 or FieldType.Fixed32 => (ulong)Integer(Number(ref reader), uint.MinValue, uint.MaxValue),
        FieldType.Uint64 or FieldType.Fixed64 => (ulong)Integer(Number(ref reader), ulong.MinValue, ulong.MaxValue),
        FieldType.Int64 or FieldType.Sint64 or FieldType.Sfixed64 => (ulong)(long)Integer(Number(ref reader), long.MinValue, long.MaxValue),
        _ => (ulong)(long)Integer(Number(ref reader), int.MinValue, int.MaxValue),
    };

    /// <summary>A string in UTF-8.</summary>
    public static byte[] Utf8(ref Utf8JsonReader reader) => Encoding.UTF8.GetBytes(String(ref reader));

    /// <summary>Bytes, from base64 of either alphabet, with or without padding.</summary>
    public static byte[] Base64(ref Utf8JsonReader reader)
    {
        var text = String(ref reader).Replace('-', '+').Replace('_', '/').TrimEnd('=');
        try
        {
            return Convert.FromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='));
        }
        catch (FormatException)
        {
            throw new JsonFieldException("bytes are base64 in JSON");
        }
    }

    /// <summary>The text of a string, or of a property's name.</summary>
    public static string String(ref Utf8JsonReader reader) =>
        reader.TokenType is JsonTokenType.String or JsonTokenType.PropertyName
        ? reader.GetString()! : throw new JsonFieldException("a string is expected here");

    static bool Bool(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.True => true,
        JsonTokenType.False => false,
        JsonTokenType.PropertyName when reader.ValueTextEquals("true"u8) => true,
        JsonTokenType.PropertyName when reader.ValueTextEquals("false"u8) => false,
        _ => throw new JsonFieldException("true or false is expected here"),
    };

    static int Enum(ref Utf8JsonReader reader, EnumDescriptorProto type)
    {
        if (reader.TokenType == JsonTokenType.Null)
            return 0;
        if (reader.TokenType != JsonTokenType.String)
            return (int)Integer(Number(ref reader), int.MinValue, int.MaxValue);
        var name = reader.GetString()!;
        return type.Value.FirstOrDefault(value => value.Name == name)?.Number
            ?? throw new JsonFieldException($"{type.Name} has no value {name}");
    }

    static string Number(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.Number => Encoding.ASCII.GetString(reader.ValueSpan),
        JsonTokenType.String or JsonTokenType.PropertyName => reader.GetString()!,
        _ => throw new JsonFieldException("a number is expected here"),
    };

    static double Double(string text) => text switch
    {
        "NaN" => double.CopySign(double.NaN, 1), // .NET's own has the sign bit set, other languages' has not
        "Infinity" => double.PositiveInfinity,
        "-Infinity" => double.NegativeInfinity,
        _ => double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value)
            ? value
            : throw new JsonFieldException($"{text} is no number of this type"),
    };

    static float Float(string text)
    {
        var value = Double(text);
        return double.IsFinite(value) && !float.IsFinite((float)value)
            ? throw new JsonFieldException($"{text} is beyond the range of a float") : (float)value;
    }

    // 1e3 and 5.0 are integers in protobuf's JSON too; a decimal holds every 64-bit integer exactly.
    static decimal Integer(string text, decimal least, decimal most) =>
        decimal.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var value) && value == decimal.Truncate(value)
        && value >= least && value <= most
            ? value
            : throw new JsonFieldException($"{text} is no integer from {least} to {most}");
}

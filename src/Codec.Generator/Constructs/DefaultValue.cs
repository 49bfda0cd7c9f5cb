using System.Globalization;
using System.Text;
using ProtoBench.Codec.Generator.Model;
using Type = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Codec.Generator.Constructs;

/// <summary>Generates the default value of a field of proto2 or of an edition: [default = 5], or the first value of a closed
/// enum.</summary>
static class DefaultValue
{
    /// <summary>Gets the C# literal of a number, a bool or an enum; null if the default value is zero.</summary>
    public static string? Of(ProtoField field)
    {
        if (field.Presence is not (Presence.Bit or Presence.Oneof)) return null;
        if (field.Type == Type.Enum)
        {
            var type = field.Enum!;
            var name = field.Descriptor.HasDefaultValue ? field.Descriptor.DefaultValue : type.Descriptor.Value[0].Name;
            return type.Descriptor.Value.First(value => value.Name == name).Number == 0 ? null : $"{type.TypeName}.{type.ValueName(name)}";
        }

        if (!field.Descriptor.HasDefaultValue) return null;
        var text = field.Descriptor.DefaultValue;
        return field.Type switch
        {
            Type.Float => Floating(text, "float", "F"),
            Type.Double => Floating(text, "double", "D"),
            Type.Int64 or Type.Sint64 or Type.Sfixed64 => text == "-9223372036854775808" ? "long.MinValue" : text + "L",
            Type.Int32 or Type.Sint32 or Type.Sfixed32 => text == "-2147483648" ? "int.MinValue" : text,
            Type.Uint64 or Type.Fixed64 => text + "UL",
            Type.Uint32 or Type.Fixed32 => text + "U",
            _ => text,
        };
    }

    /// <summary>Gets the bytes of the default value of a string or bytes field; null if the default value is empty.</summary>
    public static byte[]? BytesOf(ProtoField field)
    {
        if (field.Presence is not (Presence.Bit or Presence.Oneof) || !field.Descriptor.HasDefaultValue
            || field.Descriptor.DefaultValue.Length == 0) return null;
        return field.Type == Type.String ? Encoding.UTF8.GetBytes(field.Descriptor.DefaultValue) : Unescape(field.Descriptor.DefaultValue);
    }

    static string Floating(string text, string type, string suffix) => text switch
    {
        "inf" => type + ".PositiveInfinity",
        "-inf" => type + ".NegativeInfinity",
        "nan" => type + ".NaN",
        _ => text + suffix,
    };

    /// <summary>Decodes the default value of a bytes field, which protoc escapes as C does: \n, \", \001, \xFF.</summary>
    static byte[] Unescape(string text)
    {
        var result = new List<byte>();
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '\\')
            {
                result.Add((byte)text[i]);
                continue;
            }

            var c = text[++i];
            if (c is >= '0' and <= '7')
            {
                var value = 0;
                for (var digits = 0; digits < 3 && i < text.Length && text[i] is >= '0' and <= '7'; digits++)
                    value = (value * 8) + (text[i++] - '0');
                i--;
                result.Add((byte)value);
            }
            else if (c == 'x')
            {
                result.Add(byte.Parse(text.AsSpan(i + 1, 2), NumberStyles.HexNumber, CultureInfo.InvariantCulture));
                i += 2;
            }
            else
            {
                result.Add((byte)(c switch
                {
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'a' => '\a',
                    'b' => '\b',
                    'f' => '\f',
                    'v' => '\v',
                    _ => c
                }));
            }
        }

        return [.. result];
    }
}

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

        return field.Descriptor.HasDefaultValue ? ScalarKind.Of(field).Literal(field.Descriptor.DefaultValue) : null;
    }

    /// <summary>Gets the bytes of the default value of a string or bytes field; null if the default value is empty.</summary>
    public static byte[]? BytesOf(ProtoField field)
    {
        if (field.Presence is not (Presence.Bit or Presence.Oneof) || !field.Descriptor.HasDefaultValue
            || field.Descriptor.DefaultValue.Length == 0) return null;
        return field.Type == Type.String ? Encoding.UTF8.GetBytes(field.Descriptor.DefaultValue) : Unescape(field.Descriptor.DefaultValue);
    }

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

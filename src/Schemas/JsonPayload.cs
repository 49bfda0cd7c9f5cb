using System.Text;
using System.Text.Json;
using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

// protobuf's JSON form: https://protobuf.dev/programming-guides/json/
public static class JsonPayload
{
    /// <param name="firstLine">The number of the text's first line in the file.</param>
    /// <exception cref="SchemaException">Thrown when the text is not this message. The message has the line and the field.</exception>
    public static byte[] Encode(MessageType type, ReadOnlySpan<byte> json, string source, int firstLine = 1)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble))
            json = json[3..];
        var reader = new Utf8JsonReader(json);
        try
        {
            reader.Read();
            var bytes = JsonMessage.Read(ref reader, type, depth: 0);
            if (reader.Read())
                throw new JsonFieldException("more follows after the message");
            return bytes;
        }
        catch (JsonFieldException e)
        {
            throw new SchemaException($"{source}({firstLine + Lines(json[..(int)reader.TokenStartIndex])}): {e.Message}", e);
        }
        catch (JsonException e)
        {
            throw new SchemaException($"{source}({firstLine + e.LineNumber}): {Reason(e)}", e);
        }
    }

    /// <summary>Converts all messages of a text: one after the other, for example on a line each, or the elements of an array.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>.</exception>
    public static IReadOnlyList<byte[]> EncodeAll(MessageType type, ReadOnlySpan<byte> json, string source)
    {
        if (json.StartsWith(Encoding.UTF8.Preamble))
            json = json[3..];
        var messages = new List<byte[]>();
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { AllowMultipleValues = true });
        try
        {
            while (reader.Read())
            {
                if (reader.TokenType is JsonTokenType.StartArray or JsonTokenType.EndArray)
                    continue;
                var start = (int)reader.TokenStartIndex;
                reader.Skip();
                messages.Add(Encode(type, json[start..(int)reader.BytesConsumed], source, 1 + Lines(json[..start])));
            }
        }
        catch (JsonException e)
        {
            throw new SchemaException($"{source}({1 + e.LineNumber}): {Reason(e)}", e);
        }

        return messages;
    }

    static int Lines(ReadOnlySpan<byte> text) => text.Count((byte)'\n');

    // The message of System.Text.Json without its position, which is reported separately.
    static string Reason(JsonException e) => e.Message.Split(" LineNumber:")[0];
}

static class JsonMessage
{
    const int maxDepth = 100;

    public static byte[] Read(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        if (depth > maxDepth)
            throw new JsonFieldException($"messages are nested more than {maxDepth} deep");
        if (JsonWellKnown.TryRead(ref reader, type, depth, out var known))
            return known;
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonFieldException($"{type.FullName} is an object in JSON");
        var message = new MessageBuilder();
        var oneofs = new Dictionary<int, string>();
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = reader.GetString()!;
            var field = type.Find(name) ?? throw new JsonFieldException($"{type.FullName} has no field '{name}'");
            reader.Read();
            if (reader.TokenType == JsonTokenType.Null && !HoldsNull(type, field))
                continue;
            if (field.HasOneofIndex && !field.Proto3Optional && !oneofs.TryAdd(field.OneofIndex, name))
                throw new JsonFieldException($"'{name}' and '{oneofs[field.OneofIndex]}' are of the same oneof");
            try
            {
                ReadField(ref reader, type, field, message, depth);
            }
            catch (JsonFieldException e)
            {
                throw e.In(name);
            }
        }

        return message.ToArray();
    }

    static bool HoldsNull(MessageType type, FieldDescriptorProto field) =>
        !MessageType.IsRepeated(field)
        && (field is { Type: FieldType.Message, TypeName: ".google.protobuf.Value" }
            || (field.Type == FieldType.Enum && type.EnumOf(field).Name == "NullValue"));

    static void ReadField(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
    {
        if (type.IsMap(field))
            ReadMap(ref reader, type.MessageOf(field), field, message, depth);
        else if (MessageType.IsRepeated(field))
            ReadList(ref reader, type, field, message, depth);
        else
            ReadValue(ref reader, type, field, message, depth);
    }

    static void ReadList(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
    {
        if (reader.TokenType != JsonTokenType.StartArray)
            throw new JsonFieldException("a repeated field is an array in JSON");
        List<ulong>? packed = type.IsPacked(field) ? [] : null;
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
        {
            if (reader.TokenType == JsonTokenType.Null && field.TypeName != ".google.protobuf.Value")
                throw new JsonFieldException("null is no element of a repeated field");
            if (packed is null)
                ReadValue(ref reader, type, field, message, depth);
            else
                packed.Add(JsonScalar.Bits(ref reader, type, field));
        }

        if (packed is not null)
            message.AddPacked(field, packed);
    }

    static void ReadMap(ref Utf8JsonReader reader, MessageType entry, FieldDescriptorProto field, MessageBuilder message, int depth)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonFieldException("a map is an object in JSON");
        var (key, value) = (entry.Fields[0], entry.Fields[1]);
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var pair = new MessageBuilder();
            if (key.Type == FieldType.String)
                pair.Add(key, JsonScalar.Utf8(ref reader));
            else
                pair.Add(key, JsonScalar.Bits(ref reader, entry, key));
            reader.Read();
            ReadValue(ref reader, entry, value, pair, depth);
            message.Add(field, pair.ToArray());
        }
    }

    public static void ReadValue(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
    {
        switch (field.Type)
        {
            case FieldType.Message or FieldType.Group:
                message.Add(field, Read(ref reader, type.MessageOf(field), depth + 1));
                break;
            case FieldType.String:
                message.Add(field, JsonScalar.Utf8(ref reader));
                break;
            case FieldType.Bytes:
                message.Add(field, JsonScalar.Base64(ref reader));
                break;
            default:
                message.Add(field, JsonScalar.Bits(ref reader, type, field));
                break;
        }
    }
}

/// <summary>Reads one JSON value, or the name of a map's key, as a scalar.</summary>
static class JsonScalar
{
    /// <summary>Returns a number, bool or enum in the form of <see cref="MessageBuilder.Add(FieldDescriptorProto, ulong)"/>.</summary>
    public static ulong Bits(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field) => field.Type switch
    {
        FieldType.Bool => Bool(ref reader) ? 1ul : 0,
        FieldType.Enum => (ulong)(long)Enum(ref reader, type.EnumOf(field)),
        _ => NumberKind.Of(field.Type).Parse(Number(ref reader)),
    };

    public static byte[] Utf8(ref Utf8JsonReader reader) => Encoding.UTF8.GetBytes(String(ref reader));

    /// <summary>Returns bytes, from base64 of either alphabet, with or without padding.</summary>
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
            return (int)NumberKind.Of(FieldType.Enum).Parse(Number(ref reader));
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
}

/// <summary>Thrown when a JSON value does not fit its field. <see cref="JsonPayload"/> catches it and adds file and line.</summary>
#pragma warning disable CA1064 // never leaves this library
sealed class JsonFieldException(string reason, string path = "") : Exception(path.Length == 0 ? reason : $"'{path}': {reason}")
#pragma warning restore CA1064
{
    /// <summary>Returns the exception with the field that contains the message.</summary>
    public JsonFieldException In(string field) => new(reason, path.Length == 0 ? field : $"{field}.{path}");
}

using System.Text.Json;
using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

/// <summary>Reads JSON objects as messages, by https://protobuf.dev/programming-guides/json/.</summary>
static class JsonMessage
{
    const int maxDepth = 100;

    /// <summary>Reads the value at which <paramref name="reader"/> stands, and leaves it at the value's last token.</summary>
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

    static void ReadValue(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
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

using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Google.Protobuf.Reflection;
using FieldType = Google.Protobuf.Reflection.FieldDescriptorProto.Types.Type;

namespace ProtoBench.Schemas;

// protobuf's JSON form: https://protobuf.dev/programming-guides/json/
public static class JsonPayload
{
    // More than two levels of JSON for each message: an object, and the array or the map that it is in. The limit of messages is met first.
    static readonly JsonReaderOptions options = new() { MaxDepth = 256 };

    /// <param name="firstLine">The number of the text's first line in the file.</param>
    /// <exception cref="SchemaException">Thrown when the text is not this message. The message has the line and the field.</exception>
    public static byte[] Encode(MessageType type, ReadOnlySpan<byte> json, string source, int firstLine = 1)
    {
        json = WithoutPreamble(json);
        var reader = new Utf8JsonReader(json, options);
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
            throw Refused(e, json, source, firstLine);
        }
    }

    /// <summary>Converts all messages of a text: one after the other, or the elements of an array.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>.</exception>
    public static IReadOnlyList<byte[]> EncodeAll(MessageType type, ReadOnlySpan<byte> json, string source)
    {
        json = WithoutPreamble(json);
        var messages = new List<byte[]>();
        var reader = new Utf8JsonReader(json, options with { AllowMultipleValues = true });
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
            throw Refused(e, json, source, firstLine: 1);
        }

        return messages;
    }

    /// <summary>Converts a text with a message on each line. Empty lines are skipped.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>.</exception>
    public static IReadOnlyList<byte[]> EncodeLines(MessageType type, ReadOnlySpan<byte> json, string source)
    {
        json = WithoutPreamble(json);
        var (messages, number) = (new List<byte[]>(), 0);
        foreach (var line in json.Split((byte)'\n'))
        {
            number++;
            if (!json[line].Trim(space).IsEmpty)
                messages.Add(Encode(type, json[line], source, number));
        }

        return messages;
    }

    static ReadOnlySpan<byte> space => " \t\r\n"u8;

    static ReadOnlySpan<byte> WithoutPreamble(ReadOnlySpan<byte> json) => json.StartsWith(Encoding.UTF8.Preamble) ? json[3..] : json;

    static int Lines(ReadOnlySpan<byte> text) => text.Count((byte)'\n');

    // The position of a text that ends early is behind its last line. The message of System.Text.Json may quote the rest of the text, and
    // ends with a position.
    static SchemaException Refused(JsonException e, ReadOnlySpan<byte> json, string source, int firstLine) =>
        new($"{source}({firstLine + Math.Min(e.LineNumber ?? 0, Lines(json.TrimEnd(space)))}): "
            + JsonScalar.Shown(e.Message.Split(" LineNumber:")[0], longest: 200), e);
}

static class JsonMessage
{
    const int maxDepth = 100;

    /// <param name="depth">The number of messages around this one. Entries of maps are messages too.</param>
    public static byte[] Read(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        if (depth > maxDepth)
            throw new JsonFieldException($"messages are nested more than {maxDepth} deep");
        return JsonWellKnown.TryRead(ref reader, type, depth, out var known) ? known : ReadFields(ref reader, type, depth, inAny: false);
    }

    /// <param name="inAny">Whether the object is the content of an Any, which has the member <c>@type</c> beside the fields.</param>
    public static byte[] ReadFields(ref Utf8JsonReader reader, MessageType type, int depth, bool inAny)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonFieldException($"{type.FullName} is an object in JSON");
        var (message, given, oneofs) = (new MessageBuilder(), new HashSet<int>(), new Dictionary<int, string>());
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = JsonScalar.String(ref reader);
            var isType = inAny && name == "@type";
            var field = type.Find(name);
            if (field is null && !isType)
                throw new JsonFieldException($"{type.FullName} has no field '{JsonScalar.Shown(name)}'");
            if (!given.Add(field?.Number ?? 0))
                throw new JsonFieldException($"'{name}' is given twice");
            reader.Read();
            if (field is null || (reader.TokenType == JsonTokenType.Null && (MessageType.IsRepeated(field) || !TakesNull(type, field))))
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

    static bool TakesNull(MessageType type, FieldDescriptorProto field) =>
        field is { Type: FieldType.Message, TypeName: ".google.protobuf.Value" }
        || (field.Type == FieldType.Enum && type.EnumOf(field).Name == "NullValue");

    public static void ReadField(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
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
            if (reader.TokenType == JsonTokenType.Null && !TakesNull(type, field))
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
        var (key, value, given) = (entry.Fields[0], entry.Fields[1], new HashSet<string>());
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var pair = new MessageBuilder();
            ReadValue(ref reader, entry, key, pair, depth);
            if (!given.Add(Convert.ToBase64String(pair.ToArray())))
                throw new JsonFieldException($"the key '{JsonScalar.Shown(JsonScalar.String(ref reader))}' is given twice");
            reader.Read();
            if (reader.TokenType == JsonTokenType.Null && !TakesNull(entry, value))
                throw new JsonFieldException("null is no value of a map");
            ReadValue(ref reader, entry, value, pair, depth + 1);
            message.Add(field, pair.ToArray());
        }
    }

    public static void ReadValue(ref Utf8JsonReader reader, MessageType type, FieldDescriptorProto field, MessageBuilder message, int depth)
    {
        switch (field.Type)
        {
            case FieldType.Message or FieldType.Group:
                message.Add(field, Read(ref reader, type.MessageOf(field), depth + 1), type.IsGroup(field));
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

    /// <summary>Returns a string or the name of a member.</summary>
    public static string String(ref Utf8JsonReader reader)
    {
        if (reader.TokenType is not (JsonTokenType.String or JsonTokenType.PropertyName))
            throw new JsonFieldException("a string is expected here");
        try
        {
            return reader.GetString()!;
        }
        catch (InvalidOperationException) // the reader decodes strings here only
        {
            throw new JsonFieldException("the string is not Unicode: half of a surrogate pair, or bytes that are not UTF-8");
        }
    }

    /// <summary>Returns a text for a message of one line.</summary>
    public static string Shown(string text, int longest = 100)
    {
        var line = JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(text);
        return line.Length > longest ? line[..longest] + "..." : line;
    }

    static bool Bool(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.True => true,
        JsonTokenType.False => false,
        JsonTokenType.PropertyName when String(ref reader) == "true" => true,
        JsonTokenType.PropertyName when String(ref reader) == "false" => false,
        _ => throw new JsonFieldException("true or false is expected here"),
    };

    static int Enum(ref Utf8JsonReader reader, EnumDescriptorProto type)
    {
        if (reader.TokenType == JsonTokenType.Null)
            return 0;
        if (reader.TokenType != JsonTokenType.String)
            return (int)NumberKind.Of(FieldType.Enum).Parse(Number(ref reader));
        var name = String(ref reader);
        return type.Value.FirstOrDefault(value => value.Name == name)?.Number
            ?? throw new JsonFieldException($"{type.Name} has no value {Shown(name)}");
    }

    static string Number(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.Number => Encoding.ASCII.GetString(reader.ValueSpan),
        JsonTokenType.String or JsonTokenType.PropertyName => String(ref reader),
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

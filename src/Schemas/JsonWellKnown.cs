using System.Collections.Frozen;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Schemas;

/// <summary>The well-known types with a JSON form of their own. Google's parser reads those that are a string.</summary>
static class JsonWellKnown
{
    static readonly FrozenDictionary<string, (MessageDescriptor Type, string What)> strings =
        new (MessageDescriptor Type, string What)[]
        {
            (Timestamp.Descriptor, "time in the form of RFC 3339"), (Duration.Descriptor, "duration: seconds with an s behind them"),
            (FieldMask.Descriptor, "field mask: names with commas between them"),
        }.ToFrozenDictionary(known => known.Type.FullName);

    // These copies are used instead of the files of a server, which may differ.
    static readonly ProtoSchema own = ProtoSchema.Of(
        new FileDescriptorSet
        {
            File =
            {
                new[] { StructReflection.Descriptor, WrappersReflection.Descriptor }
                    .Select(file => FileDescriptorProto.Parser.ParseFrom(file.SerializedData)),
            },
        }, "Google.Protobuf");

    static readonly FrozenSet<string> ownNames = own.MessageNames.ToFrozenSet();

    public static bool TryRead(ref Utf8JsonReader reader, MessageType type, int depth, out byte[] message)
    {
        message = [];
        if (strings.TryGetValue(type.FullName, out var known))
            message = ByGoogle(ref reader, known.Type, known.What);
        else if (type.FullName == "google.protobuf.Any")
            message = ReadAny(ref reader, type, depth);
        else if (ownNames.Contains(type.FullName))
            message = ReadOwn(ref reader, own.Message(type.FullName), depth);
        else
            return false;
        return true;
    }

    static byte[] ByGoogle(ref Utf8JsonReader reader, MessageDescriptor type, string what)
    {
        var text = JsonScalar.String(ref reader);
        try
        {
            return JsonParser.Default.Parse(JsonSerializer.Serialize(text), type).ToByteArray();
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or InvalidJsonException)
        {
            throw new JsonFieldException($"'{JsonScalar.Shown(text)}' is no {what}");
        }
    }

    // The value of a wrapper, the map of a Struct and the list of a ListValue are the only field of their message.
    static byte[] ReadOwn(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        var message = new MessageBuilder();
        var field = type.FullName != "google.protobuf.Value" ? type.Fields[0] : type.Find(reader.TokenType switch
        {
            JsonTokenType.Null => "nullValue",
            JsonTokenType.Number => "numberValue",
            JsonTokenType.String => "stringValue",
            JsonTokenType.True or JsonTokenType.False => "boolValue",
            JsonTokenType.StartObject => "structValue",
            _ => "listValue",
        })!;
        JsonMessage.ReadField(ref reader, type, field, message, depth);
        return message.ToArray();
    }

    static byte[] ReadAny(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        if (reader.TokenType != JsonTokenType.StartObject)
            throw new JsonFieldException("an Any is an object in JSON");
        var (url, hasValue) = LookAhead(reader);
        if (url is null)
        {
            reader.Read();
            return reader.TokenType == JsonTokenType.EndObject ? [] : throw new JsonFieldException("an Any with content has '@type' in JSON");
        }

        MessageType inner;
        try
        {
            inner = type.Other(url[(url.LastIndexOf('/') + 1)..]);
        }
        catch (SchemaException e)
        {
            throw new JsonFieldException(JsonScalar.Shown(e.Message, longest: 200)).In("@type");
        }

        // Google's formatters write the content of Empty as a value, too.
        var hasOwnForm = strings.ContainsKey(inner.FullName) || ownNames.Contains(inner.FullName) || inner.FullName == type.FullName
            || (inner.FullName == "google.protobuf.Empty" && hasValue);
        var content = hasOwnForm
            ? ReadContent(ref reader, inner, depth + 1) : JsonMessage.ReadFields(ref reader, inner, depth + 1, inAny: true);
        return new Any { TypeUrl = url, Value = ByteString.CopyFrom(content) }.ToByteArray();
    }

    // A copy of the reader: '@type' may be the last member.
    static (string? Url, bool HasValue) LookAhead(Utf8JsonReader reader)
    {
        string? url = null;
        var hasValue = false;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = JsonScalar.String(ref reader);
            reader.Read();
            if (name == "@type")
                url = JsonScalar.String(ref reader);
            hasValue |= name == "value";
            reader.Skip();
        }

        return (url, hasValue);
    }

    static byte[] ReadContent(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        var given = new HashSet<string>();
        byte[]? content = null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            var name = JsonScalar.String(ref reader);
            if (!given.Add(name))
                throw new JsonFieldException($"'{JsonScalar.Shown(name)}' is given twice");
            reader.Read();
            if (name == "value")
                content = JsonMessage.Read(ref reader, type, depth);
            else if (name != "@type")
                throw new JsonFieldException($"an Any of {type.FullName} has no member '{JsonScalar.Shown(name)}'");
        }

        return content ?? throw new JsonFieldException($"an Any of {type.FullName} has its content in 'value'");
    }
}

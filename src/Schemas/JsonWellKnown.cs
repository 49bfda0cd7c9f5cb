using System.Collections.Frozen;
using System.Text;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.Reflection;
using Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Schemas;

/// <summary>The well-known types with a JSON form of their own. Google's parser reads those that it can read by themselves.</summary>
static class JsonWellKnown
{
    const int longest = 100;

    static readonly FrozenDictionary<string, (MessageDescriptor Type, string What)> ofGoogle =
        new (MessageDescriptor Type, string What)[]
        {
            (Timestamp.Descriptor, "time in the form of RFC 3339"), (Duration.Descriptor, "duration: seconds with an s behind them"),
            (FieldMask.Descriptor, "field mask: names with commas between them"), (Struct.Descriptor, "object"),
            (ListValue.Descriptor, "array"), (Value.Descriptor, "value"),
        }.ToFrozenDictionary(known => known.Type.FullName);

    public static bool TryRead(ref Utf8JsonReader reader, MessageType type, int depth, out byte[] message)
    {
        message = [];
        if (ofGoogle.TryGetValue(type.FullName, out var known))
            message = ByGoogle(ref reader, known.Type, known.What);
        else if (type.FullName == "google.protobuf.Any")
            message = Any(ref reader, type, depth);
        else if (type.File.Name == "google/protobuf/wrappers.proto")
            message = Wrapper(ref reader, type, depth);
        else
            return false;
        return true;
    }

    static byte[] ByGoogle(ref Utf8JsonReader reader, MessageDescriptor type, string what)
    {
        using var value = JsonDocument.ParseValue(ref reader);
        var json = value.RootElement.GetRawText();
        try
        {
            return JsonParser.Default.Parse(json, type).ToByteArray();
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or InvalidJsonException)
        {
            throw new JsonFieldException($"'{(json.Length > longest ? json[..longest] + "..." : json.Trim('"'))}' is no {what}");
        }
    }

    static byte[] Wrapper(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        var message = new MessageBuilder();
        JsonMessage.ReadValue(ref reader, type, type.Fields[0], message, depth);
        return message.ToArray();
    }

    static byte[] Any(ref Utf8JsonReader reader, MessageType type, int depth)
    {
        using var document = JsonDocument.ParseValue(ref reader);
        var element = document.RootElement;
        if (element.ValueKind != JsonValueKind.Object || !element.TryGetProperty("@type", out var url))
            throw new JsonFieldException("an Any is an object with '@type' in JSON");
        var inner = type.Other(url.GetString()!.Split('/')[^1]);
        var hasOwnForm = element.TryGetProperty("value", out var own)
            && inner.FullName.StartsWith("google.protobuf.", StringComparison.Ordinal) && inner.Find("@type") is null;
        var json = hasOwnForm ? own.GetRawText() : Without(element, "@type");
        var nested = new Utf8JsonReader(Encoding.UTF8.GetBytes(json));
        nested.Read();
        return new Any
        {
            TypeUrl = url.GetString(),
            Value = ByteString.CopyFrom(JsonMessage.Read(ref nested, inner, depth + 1))
        }.ToByteArray();
    }

    static string Without(JsonElement element, string name) =>
        "{" + string.Join(',',
            element.EnumerateObject().Where(property => property.Name != name)
                .Select(property => $"{JsonSerializer.Serialize(property.Name)}:{property.Value.GetRawText()}")) + "}";
}

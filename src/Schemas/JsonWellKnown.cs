using System.Globalization;
using System.Text;
using System.Text.Json;
using Google.Protobuf;
using Google.Protobuf.WellKnownTypes;

namespace ProtoBench.Schemas;

/// <summary>The well-known types with a JSON form of their own.</summary>
static class JsonWellKnown
{
    public static bool TryRead(ref Utf8JsonReader reader, MessageType type, int depth, out byte[] message)
    {
        message = [];
        if (!type.FullName.StartsWith("google.protobuf.", StringComparison.Ordinal))
            return false;
        switch (type.FullName["google.protobuf.".Length..])
        {
            case "Timestamp":
                message = Timestamp(JsonScalar.String(ref reader));
                return true;
            case "Duration":
                message = Duration(JsonScalar.String(ref reader));
                return true;
            case "FieldMask":
                var mask = new FieldMask();
                mask.Paths.AddRange(JsonScalar.String(ref reader).Split(',', StringSplitOptions.RemoveEmptyEntries).Select(SnakeCase));
                message = mask.ToByteArray();
                return true;
            case "DoubleValue" or "FloatValue" or "Int64Value" or "UInt64Value" or "Int32Value" or "UInt32Value"
                or "BoolValue" or "StringValue" or "BytesValue":
                message = Wrapper(ref reader, type);
                return true;
            case "Struct" or "Value" or "ListValue":
                message = Dynamic(ref reader, type.FullName);
                return true;
            case "Any":
                message = Any(ref reader, type, depth);
                return true;
            default:
                return false;
        }
    }

    static byte[] Timestamp(string text)
    {
        // A DateTimeOffset has 7 of the 9 digits of a second, so the fraction is parsed separately.
        var (whole, nanos) = TakeFraction(text);
        if (!text.Contains('T', StringComparison.Ordinal)
            || !DateTimeOffset.TryParse(whole, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time))
            throw new JsonFieldException($"'{text}' is no time in the form of RFC 3339");
        return new Timestamp { Seconds = time.ToUnixTimeSeconds(), Nanos = nanos }.ToByteArray();
    }

    static byte[] Duration(string text)
    {
        var (whole, nanos) = TakeFraction(text);
        if (!whole.EndsWith('s')
            || !long.TryParse(whole[..^1], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var seconds))
            throw new JsonFieldException($"'{text}' is no duration: seconds with an s behind them");
        return new Duration { Seconds = seconds, Nanos = text.StartsWith('-') ? -nanos : nanos }.ToByteArray();
    }

    static (string Whole, int Nanos) TakeFraction(string text)
    {
        var dot = text.IndexOf('.', StringComparison.Ordinal);
        if (dot < 0)
            return (text, 0);
        var end = dot + 1;
        while (end < text.Length && char.IsAsciiDigit(text[end]))
            end++;
        var digits = text[(dot + 1)..end];
        if (digits.Length is 0 or > 9)
            throw new JsonFieldException($"'{text}' has {digits.Length} digits after the point; 1 to 9 are possible");
        return (text[..dot] + text[end..], int.Parse(digits.PadRight(9, '0')));
    }

    static string SnakeCase(string camelCase)
    {
        var text = new StringBuilder();
        foreach (var letter in camelCase)
        {
            if (char.IsAsciiLetterUpper(letter))
                text.Append('_');
            text.Append(char.ToLowerInvariant(letter));
        }

        return text.ToString();
    }

    static byte[] Wrapper(ref Utf8JsonReader reader, MessageType type)
    {
        var message = new MessageBuilder();
        var value = type.Fields[0];
        switch (type.FullName)
        {
            case "google.protobuf.StringValue":
                message.Add(value, JsonScalar.Utf8(ref reader));
                break;
            case "google.protobuf.BytesValue":
                message.Add(value, JsonScalar.Base64(ref reader));
                break;
            default:
                message.Add(value, JsonScalar.Bits(ref reader, type, value));
                break;
        }

        return message.ToArray();
    }

    static byte[] Dynamic(ref Utf8JsonReader reader, string fullName)
    {
        using var value = JsonDocument.ParseValue(ref reader);
        var json = value.RootElement.GetRawText();
        try
        {
            return fullName switch
            {
                "google.protobuf.Struct" => Struct.Parser.ParseJson(json).ToByteArray(),
                "google.protobuf.ListValue" => ListValue.Parser.ParseJson(json).ToByteArray(),
                _ => Value.Parser.ParseJson(json).ToByteArray(),
            };
        }
        catch (Exception e) when (e is InvalidProtocolBufferException or InvalidJsonException)
        {
            throw new JsonFieldException($"{fullName}: {e.Message}");
        }
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

using System.Text;
using System.Text.Json;

namespace ProtoBench.Schemas;

/// <summary>Messages in JSON (the JSON form of protobuf) as bytes on the wire.</summary>
public static class JsonPayload
{
    /// <summary>Converts one message.</summary>
    /// <param name="type">The message's type.</param>
    /// <param name="json">The JSON text in UTF-8.</param>
    /// <param name="source">What an error names: the file.</param>
    /// <param name="firstLine">Number of the text's first line in that file.</param>
    /// <exception cref="SchemaException">The text is not JSON or not this message; the message has the line and the field.</exception>
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

    /// <summary>Converts one message for each line that is not blank (JSON Lines).</summary>
    /// <inheritdoc cref="Encode"/>
    public static IReadOnlyList<byte[]> EncodeLines(MessageType type, ReadOnlySpan<byte> json, string source)
    {
        var messages = new List<byte[]>();
        var line = 0;
        foreach (var range in json.Split((byte)'\n'))
        {
            line++;
            var text = json[range].Trim(" \r\t"u8);
            if (!text.IsEmpty)
                messages.Add(Encode(type, text, source, line));
        }

        return messages;
    }

    static int Lines(ReadOnlySpan<byte> text) => text.Count((byte)'\n');

    // What System.Text.Json says, without the place, which is named before it.
    static string Reason(JsonException e) => e.Message.Split(" LineNumber:")[0];
}

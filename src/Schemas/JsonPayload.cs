using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using ProtoBench.Codec;

namespace ProtoBench.Schemas;

// protobuf's JSON form: https://protobuf.dev/programming-guides/json/
public static class JsonPayload
{
    // More than two levels of JSON for each message: an object, and the array or the map that it is in. The limit of messages is met first.
    static readonly JsonReaderOptions options = new() { MaxDepth = 256, AllowMultipleValues = true };

    /// <param name="firstLine">The number of the text's first line in the file.</param>
    /// <exception cref="SchemaException">Thrown when the text is not this message. The message has the line and the field.</exception>
    public static byte[] Encode(MessageType type, ReadOnlySpan<byte> json, string source, int firstLine = 1)
    {
        var output = new ArrayBufferWriter<byte>();
        try
        {
            ProtoJson.WriteBinary(type.Reflected, json, output, type.JsonOptions);
        }
        catch (ProtoJsonException e)
        {
            var field = e.Path.Length == 0 ? "" : $"'{e.Path}': ";
            throw new SchemaException($"{source}({firstLine + e.Line - 1}): {field}{e.Reason}", e);
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Converts all messages of a text: one after the other, or the elements of an array.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>.</exception>
    public static IReadOnlyList<byte[]> EncodeAll(MessageType type, ReadOnlySpan<byte> json, string source)
    {
        json = WithoutPreamble(json);
        var messages = new List<byte[]>();
        var reader = new Utf8JsonReader(json, options);
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
            + JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(e.Message.Split(" LineNumber:")[0]), e);
}

using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Text.Unicode;
using ProtoBench.Codec;

namespace ProtoBench.Schemas;

// protobuf's JSON form: https://protobuf.dev/programming-guides/json/
public static partial class JsonPayload
{
    // More than two levels of JSON for each message: an object, and the array or the map that it is in. The limit of messages is met first.
    static readonly JsonReaderOptions options = new() { MaxDepth = 256, AllowMultipleValues = true };

    /// <param name="allowsUnknown">Whether fields and values of enums that the schema does not have are left out. If not, they are
    /// refused.</param>
    /// <param name="firstLine">The number of the text's first line in the file.</param>
    /// <exception cref="SchemaException">Thrown when the text is not this message. The message has the line and the field.</exception>
    public static byte[] Encode(MessageType type, ReadOnlySpan<byte> json, string source, bool allowsUnknown = false, int firstLine = 1)
    {
        var output = new ArrayBufferWriter<byte>();
        try
        {
            ProtoJson.WriteBinary(type.Reflected, json, output, type.JsonOptions(allowsUnknown));
        }
        catch (ProtoJsonException e)
        {
            var field = e.Path.Length == 0 ? "" : $"'{e.Path}': ";
            throw new SchemaException($"{source}({firstLine + e.Line - 1}): {field}{e.Reason}", e);
        }

        return output.WrittenSpan.ToArray();
    }

    /// <summary>Converts all messages of a text: one after the other, or the elements of an array.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>, and for a text without a message.</exception>
    public static IReadOnlyList<byte[]> EncodeAll(MessageType type, ReadOnlySpan<byte> json, string source, bool allowsUnknown = false)
    {
        json = WithoutPreamble(json);
        var messages = new List<byte[]>();
        var reader = new Utf8JsonReader(json, options);
        var (line, counted) = (1, 0);
        try
        {
            while (reader.Read())
            {
                if (reader is { CurrentDepth: 0, TokenType: JsonTokenType.StartArray or JsonTokenType.EndArray })
                    continue;
                var start = (int)reader.TokenStartIndex;
                line += Lines(json[counted..start]);
                counted = start;
                messages.Add(Encode(type, json[start..EndOf(ref reader, json.Length)], source, allowsUnknown, line));
            }
        }
        catch (JsonException e)
        {
            // the reader of messages says this of a text that is none
            if (!Utf8.IsValid(json)) Encode(type, json, source);
            throw Refused(e, json, source);
        }

        return messages.Count > 0 ? messages : throw new SchemaException($"{source}(1): there is no message");
    }

    /// <summary>Converts a text with a message on each line. Empty lines are skipped.</summary>
    /// <exception cref="SchemaException">As of <see cref="Encode"/>.</exception>
    public static IReadOnlyList<byte[]> EncodeLines(MessageType type, ReadOnlySpan<byte> json, string source, bool allowsUnknown = false)
    {
        json = WithoutPreamble(json);
        var (messages, number) = (new List<byte[]>(), 0);
        foreach (var line in json.Split((byte)'\n'))
        {
            number++;
            if (!json[line].Trim(space).IsEmpty)
                messages.Add(Encode(type, json[line], source, allowsUnknown, number));
        }

        return messages;
    }

    /// <summary>The full names of the messages in fields of the type Any. The text may be no JSON, as a template.</summary>
    public static IReadOnlyList<string> AnyTypes(ReadOnlySpan<byte> json) =>
        [.. TypeUrl().Matches(Encoding.Latin1.GetString(json)).Select(match => match.Groups["name"].Value).Distinct()];

    // The reader of messages has the field for a message that is not JSON, so it gets the rest of the text.
    static int EndOf(ref Utf8JsonReader reader, int length)
    {
        try
        {
            reader.Skip();
            return (int)reader.BytesConsumed;
        }
        catch (JsonException)
        {
            return length;
        }
    }

    static ReadOnlySpan<byte> space => " \t\r\n"u8;

    static ReadOnlySpan<byte> WithoutPreamble(ReadOnlySpan<byte> json) => json.StartsWith(Encoding.UTF8.Preamble) ? json[3..] : json;

    static int Lines(ReadOnlySpan<byte> text) => text.Count((byte)'\n');

    // The position of a text that ends early is behind its last line. The message of System.Text.Json may quote the rest of the text, and
    // ends with a position, or with options that only code has.
    static SchemaException Refused(JsonException e, ReadOnlySpan<byte> json, string source) =>
        new($"{source}({1 + Math.Min(e.LineNumber ?? 0, Lines(json.TrimEnd(space)))}): "
            + JavaScriptEncoder.UnsafeRelaxedJsonEscaping.Encode(e.Message.Split([" LineNumber:", " which is not supported"], StringSplitOptions.None)[0]), e);

    [GeneratedRegex("""
        "@type"\s*:\s*"(?:[^"]*/)?(?<name>[a-zA-Z0-9_.]+)"
        """, RegexOptions.ExplicitCapture | RegexOptions.IgnorePatternWhitespace)]
    private static partial Regex TypeUrl();
}

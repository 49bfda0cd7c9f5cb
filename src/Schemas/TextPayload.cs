using System.Text.RegularExpressions;

namespace ProtoBench.Schemas;

/// <summary>Messages in protobuf's text format as bytes on the wire. protoc converts them.</summary>
public static partial class TextPayload
{
    /// <summary>Converts one message.</summary>
    /// <param name="schema">The schema.</param>
    /// <param name="type">The message's type.</param>
    /// <param name="text">The text.</param>
    /// <param name="source">What an error names: the file.</param>
    /// <param name="stop">Stops protoc.</param>
    /// <exception cref="SchemaException">The text is not this message; the message has the line.</exception>
    public static async Task<byte[]> EncodeAsync(ProtoSchema schema, MessageType type, ReadOnlyMemory<byte> text, string source,
        CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(type);
        string[] arguments =
            ["--encode=" + type.FullName, .. schema.Includes.Append(Protoc.WellKnownTypes).Select(folder => "--proto_path=" + folder),
                .. schema.Roots];
        try
        {
            return await Protoc.RunAsync(arguments, text, stop);
        }
        catch (SchemaException e) when (Place().Match(e.Message) is { Success: true } place)
        {
            throw new SchemaException($"{source}({place.Groups["line"].Value}): {place.Groups["reason"].Value}", e);
        }
    }

    // protoc names its standard input "input" and counts lines from 1.
    [GeneratedRegex(@"^input:(?<line>\d+):(\d+): (?<reason>.*)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Place();
}

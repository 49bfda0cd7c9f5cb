using System.Text.RegularExpressions;

namespace ProtoBench.Schemas;

/// <summary>Reads captured messages from files, in the form of their extension.</summary>
public static class PayloadFiles
{
    public const string Forms =
        ".json; .jsonl, .ndjson: a message a line; .txtpb, .textproto, .pbtxt, .prototxt: text format; .delimited, .pbs: messages "
            + "behind their lengths; else binary";

    /// <summary>Reads files, and all files in folders in the order of their paths.</summary>
    /// <param name="allowsUnknown">As of <see cref="JsonPayload.Encode"/>, for JSON.</param>
    /// <param name="warn">Gets a sentence about payloads with unknown fields, and one about empty payloads.</param>
    /// <exception cref="SchemaException">With the file, the position and the reason; also for an empty or missing path, if no path
    /// has a message, and if all payloads have unknown fields.</exception>
    public static async Task<IReadOnlyList<Payload>> ReadAsync(ProtoSchema schema, MessageType type, IEnumerable<string> paths,
        Action<string> warn, bool allowsUnknown = false, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(paths);
        ArgumentNullException.ThrowIfNull(warn);
        var (payloads, unknown) = (new List<Payload>(), new List<string>());
        foreach (var path in paths)
        {
            foreach (var file in FilesAt(path))
                payloads.AddRange(
                    await ReadFileAsync(schema, type, file,
                        Directory.Exists(path) ? Path.GetRelativePath(path, file) : Path.GetFileName(file), allowsUnknown, unknown, stop));
        }

        RequireAny(payloads, paths);

        if (unknown.Count > 0 && unknown.Count == payloads.Count(payload => !payload.Bytes.IsEmpty))
        {
            throw new SchemaException((unknown.Count == 1 ? $"the payload has fields that {type.FullName} does not have, such as "
                : $"each of {unknown.Count} payloads has fields that {type.FullName} does not have, such as ")
                + $"{unknown[0]}; they may be another message, or of a newer schema");
        }

        if (unknown.Count > 0)
            warn($"{unknown.Count} of {payloads.Count} payloads have fields that {type.FullName} does not have, such as {unknown[0]}");
        if (payloads.Where(payload => payload.Bytes.IsEmpty).ToArray() is [var empty, ..] all)
            warn($"{all.Length} of {payloads.Count} payloads are empty, which is a message without fields: {empty.Name}");
        return payloads;
    }

    /// <summary>Reads files without a schema: binary messages, and streams of delimited messages.</summary>
    /// <exception cref="SchemaException">Thrown when a path does not exist, or its form needs a schema.</exception>
    public static async Task<IReadOnlyList<Payload>> ReadBytesAsync(IEnumerable<string> paths, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var payloads = new List<Payload>();
        foreach (var file in paths.SelectMany(FilesAt))
        {
            if (IsText(file))
                throw new SchemaException($"{file}: this form needs the schema; name the .proto files");
            var content = await ReadBytesAsync(file, stop);
            if (IsDelimited(file))
                payloads.AddRange(Numbered(Path.GetFileName(file), DelimitedPayload.Split(content, file)));
            else
                payloads.Add(new(Path.GetFileName(file), content));
        }

        RequireAny(payloads, paths);
        return payloads;
    }

    /// <summary>Reads the full names of the messages that fields of the type Any have in files of JSON.</summary>
    /// <exception cref="SchemaException">Thrown when a path does not exist.</exception>
    public static async Task<IReadOnlyList<string>> AnyTypesAsync(IEnumerable<string> paths, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var types = new List<string>();
        foreach (var file in paths.SelectMany(FilesAt).Where(IsJson))
            types.AddRange(JsonPayload.AnyTypes(await ReadBytesAsync(file, stop)));
        return [.. types.Distinct()];
    }

    static void RequireAny(List<Payload> payloads, IEnumerable<string> paths)
    {
        if (payloads.Count == 0 && paths.Any())
            throw new SchemaException($"{string.Join(", ", paths)}: there is no message");
    }

    static string[] FilesAt(string path) => Directory.Exists(path) ? FilesOf(path)
        : File.Exists(path) ? [path] : throw new SchemaException($"{path}: there is no such file or folder");

    static bool IsDelimited(string file) => Path.GetExtension(file) is ".delimited" or ".pbs";

    /// <summary>Whether a file or folder has messages that only a schema can read.</summary>
    public static bool NeedsSchema(string path) => Directory.Exists(path) ? FilesOf(path).Any(IsText) : IsText(path);

    static bool IsJson(string file) => Path.GetExtension(file) is ".json" or ".jsonl" or ".ndjson";

    static bool IsText(string file) =>
        IsJson(file) || Path.GetExtension(file) is ".txtpb" or ".textproto" or ".textpb" or ".pbtxt" or ".prototxt";

    /// <summary>Returns the files in a folder and the folders in it, in the order of their paths.</summary>
    /// <exception cref="SchemaException">Thrown when there is none.</exception>
    public static string[] FilesOf(string folder)
    {
        string[] files =
            [.. Directory.EnumerateFiles(folder, "*", SearchOption.AllDirectories).Where(file => !Path.GetFileName(file).StartsWith('.'))
                .Order(StringComparer.Ordinal)];
        return files.Length > 0 ? files : throw new SchemaException($"{folder}: the folder has no files");
    }

    static async Task<IEnumerable<Payload>> ReadFileAsync(ProtoSchema schema, MessageType type, string file, string name,
        bool allowsUnknown, List<string> unknown, CancellationToken stop)
    {
        var content = await ReadBytesAsync(file, stop);
        switch (Path.GetExtension(file))
        {
            case ".json":
                return [new(name, JsonPayload.Encode(type, content, file, allowsUnknown))];
            case ".jsonl" or ".ndjson":
                return Numbered(name, JsonPayload.EncodeLines(type, content, file, allowsUnknown));
            case ".txtpb" or ".textproto" or ".textpb" or ".pbtxt" or ".prototxt":
                return [new(name, await TextPayload.EncodeAsync(schema, type, content, file, stop))];
            case var _ when IsDelimited(file):
                var messages = DelimitedPayload.Split(content, file);
                for (var i = 0; i < messages.Count; i++)
                    Check(type, messages[i], $"{file}, message {i}", unknown);
                return Numbered(name, messages);
            default:
                Check(type, content, file, unknown);
                return [new(name, content)];
        }
    }

    /// <exception cref="SchemaException">Thrown when the file cannot be read.</exception>
    public static async Task<byte[]> ReadBytesAsync(string file, CancellationToken stop)
    {
        try
        {
            return await File.ReadAllBytesAsync(file, stop);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new SchemaException($"{file}: {e.Message}", e);
        }
    }

    static IEnumerable<Payload> Numbered(string name, IReadOnlyList<byte[]> messages) =>
        messages.Select((message, i) => new Payload($"{name}#{i}", message));

    static void Check(MessageType type, ReadOnlySpan<byte> wire, string source, List<string> unknown)
    {
        var walk = WireWalk.Of(type, wire);
        if (walk.Error is { } error)
        {
            throw new SchemaException($"{source}: not a {type.FullName}: {error}"
                + (error.EndsWith("UTF-8", StringComparison.Ordinal) ? "; the payload may be another message" : ""));
        }

        if (walk.IsAllUnknown)
            throw new SchemaException($"{source}: not a {type.FullName}: it has none of these fields: {string.Join(", ", walk.Unknown)}");
        if (walk.Unknown.Count > 0)
            unknown.Add($"{walk.Unknown.First()} in {source}");
    }
}

/// <param name="Name">Its file, and its number if the file has several messages.</param>
public sealed record Payload(string Name, ReadOnlyMemory<byte> Bytes);

/// <summary>Each message follows its length as a varint, as <c>writeDelimitedTo</c> of protobuf's libraries writes them.</summary>
public static class DelimitedPayload
{
    /// <exception cref="SchemaException">Thrown when a length or a message is incomplete. The message has its offset.</exception>
    public static IReadOnlyList<byte[]> Split(ReadOnlySpan<byte> stream, string source)
    {
        var messages = new List<byte[]>();
        for (var at = 0; at < stream.Length;)
        {
            var start = at;
            if (WireWalk.Varint(stream, ref at) is not { } length)
                throw new SchemaException(
                    $"{source}: the length at byte {start} (message {messages.Count}) is cut off or has more than ten bytes");
            if (length > (ulong)(stream.Length - at))
                throw new SchemaException(
                    $"{source}: message {messages.Count} at byte {start} has {length} bytes, but only {stream.Length - at} follow");
            messages.Add(stream.Slice(at, (int)length).ToArray());
            at += (int)length;
        }

        return messages;
    }
}

/// <summary>Converts messages in protobuf's text format to wire bytes, with protoc.</summary>
public static partial class TextPayload
{
    /// <exception cref="SchemaException">Thrown when the text is not this message. The message has the line.</exception>
    public static async Task<byte[]> EncodeAsync(ProtoSchema schema, MessageType type, ReadOnlyMemory<byte> text, string source,
        CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(schema);
        ArgumentNullException.ThrowIfNull(type);
        var set = Path.GetTempFileName();
        try
        {
            await File.WriteAllBytesAsync(set, schema.ToDescriptors(), stop);
            return await Protoc.RunAsync(["--encode=" + type.FullName, "--descriptor_set_in=" + set, .. schema.Roots], text, stop);
        }
        catch (SchemaException e) when (Place().Match(e.Message) is { Success: true } place)
        {
            throw new SchemaException($"{source}({place.Groups["line"].Value}): {place.Groups["reason"].Value}", e);
        }
        finally
        {
            File.Delete(set);
        }
    }

    // protoc names its standard input "input" and counts lines from 1.
    [GeneratedRegex(@"^input:(?<line>\d+):(\d+): (?<reason>.*)$", RegexOptions.ExplicitCapture)]
    private static partial Regex Place();
}

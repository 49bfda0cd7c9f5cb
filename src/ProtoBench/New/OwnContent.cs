using System.Text.Json;
using System.Text.Json.Serialization;
using ProtoBench.Schemas;
using ProtoBuf.Meta;

namespace ProtoBench;

/// <summary>Reads what is measured into objects of the user's class, and writes them in the format of the payloads: protobuf-net's bytes,
/// or JSON if protobuf-net does not take the class.</summary>
sealed class OwnContent(Type type, bool isProtobuf = true)
{
    public const string Forms = ".json; .jsonl, .ndjson: an object a line; .bin, .pb: protobuf-net's bytes; .delimited, .pbs: the same behind their lengths";

    // JSON of other programs has other letters at the start of names. What the class does not have is a mistake. A list may have no setter.
    static readonly JsonSerializerOptions json = new(JsonSerializerDefaults.Web)
    {
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        PreferredObjectCreationHandling = JsonObjectCreationHandling.Populate,
        IncludeFields = true,
        Converters = { new JsonStringEnumConverter() },
    };

    // as the benchmarks read it
    static readonly JsonSerializerOptions written = new() { IncludeFields = true };

    /// <summary>Reads files, and all files in folders in the order of their paths. Each payload is what the class writes.</summary>
    /// <exception cref="SchemaException">With the file and the reason.</exception>
    public async Task<IReadOnlyList<Payload>> ReadAsync(IEnumerable<string> paths, Action<string> warn, CancellationToken stop)
    {
        var (payloads, changed) = (new List<Payload>(), new List<string>());
        foreach (var (name, file) in paths.SelectMany(FilesOf))
        {
            var content = await File.ReadAllBytesAsync(file, stop);
            switch (Path.GetExtension(file))
            {
                case ".json":
                    payloads.Add(new(name, Write(FromJson(content, file))));
                    break;
                case ".jsonl" or ".ndjson":
                    var lines = System.Text.Encoding.UTF8.GetString(content).Split('\n');
                    payloads.AddRange(lines.Index().Where(line => !string.IsNullOrWhiteSpace(line.Item)).Select(line =>
                        new Payload($"{name}#{line.Index}", Write(FromJson(System.Text.Encoding.UTF8.GetBytes(line.Item), $"{file}({line.Index + 1})")))));
                    break;
                case ".bin" or ".pb" or ".delimited" or ".pbs" when !isProtobuf:
                    throw new SchemaException($"{file}: protobuf-net does not take {type.Name}. Contents of this class: .json; .jsonl, .ndjson");
                case ".bin" or ".pb":
                    payloads.Add(new(name, Again(content, file, changed)));
                    break;
                case ".delimited" or ".pbs":
                    payloads.AddRange(DelimitedPayload.Split(content, file).Select((one, i) =>
                        new Payload($"{name}#{i}", Again(one, $"{file}, message {i}", changed))));
                    break;
                default:
                    throw new SchemaException($"{file}: the extension does not say what the content is. Contents of a class: {Forms}");
            }
        }

        if (changed.Count > 0)
            warn($"{changed.Count} of {payloads.Count} payloads are not what {type.Name} writes after it has read them, such as {changed[0]}");
        return payloads;
    }

    /// <summary>Returns what the class writes after it has read a random message.</summary>
    /// <exception cref="SchemaException">Thrown when it cannot read it.</exception>
    public Payload Again(Payload random) =>
        random with { Bytes = Again(random.Bytes, $"--synthesize: {random.Name}, which has values of its .proto file") };

    byte[] Again(ReadOnlyMemory<byte> bytes, string source)
    {
        try
        {
            return ToProtobuf(RuntimeTypeModel.Default.Deserialize(type, bytes));
        }
#pragma warning disable CA1031 // the class may throw anything, and the message names the content
        catch (Exception e)
#pragma warning restore CA1031
        {
            throw new SchemaException($"{source}: {type.Name} cannot read it: {e.GetBaseException().Message}", e);
        }
    }

    byte[] Again(byte[] bytes, string source, List<string> changed)
    {
        var again = Again(bytes, source);
        if (!again.AsSpan().SequenceEqual(bytes))
            changed.Add($"{source}: {bytes.Length} B were read, and {again.Length} B are written");
        return again;
    }

    byte[] Write(object value) => isProtobuf ? ToProtobuf(value) : JsonSerializer.SerializeToUtf8Bytes(value, type, written);

    object FromJson(byte[] content, string source)
    {
        try
        {
            return JsonSerializer.Deserialize(content, type, json) ?? throw new SchemaException($"{source}: null is no {type.Name}");
        }
        catch (Exception e) when (e is JsonException or NotSupportedException or InvalidOperationException)
        {
            throw new SchemaException($"{source}: {e.Message.ReplaceLineEndings(" ")}", e);
        }
    }

    public static byte[] ToProtobuf(object value)
    {
        using var stream = new MemoryStream();
        RuntimeTypeModel.Default.Serialize(stream, value);
        return stream.ToArray();
    }

    static IEnumerable<(string Name, string File)> FilesOf(string path) => Directory.Exists(path)
        ? PayloadFiles.FilesOf(path).Select(file => (Path.GetRelativePath(path, file), file))
        : File.Exists(path) ? [(Path.GetFileName(path), path)] : throw new SchemaException($"{path}: there is no such file or folder");
}

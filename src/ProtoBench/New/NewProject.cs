using Google.Protobuf;
using ProtoBench.Schemas;

namespace ProtoBench;

/// <summary>Writes a benchmark project. Nothing is written before the schema and every payload were read.</summary>
static class NewProject
{
    // more payloads than this are written to one file of delimited messages
    const int mostFiles = 1_000;

    public static async Task WriteAsync(NewRequest request, TextWriter output, Action<string> warn, CancellationToken stop)
    {
        var folder = Path.GetFullPath(request.Folder);
        if (Directory.Exists(folder) || File.Exists(folder))
            throw new UsageException($"{request.Folder} exists already; nothing was written");
        if (request.Payloads.Count == 0 && request.Synthesize == 0)
            throw new UsageException(
                "there is nothing to measure: name captured messages with --payload, or ask for random ones with --synthesize N");
        using var own = request.OwnType is { } name ? await OwnClass.LoadAsync(request.Classes, name, stop) : null;
        var (names, payloads, replies) = own is { Schema: null } ? await OfJsonAsync(request, own, folder, warn, stop)
            : await OfProtobufAsync(request, own, folder, warn, stop);
        var partial = folder + ".partial";
        if (Directory.Exists(partial))
            Directory.Delete(partial, recursive: true);
        try
        {
            await WriteFilesAsync(names, partial, payloads, replies, stop);
            Directory.Move(partial, folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"{request.Folder} cannot be written: {e.Message}", e);
        }
        finally
        {
            if (Directory.Exists(partial))
                Directory.Delete(partial, recursive: true);
        }

        await output.WriteLineAsync($"{request.Folder}: {Describe(payloads, "payload", "payloads")}");
        if (request.Synthesize > 0)
        {
            var random = request.Synthesis;
            await output.WriteLineAsync($"Random payloads have strings of {random.ShortestString}..{random.LongestString} bytes and lists of {random.FewestElements}..{random.MostElements} elements (--length, --elements).");
            await output.WriteLineAsync("Ratios depend on the content: --payload measures captured messages.");
        }

        if (own is { Numbered.Count: > 0 })
            await output.WriteLineAsync($"{own.Type.Name} has no [ProtoContract]: its members are fields 1, 2 and so on of protos/{own.Type.Name}.proto.");
        if (own is { WhyNoSchema: { } whyNot })
            await output.WriteLineAsync($"Left out: Google.Protobuf, protobuf-net and ProtoBench.Codec, because no .proto file can be made from {names.FullName}: {whyNot}");
        foreach (var (rows, why) in names.Own?.Code.LeftOut ?? [])
            await output.WriteLineAsync($"Left out: rows {rows}, because {why}.");
        if (names.Own is { Code.Hidden: { Count: > 0 } hidden })
            await output.WriteLineAsync($"Not read by the rows that read every field of the class: {string.Join(", ", hidden)}.");
        if (names.Method?.Described is { } method)
            await output.WriteLineAsync($"{method.Path}: {Describe(replies, "reply", "replies")}");
        await output.WriteLineAsync($"Next: cd {Arguments.Quoted(request.Folder)} && dotnet run -c Release");
    }

    static async Task<IReadOnlyList<Payload>> CollectAsync(NewRequest request, ProtoSchema schema, MessageType type,
        IReadOnlyList<string> captured, int synthesize, Action<string> warn, CancellationToken stop)
    {
        return [.. await PayloadFiles.ReadAsync(schema, type, captured, warn, stop: stop), .. Random(type, request.Synthesis, synthesize)];
    }

    static IEnumerable<Payload> Random(MessageType type, SynthesisOptions options, int count)
    {
        var random = new SyntheticMessages(type, options);
        for (var i = 0; i < count; i++)
            yield return new($"random-{i:D4}", random.Next());
    }

    // a message, or a class with the .proto file of protobuf-net
    static async Task<(ProjectNames Names, IReadOnlyList<Payload> Payloads, IReadOnlyList<Payload> Replies)> OfProtobufAsync(
        NewRequest request, OwnClass? own, string folder, Action<string> warn, CancellationToken stop)
    {
        if (own is { Schema: var (proto, message) })
            request = request with { Protos = [await own.WriteProtosAsync(proto, stop)], Message = message };
        var schema = await ProtoSchema.LoadAsync(request.Protos, request.Includes, stop);
        var method = request.Service is null ? null : request.Service.Find(schema);
        if (method is not null && request.Message is { } other && schema.Named(other).FullName != method.Request)
            throw new UsageException($"{method.Path} takes a {method.Request}, not a {other}: leave out --message");
        var type = method is not null ? schema.Message(method.Request) : schema.Named(request.Message
            ?? throw new UsageException("name the message with --message, such as acme.Order, or the service with --service"));
        var payloads = own is null
            ? await CollectAsync(request, schema, type, request.Payloads, request.Synthesize, warn, stop)
            :
            [
                .. await own.Content.ReadAsync(request.Payloads, warn, stop),
                .. Random(type, request.Synthesis, request.Synthesize).Select(own.Content.Again),
            ];
        var replies = method is null ? [] : await CollectAsync(request, schema, schema.Message(method.Reply), request.Replies,
            request.Replies.Count == 0 ? request.Synthesize : 0, warn, stop);
        if (method is not null && replies.Count == 0)
            throw new UsageException(
                $"there are no replies of {method.Path}: name captured messages with --reply, or ask for random ones with --synthesize N");
        OwnClassNames? ownNames = own is null ? null : new(own, new(own.Type, isProtobuf: true));
        return (new(Path.GetFileName(folder), schema, type, method, ownNames), payloads, replies);
    }

    // a class without a .proto file
    static async Task<(ProjectNames Names, IReadOnlyList<Payload> Payloads, IReadOnlyList<Payload> Replies)> OfJsonAsync(
        NewRequest request, OwnClass own, string folder, Action<string> warn, CancellationToken stop)
    {
        if (request.Synthesize > 0)
        {
            throw new UsageException($"--synthesize makes messages of a .proto file, and none can be made from {OwnMembers.NameOf(own.Type)}: "
                + $"{own.WhyNoSchema}; name JSON with --payload");
        }

        var payloads = await own.Content.ReadAsync(request.Payloads, warn, stop);
        return (new(Path.GetFileName(folder), new(own, new(own.Type, isProtobuf: false))), payloads, []);
    }

    static async Task WriteFilesAsync(ProjectNames names, string folder, IReadOnlyList<Payload> payloads, IReadOnlyList<Payload> replies,
        CancellationToken stop)
    {
        foreach (var (name, text) in ProjectFiles.Of(names))
            await File.WriteAllTextAsync(InNewFolder(folder, name), text, stop);
        foreach (var proto in names.Protos)
            File.Copy(proto.Path, InNewFolder(folder, "protos/" + proto.Name));
        if (names.Own is { } own)
            OwnClass.CopySources(own.Class.Sources, folder);
        await WritePayloadsAsync(Path.Combine(folder, "payloads"), payloads, names.IsProtobuf ? "bin" : "json", stop);
        if (names.Method is not null)
            await WritePayloadsAsync(Path.Combine(folder, "replies"), replies, "bin", stop);
    }

    static async Task WritePayloadsAsync(string folder, IReadOnlyList<Payload> payloads, string extension, CancellationToken stop)
    {
        Directory.CreateDirectory(folder);
        if (payloads.Count > mostFiles)
        {
            WriteDelimited(Path.Combine(folder, "payloads.delimited"), payloads);
            return;
        }

        for (var i = 0; i < payloads.Count; i++)
            await File.WriteAllBytesAsync(Path.Combine(folder, FileName(i, payloads[i].Name, extension)), payloads[i].Bytes, stop);
    }

    static string InNewFolder(string folder, string file)
    {
        var path = Path.Combine(folder, file);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        return path;
    }

    static void WriteDelimited(string path, IReadOnlyList<Payload> payloads)
    {
        using var file = File.Create(path);
        using var output = new CodedOutputStream(file);
        foreach (var payload in payloads)
            output.WriteBytes(UnsafeByteOperations.UnsafeWrap(payload.Bytes));
    }

    // The order of the names is the order of the payloads.
    static string FileName(int number, string name, string extension) =>
        $"{number:D4}-{string.Concat(name.Select(letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' ? letter : '-'))}.{extension}";

    static string Describe(IReadOnlyList<Payload> payloads, string one, string many)
    {
        int[] sizes = [.. payloads.Select(payload => payload.Bytes.Length).Order()];
        return $"{sizes.Length:N0} {(sizes.Length == 1 ? one : many)}, p50 {Percentile(50):N0} B, p95 {Percentile(95):N0} B, max {sizes[^1]:N0} B";

        int Percentile(int percent) => sizes[Math.Max(0, (int)Math.Ceiling(sizes.Length * percent / 100.0) - 1)];
    }
}

/// <summary>Message is null for the request of the service's method, Service is null if no calls are measured. OwnType is the class in
/// Classes that is measured, whose .proto file is made; null for a message of Protos.</summary>
sealed record NewRequest(
    string Folder, IReadOnlyList<string> Protos, IReadOnlyList<string> Includes, string? Message, ServiceChoice? Service,
        IReadOnlyList<string> Payloads, IReadOnlyList<string> Replies, int Synthesize, SynthesisOptions Synthesis)
{
    public IReadOnlyList<string> Classes { get; init; } = [];

    public string? OwnType { get; init; }
}

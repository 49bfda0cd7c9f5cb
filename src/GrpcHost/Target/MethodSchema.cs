using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

static class MethodSchema
{
    // of a template that differs from call to call
    const long mostCalls = 100_000;
    const long mostBytes = 256 * 1024 * 1024;

    /// <summary>Returns the path of a method in the form of gRPC, from that of ghz too: <c>package.Service.Method</c>.</summary>
    public static string PathOf(string name)
    {
        name = name.TrimStart('/');
        return name.Contains('/', StringComparison.Ordinal) ? name
            : name.LastIndexOf('.') is > 0 and var dot ? $"{name[..dot]}/{name[(dot + 1)..]}"
            : throw new UsageException($"'{name}' is not a method: package.Service/Method");
    }

    /// <summary>The service whose name was given instead of that of a method.</summary>
    public static string ServiceOf(string path) => path.Replace('/', '.');

    public static SchemaMethod Find(ProtoSchema schema, string path)
    {
        var methods = schema.Methods;
        if (methods.FirstOrDefault(method => method.Path == path) is { } found)
            return found;
        SchemaMethod[] ofService = [.. methods.Where(method => method.Service == ServiceOf(path))];
        throw new UsageException(ofService.Length > 0
            ? $"{ServiceOf(path)} is a service; its methods are {List(ofService)}"
            : $"the schema has no method {path}; it has {(methods.Any() ? List(methods) : "no service")}");
    }

    public static async Task<IReadOnlyList<Payload>> ReadAsync(ProtoSchema? schema, string? messageName, IReadOnlyList<string> paths,
        bool allowsUnknown, CancellationToken cancellationToken) => schema is null
            ? await PayloadFiles.ReadBytesAsync(paths, cancellationToken)
            : await PayloadFiles.ReadAsync(schema, schema.Message(messageName!), paths,
                warning => Console.Error.WriteLine("warning: " + warning), allowsUnknown, cancellationToken);

    /// <summary>Makes the messages of as many calls, so that nothing is computed while they are made.</summary>
    /// <param name="calls">Null if a time ends the round. Then, and for more than a limit, they repeat.</param>
    /// <param name="allowsUnknown">As of <see cref="JsonPayload.Encode"/>.</param>
    public static (IReadOnlyList<Payload> Payloads, int PerCall) Make(
        DataTemplate template, MessageType type, long? calls, bool allowsUnknown)
    {
        var (bytes, all) = (0L, new List<Payload>());
        var perCall = 0;
        for (var call = 0L; call < (template.IsConstant ? 1 : Math.Min(calls ?? mostCalls, mostCalls)) && bytes < mostBytes; call++)
        {
            var messages = template.Make(type, call, allowsUnknown);
            perCall = messages.Count;
            all.AddRange(messages.Select(message => new Payload("", message)));
            bytes += messages.Sum(message => message.Length);
        }

        return (all, perCall);
    }

    static string List(IEnumerable<SchemaMethod> methods) => string.Join(", ", methods.Select(method => method.Path));
}

/// <param name="IsClientStreaming">Whether the client may send any number of requests.</param>
/// <param name="IsServerStreaming">Whether the server may send any number of replies.</param>
sealed record TargetMethod(string Path, bool IsServerStreaming, bool IsClientStreaming = false)
{
    public TargetMethod(SchemaMethod method)
        : this(method.Path, method.Method.ServerStreaming, method.Method.ClientStreaming)
    {
    }
}

using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

static class MethodSchema
{
    /// <summary>Finds a method by its path. Without a schema, the path is not checked.</summary>
    public static (TargetMethod Method, SchemaMethod? Described) Find(ProtoSchema? schema, string path, bool streams)
    {
        var name = path.TrimStart('/');
        if (!name.Contains('/', StringComparison.Ordinal) && name.LastIndexOf('.') is > 0 and var dot)
            name = $"{name[..dot]}/{name[(dot + 1)..]}";
        if (schema is null)
        {
            return name.Contains('/', StringComparison.Ordinal)
                ? (new(name, streams), null)
                : throw new RunException(ExitCode.Usage, $"'{path}' is not a method: package.Service/Method");
        }

        var found = schema.Methods.FirstOrDefault(method => method.Path == name)
            ?? throw new RunException(ExitCode.Usage, $"the .proto files have no method {name}; they have {List(schema)}");
        return found.Method.ClientStreaming
            ? throw new RunException(ExitCode.Usage, $"{found}: methods whose client streams are not supported")
            : (new(name, found.Method.ServerStreaming), found);
    }

    public static async Task<IReadOnlyList<Payload>> ReadAsync(ProtoSchema? schema, string? messageName, IReadOnlyList<string> paths,
        CancellationToken cancellationToken)
    {
        try
        {
            return schema is null
                ? await PayloadFiles.ReadBytesAsync(paths, cancellationToken)
                : await PayloadFiles.ReadAsync(schema, schema.Message(messageName!), paths,
                    warning => Console.Error.WriteLine("warning: " + warning), cancellationToken);
        }
        catch (SchemaException e)
        {
            throw new RunException(ExitCode.Usage, e.Message, e);
        }
    }

    static string List(ProtoSchema schema) =>
        string.Join(", ", schema.Methods.Select(method => method.Path)) is { Length: > 0 } list ? list : "no service";
}

sealed record TargetMethod(string Path, bool IsServerStreaming);

using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Target;

/// <summary>Finds the schema of a method and its messages from the options.</summary>
static class MethodSchema
{
    /// <summary>Finds a method by its path. Without a schema, the path is not checked.</summary>
    /// <param name="schema">The schema; null for none.</param>
    /// <param name="path"><c>package.Service/Method</c> or <c>package.Service.Method</c>, with or without a leading slash.</param>
    /// <param name="streams">Whether the method streams its replies, if there is no schema.</param>
    /// <exception cref="RunException">Thrown when there is no such method, or it has client streaming.</exception>
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

    /// <summary>Reads payloads from paths.</summary>
    /// <param name="schema">The schema; null to use the bytes of the files.</param>
    /// <param name="messageName">The full name of their message.</param>
    /// <param name="paths">Files and folders.</param>
    /// <param name="cancellationToken">Cancels reading.</param>
    /// <exception cref="RunException">Thrown when a payload cannot be read.</exception>
    public static async Task<IReadOnlyList<Payload>> ReadAsync(ProtoSchema? schema, string? messageName, IReadOnlyList<string> paths,
        CancellationToken cancellationToken)
    {
        try
        {
            return schema is null
                ? await PayloadFiles.ReadBytesAsync(paths, cancellationToken)
                : await PayloadFiles.ReadAsync(schema, schema.Message(messageName!), paths, cancellationToken);
        }
        catch (SchemaException e)
        {
            throw new RunException(ExitCode.Usage, e.Message, e);
        }
    }

    static string List(ProtoSchema schema) =>
        string.Join(", ", schema.Methods.Select(method => method.Path)) is { Length: > 0 } list ? list : "no service";
}

/// <summary>Represents a gRPC method.</summary>
/// <param name="Path"><c>package.Service/Method</c>, without a leading slash.</param>
/// <param name="IsServerStreaming">Whether it answers one request with a stream.</param>
sealed record TargetMethod(string Path, bool IsServerStreaming);

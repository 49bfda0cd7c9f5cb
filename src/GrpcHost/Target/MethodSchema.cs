using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Target;

/// <summary>The schema of a method and its messages, as the options describe it.</summary>
static class MethodSchema
{
    /// <summary>Finds a method by its path, or takes the path as it is where there is no schema.</summary>
    /// <param name="schema">The schema, if there is one.</param>
    /// <param name="path"><c>package.Service/Method</c> or <c>package.Service.Method</c>, with or without a leading slash.</param>
    /// <param name="streams">Without a schema: whether the method streams its replies.</param>
    /// <exception cref="RunException">There is no such method, or its client streams.</exception>
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

    /// <summary>The payloads of these paths.</summary>
    /// <param name="schema">The schema; null: the bytes are taken as they are.</param>
    /// <param name="messageName">Full name of their message.</param>
    /// <param name="paths">Files and folders.</param>
    /// <param name="cancellationToken">Stops reading.</param>
    /// <exception cref="RunException">A payload cannot be read.</exception>
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

/// <summary>A gRPC method.</summary>
/// <param name="Path"><c>package.Service/Method</c>, without a leading slash.</param>
/// <param name="IsServerStreaming">Whether it answers one request with a stream.</param>
sealed record TargetMethod(string Path, bool IsServerStreaming);

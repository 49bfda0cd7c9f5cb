using Google.Protobuf;
using Google.Protobuf.Reflection;
using Grpc.Core;
using Grpc.Reflection.V1;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>Asks a server for its schema. The messages of v1 and v1alpha are the same on the wire.</summary>
static class ServerReflection
{
    static readonly string[] versions = ["v1", "v1alpha"];

    // a server may send all files in one answer, which is then larger than gRPC's default limit
    const int mostBytes = 256 * 1024 * 1024;

    /// <param name="endpoint">The server.</param>
    /// <param name="metadata">Sent with each call.</param>
    /// <param name="service">Whose files are asked for; null for all services.</param>
    /// <param name="types">Messages that are asked for, too, although no method uses them.</param>
    /// <param name="known">Files that are there already. The server's files add only the types that these lack.</param>
    /// <param name="cancellationToken">Ends the calls.</param>
    /// <returns>The schema, and the services of the server. The schema is null if it does not describe the service, the services are null
    /// if it has no reflection.</returns>
    /// <exception cref="RpcException">Thrown when the server cannot be reached, or refuses.</exception>
    /// <exception cref="SchemaException">Thrown when the server sends something else than files.</exception>
    public static async Task<(ProtoSchema? Schema, IReadOnlyList<string>? Services)> AskAsync(RpcEndpoint endpoint, Metadata? metadata,
        string? service, IEnumerable<string>? types = null, ProtoSchema? known = null, CancellationToken cancellationToken = default)
    {
        await using var client = new GrpcDotnetClient(endpoint, new() { MaxReceiveBytes = mostBytes });
        List<(string Version, RpcException Failure)> refusals = [];
        foreach (var version in versions)
        {
            var method = new RpcMethod<ServerReflectionRequest, ServerReflectionResponse>(
                $"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo", new GoogleMarshaller<ServerReflectionRequest>(),
                new GoogleMarshaller<ServerReflectionResponse>());
            await using var stream =
                client.Stream(method, new() { Timeout = LocalClient.AtLeast, Headers = metadata }, cancellationToken);
            try
            {
                // a server that answers any method answers something else
                if ((await AskAsync(stream, new() { ListServices = "" }))?.ListServicesResponse is not { } list)
                    continue;
                List<string> services = [.. list.Service.Select(one => one.Name.TrimStart('.'))];
                if (service is not null && !services.Contains(service))
                    return (null, services);
                var files = await FilesAsync(stream, service is null ? services : [service], types ?? [], known, cancellationToken);
                var schema = ProtoSchema.OfServer(files, $"the reflection of {endpoint}");
                return (service is null || schema.HasService(service) ? schema : null, services);
            }
            catch (InvalidProtocolBufferException e)
            {
                throw new SchemaException($"the reflection of {endpoint} sent a file that is none: {e.Message}", e);
            }
            catch (RpcException e) when (client.Connection.Opened > 0 && e.StatusCode != StatusCode.DeadlineExceeded
                && !cancellationToken.IsCancellationRequested)
            {
                // The server or a proxy in front of it may refuse a version that it does not know with any status.
                refusals.Add((version, e));
            }
        }

        if (refusals.TrueForAll(one => one.Failure.StatusCode == StatusCode.Unimplemented))
            return (null, null);
        var (first, last) = (refusals[0], refusals[^1]);
        if (first.Failure.Message != last.Failure.Message)
        {
            throw RpcFailure.Of(first.Failure.StatusCode, $"reflection {last.Version}: {last.Failure.Message} (status "
                + $"{last.Failure.StatusCode}); {first.Version}: {first.Failure.Message}");
        }

        // a message with the name of the server is about the connection
        throw first.Failure.Message.Contains($"{endpoint}", StringComparison.Ordinal) ? first.Failure
            : RpcFailure.Of(first.Failure.StatusCode, $"reflection: {first.Failure.Message}");
    }

    static async Task<IReadOnlyList<FileDescriptorProto>> FilesAsync(
        GrpcDotnetStream<ServerReflectionRequest, ServerReflectionResponse> stream, IEnumerable<string> services, IEnumerable<string> types,
        ProtoSchema? known, CancellationToken cancellationToken)
    {
        var files = new Dictionary<string, FileDescriptorProto>();
        foreach (var file in known?.Files ?? [])
            files.TryAdd(file.Name, file);
        var asked = new HashSet<string>();
        foreach (var name in services)
            Add(files, await AskForAsync(stream, name));

        // Some servers send a file with its imports, others without, and others under another name than that of the import. So types that
        // are still missing are asked for by their names.
        while (true)
        {
            foreach (var name in Imports(files).Where(asked.Add).ToList())
                Add(files, await AskAsync(stream, new() { FileByFilename = name }));
            if (Imports(files).Any(name => !asked.Contains(name)))
                continue;
            var missing = ProtoSchema.MissingTypes(files.Values, types).Where(asked.Add).ToList();
            if (missing.Count == 0)
                break;
            foreach (var name in missing)
                Add(files, await AskForAsync(stream, name));
        }

        // The well-known types are part of protobuf, and some servers do not describe them.
        if (ProtoSchema.MissingTypes(files.Values, types).Any(name => name.StartsWith("google.protobuf.", StringComparison.Ordinal)))
        {
            foreach (var file in await ProtoSchema.WellKnownFilesAsync(cancellationToken))
                files.TryAdd(file.Name, file);
        }

        return [.. files.Values];
    }

    /// <summary>@grpc/reflection of Node puts a dot before the names of a file without a package.</summary>
    static async ValueTask<ServerReflectionResponse?> AskForAsync(
        GrpcDotnetStream<ServerReflectionRequest, ServerReflectionResponse> stream, string symbol) =>
        await AskAsync(stream, new() { FileContainingSymbol = symbol })
            ?? (symbol.Contains('.', StringComparison.Ordinal) ? null : await AskAsync(stream, new() { FileContainingSymbol = "." + symbol }));

    /// <returns>The answer; null if the server knows no such file or symbol.</returns>
    static async ValueTask<ServerReflectionResponse?> AskAsync(
        GrpcDotnetStream<ServerReflectionRequest, ServerReflectionResponse> stream, ServerReflectionRequest request)
    {
        await stream.WriteAsync(request);
        var answer = await stream.ReadAsync();
        return answer is { HasMessage: true, Message.ErrorResponse: null } ? answer.Message : null;
    }

    static void Add(Dictionary<string, FileDescriptorProto> files, ServerReflectionResponse? answer)
    {
        foreach (var bytes in answer?.FileDescriptorResponse?.FileDescriptorProto ?? [])
        {
            var file = FileDescriptorProto.Parser.ParseFrom(bytes);
            files.TryAdd(file.Name, file);
        }
    }

    // options such as google.api.http come from files that a server need not have
    static IEnumerable<string> Imports(Dictionary<string, FileDescriptorProto> files) =>
        files.Values.SelectMany(file => file.Dependency).Where(name => !files.ContainsKey(name));
}

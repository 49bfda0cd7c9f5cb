using Google.Protobuf.Reflection;
using Grpc.Core;
using Grpc.Reflection.V1;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost;

/// <summary>Asks a server for its schema. The messages of v1 and v1alpha are the same on the wire.</summary>
static class ServerReflection
{
    static readonly string[] versions = ["v1", "v1alpha"];

    /// <param name="service">Whose files are asked for; null for all services.</param>
    /// <returns>The schema, and the services of the server. The schema is null if it does not describe the service, the services are null
    /// if it has no reflection.</returns>
    /// <exception cref="RpcException">Thrown when the server cannot be reached, or refuses.</exception>
    public static async Task<(ProtoSchema? Schema, IReadOnlyList<string>? Services)> AskAsync(RpcEndpoint endpoint, Metadata? metadata,
        string? service, CancellationToken cancellationToken)
    {
        await using var client = new GrpcDotnetClient(endpoint);
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
                List<string> services = [.. list.Service.Select(one => one.Name)];
                if (service is not null && !services.Contains(service))
                    return (null, services);
                var files = new Dictionary<string, FileDescriptorProto>();
                foreach (var name in service is null ? services : [service])
                    Add(files, await AskAsync(stream, new() { FileContainingSymbol = name }));
                // some servers send a file with its imports, others without
                for (var missing = Missing(files); missing.Count > 0; missing = [.. Missing(files).Except(missing)])
                {
                    foreach (var name in missing)
                        Add(files, await AskAsync(stream, new() { FileByFilename = name }));
                }

                return (ProtoSchema.Of(new() { File = { files.Values } }, $"the reflection of {endpoint}"), services);
            }
            catch (RpcException e) when (e.StatusCode == StatusCode.Unimplemented)
            {
                // the next version
            }
        }

        return (null, null);
    }

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
            files[file.Name] = file;
        }
    }

    // options such as google.api.http come from files that a server need not have
    static HashSet<string> Missing(Dictionary<string, FileDescriptorProto> files) =>
        [.. files.Values.SelectMany(file => file.Dependency).Where(name => !files.ContainsKey(name))];
}

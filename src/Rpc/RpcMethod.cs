using Google.Protobuf.Reflection;

namespace ProtoBench.Rpc;

/// <summary>A method of a service: its path on the wire (<c>/package.Service/Method</c>) and the marshallers of its messages.</summary>
public sealed record RpcMethod<TRequest, TResponse>(string Path, Marshaller<TRequest> Request, Marshaller<TResponse> Response)
{
    /// <summary>The description of the service, which a gRPC host publishes by reflection; null to publish nothing.</summary>
    public ServiceDescriptor? Service { get; init; }

    /// <summary>Whether a message is in recycled memory, so that each call must release it.</summary>
    internal bool Recycles => Request.Recycles || Response.Recycles;

    /// <summary>Whether the response is the request itself. Such a message is released once.</summary>
    internal bool IsSame(TRequest request, TResponse response) =>
        Response.Recycles && request is TResponse same && Response.IsSame(same, response);
}

using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc;

/// <summary>A method of a service: its path on the wire (<c>/package.Service/Method</c>) and the marshallers of its messages.</summary>
public sealed record RpcMethod<TRequest, TResponse>(string Path, Marshaller<TRequest> Request, Marshaller<TResponse> Response)
{
    /// <summary>Whether a handler has returned its own request, which is then released once.</summary>
    internal bool IsSame(TRequest request, TResponse response) =>
        Response.Recycles && request is TResponse same && Response.IsSame(same, response);
}

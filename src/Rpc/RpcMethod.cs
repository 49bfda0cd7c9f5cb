namespace ProtoBench.Rpc;

/// <summary>A method of a service: its path on the wire (<c>/package.Service/Method</c>) and how its messages travel.</summary>
public sealed record RpcMethod<TRequest, TResponse>(string Path, Marshaller<TRequest> Request, Marshaller<TResponse> Response);

namespace ProtoBench.Rpc;

/// <summary>The server's end of a streaming call, with the messages' types.</summary>
public sealed class RpcServerStream<TRequest, TResponse>(RpcServerCall call, RpcMethod<TRequest, TResponse> method)
{
    /// <summary>The call: metadata and cancellation.</summary>
    public RpcServerCall Call { get; } = call;

    /// <inheritdoc cref="RpcServerCall.ReadAsync"/>
    public ValueTask<Received<TRequest>> ReadAsync() => Call.ReadAsync(method.Request);

    /// <inheritdoc cref="RpcServerCall.WriteAsync"/>
    public ValueTask WriteAsync(TResponse message) => Call.WriteAsync(method.Response, message);
}

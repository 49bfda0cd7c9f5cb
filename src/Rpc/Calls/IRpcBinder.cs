namespace ProtoBench.Rpc.Calls;

/// <summary>A transport whose library runs the calls. It needs each method
/// with its types, which <see cref="RpcHandler.Bind"/> provides.</summary>
public interface IRpcBinder
{
    /// <summary>One request, one response. The transport releases both when the response is written or the call has failed,
    /// and only once if they are the same message.</summary>
    void Unary<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer);

    /// <summary>Any number of messages in each direction. <paramref name="serve"/> releases the messages that it reads.</summary>
    void Stream<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve);
}

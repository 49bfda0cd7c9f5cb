namespace ProtoBench.Rpc.Calls;

/// <summary>A stack that runs calls by itself and has to be told each method with its types: <see cref="RpcHandler.Bind"/> tells it.</summary>
public interface IRpcBinder
{
    /// <summary>One request, one response. The stack releases both when the response is written or the call has failed,
    /// and once where they are the same.</summary>
    void Unary<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, Func<TRequest, RpcServerCall, ValueTask<TResponse>> answer);

    /// <summary>Any number of messages each way. What is read belongs to <paramref name="serve"/>.</summary>
    void Stream<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, Func<RpcServerStream<TRequest, TResponse>, ValueTask> serve);
}

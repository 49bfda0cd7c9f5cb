using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc;

/// <summary>A transport's client side: one connection to one host. Thread-safe; calls share the connection.</summary>
public interface IRpcClient : IAsyncDisposable
{
    /// <summary>Facts about the connection, read from the connection itself.</summary>
    RpcConnectionFacts Connection { get; }

    /// <summary>One request, one response. The caller releases the response with the method's marshaller.</summary>
    /// <param name="method">What to call.</param>
    /// <param name="request">Owned by the caller; not used after the returned task has completed.</param>
    /// <param name="call">Metadata and time limit; null for none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RpcException">The call failed; cancelled and timed-out calls too.</exception>
    ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null,
            CancellationToken cancellationToken = default);

    /// <summary>Opens a call in which both sides may send any number of messages.</summary>
    IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCallOptions? call = null, CancellationToken cancellationToken = default);
}

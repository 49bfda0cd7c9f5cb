using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc;

/// <summary>The client's side of a streaming call. One writer and one reader may work at the same time.
/// Disposing it before the end was read cancels the call.</summary>
public interface IRpcStream<TRequest, TResponse> : IAsyncDisposable
{
    /// <summary>Sends a message. False when the peer has ended the call; a read then provides the status.</summary>
    ValueTask<bool> WriteAsync(TRequest message);

    /// <summary>Ends the requests: no more messages will be sent.</summary>
    ValueTask CompleteAsync();

    /// <summary>The next message, which the caller releases, or the end of a call that succeeded.</summary>
    /// <exception cref="RpcException">The call failed.</exception>
    ValueTask<Received<TResponse>> ReadAsync();
}

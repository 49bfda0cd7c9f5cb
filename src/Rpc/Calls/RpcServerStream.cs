namespace ProtoBench.Rpc.Calls;

/// <summary>The server's side of a streaming call. One reader and one writer may work at the same time.</summary>
public abstract class RpcServerStream<TRequest, TResponse>
{
    /// <summary>The call: metadata and cancellation.</summary>
    public abstract RpcServerCall Call { get; }

    /// <summary>The next message, which the caller of this method releases, or the end of the requests.</summary>
    public abstract ValueTask<Received<TRequest>> ReadAsync();

    /// <summary>Sends a message. The caller keeps the ownership.</summary>
    /// <exception cref="OperationCanceledException">The call has ended, or the caller has disconnected.</exception>
    public abstract ValueTask WriteAsync(TResponse message);
}

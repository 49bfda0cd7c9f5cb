namespace ProtoBench.Rpc.Calls;

/// <summary>The server's end of a streaming call, with the messages' types. One reader and one writer may work at the same time.</summary>
public abstract class RpcServerStream<TRequest, TResponse>
{
    /// <summary>The call: metadata and cancellation.</summary>
    public abstract RpcServerCall Call { get; }

    /// <summary>The next message, which the caller of this method releases, or the end of the requests.</summary>
    public abstract ValueTask<Received<TRequest>> ReadAsync();

    /// <summary>Sends a message, which stays the caller's.</summary>
    /// <exception cref="OperationCanceledException">Nobody is there to receive it.</exception>
    public abstract ValueTask WriteAsync(TResponse message);
}

namespace ProtoBench.Rpc.Calls;

/// <summary>A call as a handler sees it: its metadata and its cancellation. Not valid after the handler has returned.</summary>
public abstract class RpcServerCall
{
    /// <summary>Metadata that the caller sent.</summary>
    public abstract RpcMetadata RequestHeaders { get; }

    /// <summary>Metadata to send before the first message; without effect once a message was sent.</summary>
    public RpcMetadata ResponseHeaders { get; } = new();

    /// <summary>Metadata to send with the status.</summary>
    public RpcMetadata Trailers { get; } = new();

    /// <summary>Cancelled when the caller cancels, the deadline passes, the connection is lost, or the server has waited long enough for
    /// the call while it stops. Exceptions of registered callbacks are ignored.</summary>
    public abstract CancellationToken CancellationToken { get; }
}

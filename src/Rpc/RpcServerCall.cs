namespace ProtoBench.Rpc;

/// <summary>A call as a transport's server side shows it to a handler. One reader and one writer may work at the same time.
/// Dead after the handler returned.</summary>
public abstract class RpcServerCall
{
    /// <summary>Metadata that the caller sent.</summary>
    public abstract RpcMetadata RequestHeaders { get; }

    /// <summary>Metadata to send before the first message; without effect once a message was sent.</summary>
    public RpcMetadata ResponseHeaders { get; } = new();

    /// <summary>Metadata to send with the status.</summary>
    public RpcMetadata Trailers { get; } = new();

    /// <summary>Fires when the caller gave up, its time is over or its connection is lost.</summary>
    public abstract CancellationToken Stop { get; }

    /// <summary>The next message, which the caller of this method releases, or the end of the requests.</summary>
    public abstract ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends a message, which stays the caller's.</summary>
    /// <param name="marshaller">How it becomes bytes.</param>
    /// <param name="message">The message.</param>
    /// <param name="last">No other message follows: it may travel together with the status.</param>
    /// <exception cref="OperationCanceledException">Nobody is there to receive it.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false);
}

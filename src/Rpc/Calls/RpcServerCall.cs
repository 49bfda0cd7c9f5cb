namespace ProtoBench.Rpc.Calls;

/// <summary>A call as a transport's server side shows it to a handler: what goes beside the messages. Dead after the handler returned.</summary>
public abstract class RpcServerCall
{
    /// <summary>Metadata that the caller sent.</summary>
    public abstract RpcMetadata RequestHeaders { get; }

    /// <summary>Metadata to send before the first message; without effect once a message was sent.</summary>
    public RpcMetadata ResponseHeaders { get; } = new();

    /// <summary>Metadata to send with the status.</summary>
    public RpcMetadata Trailers { get; } = new();

    /// <summary>Fires when the caller gave up, its time is over, its connection is lost, or the host stops and has waited long enough.
    /// Exceptions that registered callbacks throw are dropped.</summary>
    public abstract CancellationToken CancellationToken { get; }
}

namespace ProtoBench.Rpc;

/// <summary>A call on the side of its handler: its metadata and its cancellation. Not valid after the handler has returned.</summary>
public abstract class RpcServerCall
{
    public abstract Metadata RequestHeaders { get; }

    /// <summary>The metadata that is sent before the first message. It has no effect after the first message.</summary>
    public Metadata ResponseHeaders { get; } = [];

    public abstract Metadata Trailers { get; }

    /// <summary>The token that is cancelled when the caller cancels, the deadline passes, the connection is lost, or <see
    /// cref="RpcLimits.ShutdownTimeout"/> has passed while the server stops. Exceptions of registered callbacks are ignored.</summary>
    public abstract CancellationToken CancellationToken { get; }
}

public abstract class RpcMessageCall : RpcServerCall
{
    public override Metadata RequestHeaders { get; } = [];

    public override Metadata Trailers { get; } = [];

    /// <summary>Reads the request. It can be read once. The caller of this method releases it.</summary>
    /// <exception cref="RpcException">Thrown for a malformed or too large request, or when its caller has disconnected.</exception>
    public abstract ValueTask<T> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends the response. It can be sent once. The caller of this method keeps the ownership.</summary>
    /// <exception cref="OperationCanceledException">Thrown when the call has ended, or the caller has disconnected.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message);
}

using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Calls;

/// <summary>A call of a transport that only sends and receives messages. <see cref="RpcHandler.RunAsync"/> decides their order.
/// One reader and one writer may work at the same time. Not valid after the handler has returned.</summary>
public abstract class RpcMessageCall : RpcServerCall
{
    /// <summary>The next message, which the caller of this method releases, or the end of the requests.</summary>
    public abstract ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends a message. The caller keeps the ownership.</summary>
    /// <param name="marshaller">The message's marshaller.</param>
    /// <param name="message">The message.</param>
    /// <param name="last">No other message follows, so it may be sent together with the status.</param>
    /// <exception cref="OperationCanceledException">The call has ended, or the caller has disconnected.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false);
}

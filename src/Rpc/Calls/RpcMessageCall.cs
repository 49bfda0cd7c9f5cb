using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Calls;

/// <summary>A call of a transport that only carries messages and leaves their order to <see cref="RpcHandler.RunAsync"/>.
/// One reader and one writer may work at the same time. Dead after the handler returned.</summary>
public abstract class RpcMessageCall : RpcServerCall
{
    /// <summary>The next message, which the caller of this method releases, or the end of the requests.</summary>
    public abstract ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller);

    /// <summary>Sends a message, which stays the caller's.</summary>
    /// <param name="marshaller">How it becomes bytes.</param>
    /// <param name="message">The message.</param>
    /// <param name="last">No other message follows: it may travel together with the status.</param>
    /// <exception cref="OperationCanceledException">Nobody is there to receive it.</exception>
    public abstract ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false);
}

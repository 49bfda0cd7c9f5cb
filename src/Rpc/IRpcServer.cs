using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc;

/// <summary>A transport's server side, listening. Thread-safe.</summary>
/// <remarks>Disposing it stops it. New connections and new calls are refused: their callers get UNAVAILABLE. Calls in progress continue.
/// Those that have not ended after <see cref="RpcLimits.ShutdownTimeout"/> are cancelled: <see cref="RpcServerCall.CancellationToken"/> is
/// cancelled, and their callers get UNAVAILABLE. The server does not wait longer than one more second for a handler. Disposing it again
/// does nothing.</remarks>
public interface IRpcServer : IAsyncDisposable
{
    /// <summary>Where it listens, with the real port and, under TLS, the thumbprint that a client needs.</summary>
    RpcEndpoint Endpoint { get; }

    /// <summary>Connections accepted since the start.</summary>
    int ConnectionsAccepted { get; }
}

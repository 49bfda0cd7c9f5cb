using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc;

/// <summary>A transport's server side, listening. Thread-safe.</summary>
/// <remarks>Disposing it stops it. New connections and new calls are refused: their callers get UNAVAILABLE. Calls that are under way go on to their end.
/// Those that have not ended after <see cref="RpcLimits.ShutdownTimeout"/> are cancelled: <see cref="RpcServerCall.CancellationToken"/> fires, and their callers get
/// UNAVAILABLE. A handler that does not end within a second after that is no longer waited for. Disposing it again does nothing.</remarks>
public interface IRpcServer : IAsyncDisposable
{
    /// <summary>Where it listens, with the real port and, under TLS, the thumbprint that a client needs.</summary>
    RpcEndpoint Endpoint { get; }

    /// <summary>Connections accepted since the start.</summary>
    int ConnectionsAccepted { get; }
}

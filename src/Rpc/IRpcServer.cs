namespace ProtoBench.Rpc;

/// <summary>A transport's server side, listening. Disposing it stops it and waits for calls that are under way.</summary>
public interface IRpcServer : IAsyncDisposable
{
    /// <summary>Where it listens, with the real port and, under TLS, the thumbprint that a client needs.</summary>
    RpcEndpoint Endpoint { get; }

    /// <summary>Connections accepted since the start.</summary>
    int ConnectionsAccepted { get; }
}

using System.Net;

namespace ProtoBench.Rpc;

/// <summary>The client side of a transport: one connection to one host. Thread-safe; calls share the connection.</summary>
public interface IRpcClient : IAsyncDisposable
{
    /// <summary>Facts that were read from the connection itself.</summary>
    RpcConnectionFacts Connection { get; }

    /// <summary>Makes a call with one request and one response. The caller releases the response with the method's marshaller.</summary>
    /// <param name="request">Owned by the caller; not used after the returned task has completed.</param>
    /// <exception cref="RpcException">Thrown when the call fails, is cancelled or exceeds its time limit.</exception>
    ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null,
            CancellationToken cancellationToken = default);
}

/// <summary>One object can be used for many calls. If it collects metadata, these calls must not be concurrent.</summary>
public sealed class RpcCallOptions
{
    /// <summary>Null for no limit. The client ends the call with DEADLINE_EXCEEDED; a gRPC server gets the limit too.</summary>
    public TimeSpan? Timeout { get; init; }

    public Metadata? Headers { get; init; }

    /// <summary>Receives the metadata that is sent before the first message; null to ignore it.</summary>
    public Metadata? ResponseHeaders { get; init; }

    /// <summary>Receives the metadata that is sent with the status; null to ignore it. The exception of a failed call has it too.</summary>
    public Metadata? Trailers { get; init; }
}

public sealed record RpcConnectionFacts
{
    /// <summary>The negotiated protocol, for example "HTTP/2"; null before the first reply.</summary>
    public string? Protocol { get; init; }

    /// <summary>TLS version and cipher; null without TLS.</summary>
    public string? Tls { get; init; }

    /// <summary>To which of <see cref="RpcEndpoint.Addresses"/> the last of them was opened; null without such.</summary>
    public IPEndPoint? Address { get; init; }

    /// <summary>Connections opened so far. More than 1 means that the first was lost.</summary>
    public int Opened { get; init; }

    /// <summary>The time that it took to open the last of them, TLS included; null before the first is open.</summary>
    public TimeSpan? ConnectTime { get; init; }

    /// <summary>Requests that the HTTP layer sent again because the peer refused them. The server may have received them twice.</summary>
    public long HiddenRetries { get; init; }

    /// <summary>The client's windows, in bytes, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init; } = new Dictionary<string, long>();
}

/// <summary>The server side of a transport, which is listening. Thread-safe.</summary>
/// <remarks>Disposing it stops it. New connections and new calls are refused: their callers get UNAVAILABLE. Calls in progress continue.
/// Those that have not ended after <see cref="RpcLimits.ShutdownTimeout"/> are cancelled: <see cref="RpcServerCall.CancellationToken"/> is
/// cancelled, and their callers get UNAVAILABLE. The server does not wait longer than one more second for a handler. Disposing it again
/// does nothing.</remarks>
public interface IRpcServer : IAsyncDisposable
{
    /// <summary>Where it listens, with the real port and, under TLS, the thumbprint that a client needs.</summary>
    RpcEndpoint Endpoint { get; }

    int ConnectionsAccepted { get; }
}

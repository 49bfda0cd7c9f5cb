using Grpc.Core;

namespace ProtoBench.Rpc;

/// <summary>A transport's client side: one connection to one host. Thread-safe; calls share the connection.</summary>
public interface IRpcClient : IAsyncDisposable
{
    /// <summary>Facts about the connection, read from the connection itself.</summary>
    RpcConnectionFacts Connection { get; }

    /// <summary>One request, one response. The caller releases the response with the method's marshaller.</summary>
    /// <param name="method">What to call.</param>
    /// <param name="request">Owned by the caller; not used after the returned task has completed.</param>
    /// <param name="call">Metadata and time limit; null for none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RpcException">The call failed; cancelled and timed-out calls too.</exception>
    ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null,
            CancellationToken cancellationToken = default);
}

/// <summary>The options of a client's call. One object can be used for many
/// calls, but not for concurrent calls if it collects metadata.</summary>
public sealed class RpcCallOptions
{
    /// <summary>The longest the call may take; null for no limit. The client then ends the call with DEADLINE_EXCEEDED.
    /// A gRPC server receives the limit too and ends the call itself.</summary>
    public TimeSpan? Timeout { get; init; }

    /// <summary>Metadata to send; null for none.</summary>
    public Metadata? Headers { get; init; }

    /// <summary>Receives the metadata that is sent before the first message; null to ignore it.</summary>
    public Metadata? ResponseHeaders { get; init; }

    /// <summary>Receives the metadata that is sent with the status; null to ignore it. The exception of a failed call has it too.</summary>
    public Metadata? Trailers { get; init; }
}

/// <summary>Facts about a client's connection, read from the connection and not from the options.</summary>
public sealed record RpcConnectionFacts
{
    /// <summary>The negotiated protocol, for example "HTTP/2"; null before the first reply.</summary>
    public string? Protocol { get; init; }

    /// <summary>TLS version and cipher; null without TLS.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections opened so far. More than 1 means that the first was lost.</summary>
    public int Opened { get; init; }

    /// <summary>How long it took to open the last of them, TLS included; null before.</summary>
    public TimeSpan? ConnectTime { get; init; }

    /// <summary>Requests that the HTTP layer sent again because the peer
    /// refused them. The server may have seen such a call twice.</summary>
    public long HiddenRetries { get; init; }

    /// <summary>The client's windows, in bytes, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init; } = new Dictionary<string, long>();
}

using Grpc.Core;

namespace ProtoBench.Rpc;

/// <summary>Represents the client side of a transport: one connection to one host. Thread-safe; calls share the connection.</summary>
public interface IRpcClient : IAsyncDisposable
{
    /// <summary>Gets facts about the connection, read from the connection itself.</summary>
    RpcConnectionFacts Connection { get; }

    /// <summary>Makes a call with one request and one response. The caller releases the response with the method's marshaller.</summary>
    /// <param name="method">The method to call.</param>
    /// <param name="request">Owned by the caller; not used after the returned task has completed.</param>
    /// <param name="call">Metadata and time limit; null for none.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    /// <exception cref="RpcException">Thrown when the call fails, is cancelled or exceeds its time limit.</exception>
    ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null,
            CancellationToken cancellationToken = default);
}

/// <summary>Represents the options of a client's call. One object can be used for many calls. If it collects metadata, these calls must not
/// be concurrent.</summary>
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

/// <summary>Represents facts about a client's connection. They are read from the connection and not from the options.</summary>
public sealed record RpcConnectionFacts
{
    /// <summary>The negotiated protocol, for example "HTTP/2"; null before the first reply.</summary>
    public string? Protocol { get; init; }

    /// <summary>TLS version and cipher; null without TLS.</summary>
    public string? Tls { get; init; }

    /// <summary>Connections opened so far. More than 1 means that the first was lost.</summary>
    public int Opened { get; init; }

    /// <summary>The time that it took to open the last of them, TLS included; null before the first is open.</summary>
    public TimeSpan? ConnectTime { get; init; }

    /// <summary>The number of requests that the HTTP layer sent again because the peer refused them. The server may have received such a
    /// call twice.</summary>
    public long HiddenRetries { get; init; }

    /// <summary>The client's windows, in bytes, by name.</summary>
    public IReadOnlyDictionary<string, long> Http2 { get; init; } = new Dictionary<string, long>();
}

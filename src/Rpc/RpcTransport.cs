using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ProtoBench.Rpc;

/// <param name="certificate">The certificate for TLS; null for no TLS. The caller disposes it.</param>
public delegate Task<IRpcServer> StartRpcServer(
    RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null);

/// <param name="connections">The most, for a transport that carries one call at a time on each. Others open one.</param>
public delegate IRpcClient ConnectRpcClient(RpcEndpoint endpoint, RpcLimits? limits = null, int connections = 1);

/// <param name="Name">The name in options and result files.</param>
public sealed record RpcTransport(string Name, StartRpcServer StartAsync, ConnectRpcClient Connect)
{
    /// <summary>Whether it is an implementation of gRPC. Only these have streams and metadata.</summary>
    public bool SpeaksGrpc { get; init; }

    /// <summary>All settings on both sides are the libraries'. The limits of <see cref="RpcLimits"/> do not apply.</summary>
    public bool HasLibraryDefaults { get; init; }

    /// <summary>The settings that differ from the libraries' defaults; null for none, and for a transport without HTTP.</summary>
    public string? Settings =>
        HasLibraryDefaults || Protocol == "socket" ? null
        : $"server: {KestrelHost.Settings}; client: {HttpConnection.Settings}";

    /// <summary>The protocol that its clients negotiate: the value of <see cref="RpcConnectionFacts.Protocol"/>.</summary>
    public string Protocol { get; init; } = "HTTP/2";

    /// <summary>Whether many calls share one connection. Otherwise each call needs a connection of its own.</summary>
    public bool Multiplexed { get; init; } = true;

    /// <summary>The names of the codecs that the transport supports, if the codec is part of its library; null for any codec.</summary>
    public IReadOnlyList<string>? OnlyCodecs { get; init; }

    public bool Carries(string codec) => OnlyCodecs is null || OnlyCodecs.Contains(codec);
}

/// <summary>The load client, the RPC table and the contract tests use every transport in this list.</summary>
public static class RpcTransports
{
    /// <summary>The default is the first, and those that are gRPC precede the others.</summary>
    public static IReadOnlyList<RpcTransport> All { get; } =
    [
        new("grpc-dotnet", GrpcDotnetServer.StartAsync, (endpoint, limits, _) => new GrpcDotnetClient(endpoint, limits)) { SpeaksGrpc = true },
        new(
            "grpc-dotnet-defaults",
            (endpoint, handlers, limits, certificate) => GrpcDotnetServer.StartAsync(endpoint, handlers, Defaults(limits), certificate),
            (endpoint, limits, _) => new GrpcDotnetClient(endpoint, Defaults(limits))) { SpeaksGrpc = true, HasLibraryDefaults = true },
        new("protobuf-net.Grpc", ProtobufNetGrpcServer.StartAsync, (endpoint, limits, _) => new ProtobufNetGrpcClient(endpoint, limits))
        {
            SpeaksGrpc = true,
            OnlyCodecs = ["pbn", "pbn-runtime", "pbn-slab", "pbn-pool"],
        },
        new("http2", Http(HttpProtocols.Http2), (endpoint, limits, _) => new PlainHttpClient(endpoint, HttpVersion.Version20, limits)),
        new(
            "http1",
            Http(HttpProtocols.Http1),
            (endpoint, limits, connections) => new PlainHttpClient(endpoint, HttpVersion.Version11, limits, connections))
        {
            Protocol = "HTTP/1.1",
            Multiplexed = false,
        },
        new("socket", SocketServer.StartAsync, (endpoint, limits, _) => new SocketClient(endpoint, limits)) { Protocol = "socket" },
    ];

    public static RpcTransport Named(string name) =>
        All.FirstOrDefault(transport => transport.Name == name)
        ?? throw new ArgumentException($"there is no transport '{name}'", nameof(name));

    static StartRpcServer Http(HttpProtocols protocols) =>
        (endpoint, handlers, limits, certificate) => PlainHttpServer.StartAsync(endpoint, handlers, protocols, limits, certificate);

    static RpcLimits Defaults(RpcLimits? limits) => RpcLimits.LibraryDefaults with { Tuning = limits?.Tuning ?? new() };
}

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

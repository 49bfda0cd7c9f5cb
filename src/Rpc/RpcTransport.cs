using System.Net;
using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Servers;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Rpc.Transports.PlainHttp;
using ProtoBench.Rpc.Transports.ProtobufNetGrpc;
using ProtoBench.Rpc.Transports.Sockets;

namespace ProtoBench.Rpc;

/// <summary>Starts a server that listens on an endpoint and answers calls with these handlers.</summary>
/// <param name="endpoint">The address to bind; port 0 selects a free port.</param>
/// <param name="handlers">The methods.</param>
/// <param name="limits">What callers may do; null for the defaults.</param>
/// <param name="certificate">The certificate for TLS, which stays the caller's; null for no TLS.</param>
public delegate Task<IRpcServer> StartRpcServer(
    RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null);

/// <summary>Creates a client, which opens its connections when the first calls are made.</summary>
/// <param name="endpoint">The server.</param>
/// <param name="limits">What the client accepts; null for the defaults.</param>
/// <param name="connections">The highest number of connections, for a transport
/// that carries one call at a time on each. Other transports open one.</param>
public delegate IRpcClient ConnectRpcClient(RpcEndpoint endpoint, RpcLimits? limits = null, int connections = 1);

/// <summary>One transport: its server side, its client side, and what callers must know about it.</summary>
/// <param name="Name">The name in options and result files.</param>
/// <param name="StartAsync">Starts a server.</param>
/// <param name="Connect">Creates a client.</param>
public sealed record RpcTransport(string Name, StartRpcServer StartAsync, ConnectRpcClient Connect)
{
    /// <summary>Whether it is an implementation of gRPC. Only these have streams and metadata.</summary>
    public bool SpeaksGrpc { get; init; }

    /// <summary>Whether every setting is the library's own, on both sides. It has none of the limits of <see cref="RpcLimits"/>.</summary>
    public bool HasLibraryDefaults { get; init; }

    /// <summary>The settings that are not the libraries' defaults, in words; null for none, and for a transport without HTTP.</summary>
    public string? Settings =>
        HasLibraryDefaults || Protocol == "socket" ? null
        : $"server: {KestrelHost.Settings}; client: {HttpConnection.Settings}";

    /// <summary>The protocol that its clients negotiate: the value of <see cref="RpcConnectionFacts.Protocol"/>.</summary>
    public string Protocol { get; init; } = "HTTP/2";

    /// <summary>Whether many calls share one connection. Otherwise each call needs a connection of its own.</summary>
    public bool Multiplexed { get; init; } = true;

    /// <summary>The names of the only codecs that it carries, because the codec is part of the library; null for any codec.</summary>
    public IReadOnlyList<string>? OnlyCodecs { get; init; }

    /// <summary>Whether it carries the codec with this name.</summary>
    public bool Carries(string codec) => OnlyCodecs is null || OnlyCodecs.Contains(codec);
}

/// <summary>The registry of transports. The load client, the RPC table and the contract tests use every transport that is listed
/// here.</summary>
public static class RpcTransports
{
    /// <summary>All transports, the default first, and those that speak gRPC before the others.</summary>
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
            OnlyCodecs = ["pbn", "pbn-slab", "pbn-pool"],
        },
        new("http2", PlainHttpServer.StartHttp2Async, (endpoint, limits, _) => new PlainHttpClient(endpoint, HttpVersion.Version20, limits)),
        new("http1", PlainHttpServer.StartHttp1Async, PlainHttpClient.OverHttp1) { Protocol = "HTTP/1.1", Multiplexed = false },
        new("socket", SocketServer.StartAsync, (endpoint, limits, _) => new SocketClient(endpoint, limits)) { Protocol = "socket" },
    ];

    /// <summary>The transport with this name.</summary>
    /// <exception cref="ArgumentException">There is no such transport.</exception>
    public static RpcTransport Named(string name) =>
        All.FirstOrDefault(transport => transport.Name == name)
        ?? throw new ArgumentException($"there is no transport '{name}'", nameof(name));

    static RpcLimits Defaults(RpcLimits? limits) => RpcLimits.LibraryDefaults with { Tuning = limits?.Tuning ?? new() };
}

using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;

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
    /// <summary>Whether it is an implementation of gRPC.</summary>
    public bool SpeaksGrpc { get; init; }

    /// <summary>The protocol that its clients negotiate: the value of <see cref="RpcConnectionFacts.Protocol"/>.</summary>
    public string Protocol { get; init; } = "HTTP/2";

    /// <summary>Whether many calls share one connection. Otherwise each call needs a connection of its own.</summary>
    public bool Multiplexed { get; init; } = true;

    /// <summary>The names of the only codecs that it carries, because the codec is part of the library; null for any codec.</summary>
    public IReadOnlyList<string>? OnlyCodecs { get; init; }

    /// <summary>Whether it carries the codec with this name.</summary>
    public bool Carries(string codec) => OnlyCodecs is null || OnlyCodecs.Contains(codec);
}

using System.Security.Cryptography.X509Certificates;

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

using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Inbox;
using ProtoBench.Rpc.PlainHttp;
using ProtoBench.Rpc.Sockets;

namespace ProtoBench.Stacks;

/// <summary>One RPC stack, as its cells use it.</summary>
/// <param name="Protocol">What a client has to have negotiated, in the words of <see cref="RpcConnectionFacts.Protocol"/>.</param>
/// <param name="Multiplexed">Many calls share one connection; else each needs its own.</param>
/// <param name="StartAsync">Starts a host.</param>
/// <param name="Connect">A client with so many connections at most.</param>
sealed partial record EchoStack(
    string Protocol,
    bool Multiplexed,
    Func<IEnumerable<RpcHandler>, X509Certificate2?, Task<IRpcServer>> StartAsync,
    Func<RpcEndpoint, int, IRpcClient> Connect)
{
    /// <summary>gRPC on the framework's own HTTP/2.</summary>
    public static EchoStack Grpc { get; } = new(
        "HTTP/2", true, (handlers, certificate) => InboxServer.StartAsync(new(), handlers, null, certificate), (endpoint, _) => new InboxClient(endpoint));

    /// <summary>The plain RPC over a socket.</summary>
    public static EchoStack Socket { get; } = new(
        "socket", true, (handlers, certificate) => SocketServer.StartAsync(new(), handlers, null, certificate), (endpoint, _) => new SocketClient(endpoint));

    /// <summary>A POST over HTTP/1.1.</summary>
    public static EchoStack Http1 { get; } = new(
        "HTTP/1.1",
        false,
        (handlers, certificate) => PlainHttpServer.StartAsync(new(), handlers, HttpProtocols.Http1, null, certificate),
        (endpoint, connections) => new PlainHttpClient(endpoint, HttpVersion.Version11, null, connections));

    /// <summary>A POST over HTTP/2.</summary>
    public static EchoStack Http2 { get; } = new(
        "HTTP/2",
        true,
        (handlers, certificate) => PlainHttpServer.StartAsync(new(), handlers, HttpProtocols.Http2, null, certificate),
        (endpoint, _) => new PlainHttpClient(endpoint, HttpVersion.Version20));

    /// <summary>All that carry any codec. An optional one adds itself where the build has it.</summary>
    public static IReadOnlyList<EchoStack> All { get; } = List();

    static List<EchoStack> List()
    {
        List<EchoStack> all = [Grpc, Socket, Http1, Http2];
        AddGrpcDotnet(all);
        return all;
    }

    static partial void AddGrpcDotnet(List<EchoStack> all);
}

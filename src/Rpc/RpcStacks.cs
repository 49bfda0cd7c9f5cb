using System.Net;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Rpc.Inbox;
using ProtoBench.Rpc.PlainHttp;
using ProtoBench.Rpc.Sockets;

namespace ProtoBench.Rpc;

/// <summary>The transports of this build, the reference first. An optional stack fills in its part where the build has it.</summary>
public static partial class RpcStacks
{
    /// <summary>Those that speak gRPC.</summary>
    public static IReadOnlyList<RpcStack> Grpc { get; } = ListGrpc();

    /// <summary>What gRPC is set against: the same messages with less around them, and without streams and metadata.</summary>
    public static IReadOnlyList<RpcStack> Plain { get; } =
    [
        new("http2", (endpoint, handlers, limits, certificate) => PlainHttpServer.StartAsync(endpoint, handlers, HttpProtocols.Http2, limits, certificate), (endpoint, limits) => new PlainHttpClient(endpoint, HttpVersion.Version20, limits)),
        new("http1", (endpoint, handlers, limits, certificate) => PlainHttpServer.StartAsync(endpoint, handlers, HttpProtocols.Http1, limits, certificate), (endpoint, limits) => new PlainHttpClient(endpoint, HttpVersion.Version11, limits))
        {
            Protocol = "HTTP/1.1",
        },
        new("socket", SocketServer.StartAsync, (endpoint, limits) => new SocketClient(endpoint, limits)) { Protocol = "socket" },
    ];

    /// <summary>All stacks of this build.</summary>
    public static IReadOnlyList<RpcStack> All { get; } = [.. Grpc, .. Plain];

    static List<RpcStack> ListGrpc()
    {
        List<RpcStack> all = [new("inbox", InboxServer.StartAsync, (endpoint, limits) => new InboxClient(endpoint, limits))];
        AddGrpcDotnet(all);
        AddProtobufNetGrpc(all);
        return all;
    }

    static partial void AddGrpcDotnet(List<RpcStack> all);

    static partial void AddProtobufNetGrpc(List<RpcStack> all);
}

/// <summary>One transport: both of its sides.</summary>
/// <param name="Name">How options and result files spell it.</param>
/// <param name="StartAsync">Starts a server that answers these methods.</param>
/// <param name="Connect">Prepares a client with one connection.</param>
/// <param name="OnlyCodec">The one codec that it carries, by its name, because the codec is part of the stack; null for any.</param>
public sealed record RpcStack(
    string Name,
    Func<RpcEndpoint, IEnumerable<RpcHandler>, RpcLimits?, X509Certificate2?, Task<IRpcServer>> StartAsync,
    Func<RpcEndpoint, RpcLimits?, IRpcClient> Connect,
    string? OnlyCodec = null)
{
    /// <summary>What its clients negotiate, in the words of <see cref="RpcConnectionFacts.Protocol"/>.</summary>
    public string Protocol { get; init; } = "HTTP/2";

    /// <summary>Many calls share one connection; else each needs its own.</summary>
    public bool Multiplexed => Protocol != "HTTP/1.1";
}

using System.Net;
using ProtoBench.Rpc.Transports.BuiltIn;
using ProtoBench.Rpc.Transports.PlainHttp;
using ProtoBench.Rpc.Transports.Sockets;

namespace ProtoBench.Rpc;

/// <summary>The registry of transports. The load client, the RPC table and the contract tests use every transport that is listed here.
/// A transport of an optional package group registers itself in a partial method, in a file that is compiled with the group.</summary>
public static partial class RpcTransports
{
    /// <summary>All transports of this build: those that speak gRPC first, and the reference first of all.</summary>
    public static IReadOnlyList<RpcTransport> All { get; } = ListAll();

    /// <summary>The transports that speak gRPC. They have streams and metadata.</summary>
    public static IReadOnlyList<RpcTransport> Grpc { get; } = [.. All.Where(transport => transport.SpeaksGrpc)];

    /// <summary>The transports that gRPC is compared with: the same messages with less framing, without streams and metadata.</summary>
    public static IReadOnlyList<RpcTransport> Plain { get; } = [.. All.Except(Grpc)];

    /// <summary>The transport with this name.</summary>
    /// <exception cref="ArgumentException">This build has no such transport.</exception>
    public static RpcTransport Named(string name) =>
        All.FirstOrDefault(transport => transport.Name == name)
        ?? throw new ArgumentException($"this build has no transport '{name}'", nameof(name));

    static List<RpcTransport> ListAll()
    {
        List<RpcTransport> all =
            [new("builtin", BuiltInServer.StartAsync, (endpoint, limits, _) => new BuiltInClient(endpoint, limits)) { SpeaksGrpc = true }];
        AddGrpcDotnet(all);
        AddProtobufNetGrpc(all);
        all.Add(new("http2", PlainHttpServer.StartHttp2Async,
            (endpoint, limits, _) => new PlainHttpClient(endpoint, HttpVersion.Version20, limits)));
        all.Add(new("http1", PlainHttpServer.StartHttp1Async, PlainHttpClient.OverHttp1) { Protocol = "HTTP/1.1", Multiplexed = false });
        all.Add(new("socket", SocketServer.StartAsync,
            (endpoint, limits, _) => new SocketClient(endpoint, limits))
        { Protocol = "socket" });
        return all;
    }

    static partial void AddGrpcDotnet(List<RpcTransport> all);

    static partial void AddProtobufNetGrpc(List<RpcTransport> all);
}

using System.Net;
using ProtoBench.Rpc.Transports.BuiltIn;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Rpc.Transports.PlainHttp;
using ProtoBench.Rpc.Transports.ProtobufNetGrpc;
using ProtoBench.Rpc.Transports.Sockets;

namespace ProtoBench.Rpc;

/// <summary>The registry of transports. The load client, the RPC table and the contract tests use every transport that is listed here.</summary>
public static class RpcTransports
{
    /// <summary>All transports: those that speak gRPC first, and the reference first of all.</summary>
    public static IReadOnlyList<RpcTransport> All { get; } =
    [
        new("builtin", BuiltInServer.StartAsync, (endpoint, limits, _) => new BuiltInClient(endpoint, limits)) { SpeaksGrpc = true },
        new("grpc-dotnet", GrpcDotnetServer.StartAsync, (endpoint, limits, _) => new GrpcDotnetClient(endpoint, limits)) { SpeaksGrpc = true },
        new("protobuf-net.Grpc", ProtobufNetGrpcServer.StartAsync, (endpoint, limits, _) => new ProtobufNetGrpcClient(endpoint, limits))
        {
            SpeaksGrpc = true,
            OnlyCodecs = ["pbn", "pbn-slab", "pbn-pool"],
        },
        new("http2", PlainHttpServer.StartHttp2Async, (endpoint, limits, _) => new PlainHttpClient(endpoint, HttpVersion.Version20, limits)),
        new("http1", PlainHttpServer.StartHttp1Async, PlainHttpClient.OverHttp1) { Protocol = "HTTP/1.1", Multiplexed = false },
        new("socket", SocketServer.StartAsync, (endpoint, limits, _) => new SocketClient(endpoint, limits)) { Protocol = "socket" },
    ];

    /// <summary>The transports that speak gRPC. They have streams and metadata.</summary>
    public static IReadOnlyList<RpcTransport> Grpc { get; } = [.. All.Where(transport => transport.SpeaksGrpc)];

    /// <summary>The transports that gRPC is compared with: the same messages with less framing, without streams and metadata.</summary>
    public static IReadOnlyList<RpcTransport> Plain { get; } = [.. All.Except(Grpc)];

    /// <summary>The transport with this name.</summary>
    /// <exception cref="ArgumentException">There is no such transport.</exception>
    public static RpcTransport Named(string name) =>
        All.FirstOrDefault(transport => transport.Name == name)
        ?? throw new ArgumentException($"there is no transport '{name}'", nameof(name));
}

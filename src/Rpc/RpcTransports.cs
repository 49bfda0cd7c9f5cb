using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace ProtoBench.Rpc;

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

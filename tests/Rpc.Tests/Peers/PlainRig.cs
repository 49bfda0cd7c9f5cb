using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Rpc.PlainHttp;
using ProtoBench.Rpc.Sockets;

namespace ProtoBench.Rpc.Tests.Peers;

/// <summary>A host and a client of a transport without streams.</summary>
sealed record PlainRig(IRpcServer Server, IRpcClient Client, EchoService Service) : IAsyncDisposable
{
    public static async Task<PlainRig> StartAsync(string stack, bool tls, RpcLimits? limits = null, IEnumerable<RpcHandler>? handlers = null)
    {
        const int connections = 8;
        var certificate = tls ? SelfSignedCertificate.Create() : null;
        var service = new EchoService();
        handlers ??= service.Handlers;
        var server = stack switch
        {
            "socket" => await SocketServer.StartAsync(new(), handlers, limits, certificate),
            "HTTP/2" => await PlainHttpServer.StartAsync(new(), handlers, HttpProtocols.Http2, limits, certificate),
            _ => await PlainHttpServer.StartAsync(new(), handlers, HttpProtocols.Http1, limits, certificate),
        };
        IRpcClient client = stack switch
        {
            "socket" => new SocketClient(server.Endpoint),
            "HTTP/2" => new PlainHttpClient(server.Endpoint, HttpVersion.Version20),
            _ => new PlainHttpClient(server.Endpoint, HttpVersion.Version11, null, connections),
        };
        return new(server, client, service);
    }

    public async Task<RawMessage> CallAsync(RpcMethod<RawMessage, RawMessage> method, string text, RpcCall? call = null) =>
        await Client.UnaryAsync(method, EchoService.Message(text), call).AsTask().WaitAsync(TimeSpan.FromMinutes(2));

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}

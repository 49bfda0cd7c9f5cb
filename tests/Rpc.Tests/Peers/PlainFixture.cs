using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Tests.Peers;

/// <summary>A server and a client of a transport without streams.</summary>
sealed record PlainFixture(IRpcServer Server, IRpcClient Client, EchoService Service) : IAsyncDisposable
{
    public static async Task<PlainFixture> StartAsync(string transport, bool tls, RpcLimits? limits = null,
        IEnumerable<RpcHandler>? handlers = null)
    {
        const int connections = 8;
        var service = new EchoService();
        var plain = RpcTransports.Named(transport);
        var server = await plain.StartAsync(new(), handlers ?? service.Handlers, limits, tls ? SelfSignedCertificate.Create() : null);
        return new(server, plain.Connect(server.Endpoint, connections: connections), service);
    }

    public async Task<RawMessage> CallAsync(RpcMethod<RawMessage, RawMessage> method, string text, RpcCallOptions? call = null) =>
        await Client.UnaryAsync(method, EchoService.Message(text), call).AsTask().WaitAsync(TimeSpan.FromMinutes(2));

    public async ValueTask DisposeAsync()
    {
        await Client.DisposeAsync();
        await Server.DisposeAsync();
    }
}

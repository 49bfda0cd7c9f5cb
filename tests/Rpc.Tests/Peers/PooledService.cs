
using ProtoBench.Rpc.Transports.GrpcDotnet;
namespace ProtoBench.Rpc.Tests.Peers;

/// <summary>Handlers whose messages lie in counted slices, and that keep to
/// the rules: what they read they release, however they end.</summary>
static class PooledService
{
    static readonly RawMarshaller raw = new();

    public static RpcMethod<RawMessage, RawMessage> Echo { get; } = Method("Echo");
    public static RpcMethod<RawMessage, RawMessage> Wait { get; } = Method("Wait");
    public static RpcMethod<RawMessage, RawMessage> Throw { get; } = Method("Throw");
    public static RpcMethod<RawMessage, RawMessage> EchoStream { get; } = Method("EchoStream");
    public static RpcMethod<RawMessage, RawMessage> EchoThenThrow { get; } = Method("EchoThenThrow");

    public static IEnumerable<RpcHandler> Handlers =>
    [
        RpcHandler.Unary(Echo, (request, _) => new(Copy(request))),
        RpcHandler.Unary(Wait, async (request, call) =>
        {
            await Task.Delay(Timeout.Infinite, call.CancellationToken);
            return Copy(request);
        }),
        RpcHandler.Unary<RawMessage, RawMessage>(Throw, (_, _) => throw new InvalidOperationException("as asked")),
        RpcHandler.Stream(EchoStream, async stream =>
        {
            while (await EchoOneAsync(stream))
            {
            }
        }),
        RpcHandler.Stream(EchoThenThrow, async stream =>
        {
            await EchoOneAsync(stream);
            throw new InvalidOperationException("as asked");
        }),
    ];

    static async ValueTask<bool> EchoOneAsync(RpcServerStream<RawMessage, RawMessage> stream)
    {
        var next = await stream.ReadAsync();
        if (!next.HasMessage)
            return false;
        try
        {
            await stream.WriteAsync(next.Message);
            return true;
        }
        finally
        {
            raw.Release(next.Message);
        }
    }

    /// <summary>A response is built anew, in memory of its own.</summary>
    static RawMessage Copy(RawMessage message) => raw.Read(new(message.Bytes));

    static RpcMethod<RawMessage, RawMessage> Method(string name) => new("/test.Pooled/" + name, raw, raw);
}

using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Target;

/// <summary>Answers a method with prepared bytes, after a delay. A unary method
/// takes the replies in turn, a streaming one sends all of them.</summary>
static class PreparedReplies
{
    /// <summary>The handler.</summary>
    public static RpcHandler Serve(TargetMethod method, IReadOnlyList<Payload> replies, ReplyDelay delay)
    {
        var rpc = new RpcMethod<long, ReadOnlyMemory<byte>>("/" + method.Path, new SizeMarshaller(), new BytesMarshaller());
        if (method.IsServerStreaming)
            return RpcHandler.Stream(rpc, stream => SendAllAsync(stream, replies, delay));
        var source = new RequestSource(replies, null);
        return RpcHandler.Unary(rpc, async (_, call) =>
        {
            await delay.WaitAsync(call.CancellationToken);
            return source.Next;
        });
    }

    static async ValueTask SendAllAsync(RpcServerStream<long, ReadOnlyMemory<byte>> stream, IReadOnlyList<Payload> replies,
        ReplyDelay delay)
    {
        while ((await stream.ReadAsync()).HasMessage)
        {
        }

        foreach (var reply in replies)
        {
            await delay.WaitAsync(stream.Call.CancellationToken);
            await stream.WriteAsync(reply.Bytes);
        }
    }
}

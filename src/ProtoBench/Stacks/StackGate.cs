using System.Collections.Concurrent;
using Google.Protobuf;
using ProtoBench.Rpc;

namespace ProtoBench.Stacks;

/// <summary>Nothing is timed before all stacks carry the same bytes: what a host receives is, byte for byte, what Google's codec writes.</summary>
static class StackGate
{
    /// <summary>TLS version and cipher that were negotiated; null before the check.</summary>
    public static string? Tls { get; private set; }

    /// <summary>Sends both sizes over every stack, under TLS and in the clear.</summary>
    /// <exception cref="GateException">A stack carries other bytes, or another protocol than it should.</exception>
    public static async Task CheckAsync()
    {
        foreach (var stack in EchoStack.All)
        {
            foreach (var size in EchoSize.All)
            {
                await CheckAsync(stack, size, tls: true);
                await CheckAsync(stack, size, tls: false);
            }
        }
    }

    static async Task CheckAsync(EchoStack stack, EchoSize size, bool tls)
    {
        var received = new ConcurrentQueue<byte[]>();
        var raw = new RawMarshaller();
        var watched = new RpcMethod<RawMessage, RawMessage>("/EchoPkg.Echo/Echo", raw, raw);
        var handler = RpcHandler.Unary(watched, (request, _) =>
        {
            received.Enqueue(request.Bytes.ToArray());
            return new(new RawMessage(request.Bytes.ToArray()));
        });
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        await using var server = await stack.StartAsync([handler], certificate);
        await using var client = stack.Connect(server.Endpoint, 1);
        var google = EchoCodecs.Google.Create(EchoRig.Body(size.Bytes));
        using var slab = EchoCodecs.Slab.Create(EchoRig.Body(size.Bytes));
        var reply = await client.UnaryAsync(new RpcMethod<Gpb.Echo, Gpb.Echo>(watched.Path, EchoCodecs.Google.Marshaller, EchoCodecs.Google.Marshaller), google);
        using var slabReply = await client.UnaryAsync(new RpcMethod<Codec.Message<Slab.Echo>, Codec.Message<Slab.Echo>>(watched.Path, EchoCodecs.Slab.Marshaller, EchoCodecs.Slab.Marshaller), slab);
        foreach (var payload in received)
        {
            if (Gate.FirstDifference(payload, google.ToByteArray()) is { } difference)
                throw new GateException($"{stack.Protocol}, {size}: {difference}");
        }

        if (received.Count != 2 || !reply.Equals(google) || !slabReply.Value.Body.Span.SequenceEqual(google.Body.Span))
            throw new GateException($"{stack.Protocol}, {size}: the echo is not what was sent");
        if (client.Connection.Protocol != stack.Protocol || client.Connection.Tls is not null != tls)
            throw new GateException($"negotiated {client.Connection.Protocol} {client.Connection.Tls} where {stack.Protocol} was asked for");
        Tls = client.Connection.Tls ?? Tls;
    }
}

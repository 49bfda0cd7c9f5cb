using System.Collections.Concurrent;
using Google.Protobuf;
using ProtoBench.Rpc;

namespace ProtoBench;

/// <summary>Before a measurement, over every stack, a host must receive the bytes that Google's codec writes.</summary>
static class StackValidation
{
    /// <summary>Gets the negotiated TLS version and cipher; null before the check.</summary>
    public static string? Tls { get; private set; }

    /// <summary>The negotiated TLS, and the settings that differ from the libraries' defaults. Null before the check.</summary>
    public static string? Facts =>
        Tls is null ? null : $"{Tls}; settings of the stacks over HTTP, without GRPCDefaults: {RpcTransports.All[0].Settings}";

    /// <summary>Sends both sizes over every stack, with TLS and without.</summary>
    public static async Task CheckAsync()
    {
        foreach (var transport in RpcTransports.All.Where(transport => transport.OnlyCodecs is null))
        {
            foreach (var size in EchoSize.All)
            {
                await CheckAsync(transport, size, tls: true);
                await CheckAsync(transport, size, tls: false);
            }
        }

        foreach (var size in EchoSize.All)
            await CheckProtobufNetGrpcAsync(size);
    }

    static async Task CheckAsync(RpcTransport transport, EchoSize size, bool tls)
    {
        var watched = new Watched();
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        await using var server = await transport.StartAsync(new(), [watched.Handler], null, certificate);
        await using var client = transport.Connect(server.Endpoint);
        var google = EchoCodecs.Google.Create(EchoFixture.Body(size.Bytes));
        using var slab = EchoCodecs.Slab.Create(EchoFixture.Body(size.Bytes));
        var reply = await client.UnaryAsync(
            new RpcMethod<Gpb.Echo, Gpb.Echo>(Watched.Path, EchoCodecs.Google.Marshaller, EchoCodecs.Google.Marshaller), google);
        using var slabReply =
            await client.UnaryAsync(
                new RpcMethod<Codec.Message<SlabProtobuf.Echo>, Codec.Message<SlabProtobuf.Echo>>(Watched.Path, EchoCodecs.Slab.Marshaller,
                    EchoCodecs.Slab.Marshaller), slab);
        watched.Check($"{transport.Name}, {size}", google, 2);
        if (!reply.Equals(google) || !slabReply.Value.Body.Span.SequenceEqual(google.Body.Span))
            throw new ValidationException($"{transport.Name}, {size}: the echo is not what was sent");
        if (client.Connection.Protocol != transport.Protocol || client.Connection.Tls is not null != tls)
            throw new ValidationException(
                $"negotiated {client.Connection.Protocol} {client.Connection.Tls} where {transport.Protocol} was asked for");
        Tls = client.Connection.Tls ?? Tls;
    }

    static async Task CheckProtobufNetGrpcAsync(EchoSize size)
    {
        var google = EchoCodecs.Google.Create(EchoFixture.Body(size.Bytes));
        var pbn = EchoCodecs.ProtobufNet.Create(EchoFixture.Body(size.Bytes));
        var method = new RpcMethod<Pbn.Echo, Pbn.Echo>(Watched.Path, EchoCodecs.ProtobufNet.Marshaller, EchoCodecs.ProtobufNet.Marshaller);
        var codeFirstTransport = RpcTransports.Named("protobuf-net.Grpc");
        var watched = new Watched();
        await using var server = await RpcTransports.Named("grpc-dotnet").StartAsync(new(), [watched.Handler]);
        await using var client = codeFirstTransport.Connect(server.Endpoint);
        await EchoCodecs.ProtobufNet.Send(client, method)(pbn);
        watched.Check($"protobuf-net.Grpc, {size}", google, 1);

        await using var codeFirst = await codeFirstTransport.StartAsync(
            new(), [EchoCodecs.ProtobufNet.Handler(RpcHandler.Unary(method, (request, _) => new(request)))]);
        await using var other = new GrpcDotnetClient(codeFirst.Endpoint);
        var reply = await other.UnaryAsync(
            new RpcMethod<Gpb.Echo, Gpb.Echo>(method.Path, EchoCodecs.Google.Marshaller, EchoCodecs.Google.Marshaller), google);
        if (!reply.Equals(google))
            throw new ValidationException($"protobuf-net.Grpc, {size}: the echo is not what was sent");
    }

    /// <summary>Represents an echo that keeps the received bytes.</summary>
    sealed class Watched
    {
        public const string Path = "/EchoPkg.Echo/Echo";

        static readonly RawMarshaller raw = new();
        readonly ConcurrentQueue<byte[]> received = new();

        public RpcHandler Handler => RpcHandler.Unary(new RpcMethod<RawMessage, RawMessage>(Path, raw, raw), (request, _) =>
        {
            received.Enqueue(request.Bytes.ToArray());
            return new(new RawMessage(request.Bytes.ToArray()));
        });

        public void Check(string what, Gpb.Echo expected, int calls)
        {
            foreach (var payload in received)
            {
                if (LibraryValidation.FirstDifference(payload, expected.ToByteArray()) is { } difference)
                    throw new ValidationException($"{what}: {difference}");
            }

            if (received.Count != calls)
                throw new ValidationException($"{what}: {received.Count} of {calls} calls arrived");
        }
    }
}

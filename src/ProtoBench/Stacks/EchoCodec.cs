using Google.Protobuf;
using ProtoBench.Codec;
using ProtoBench.Pbn;
using ProtoBench.Rpc;

namespace ProtoBench;

delegate ReadOnlySpan<byte> BodyOf<T>(T message);

/// <param name="Reply">Creates a new message with the body of the request, which is released after it.</param>
sealed record EchoCodec<T>(Marshaller<T> Marshaller, Func<byte[], T> Create, Func<T, T> Reply, BodyOf<T> BodyOf)
{
    /// <summary>Creates the handler of a library with its own service stubs, from the handler for all other transports.</summary>
    public Func<RpcHandler, RpcHandler> Handler { get; init; } = static handler => handler;

    /// <summary>Creates the call of a library with its own client stubs.</summary>
    public Func<IRpcClient, RpcMethod<T, T>, Func<T, ValueTask<T>>> Send { get; init; } =
        static (client, method) => request => client.UnaryAsync(method, request);
}

static class EchoCodecs
{
    public static EchoCodec<Gpb.Echo> Google { get; } = new(
        new GoogleMarshaller<Gpb.Echo>(),
        body => new() { Body = ByteString.CopyFrom(body) },
        request => new() { Body = request.Body },
        message => message.Body.Span);

    public static EchoCodec<Message<SlabProtobuf.Echo>> Slab { get; } = new(
        new SlabMarshaller<SlabProtobuf.Echo>(),
        body => OnSlab(body),
        request => OnSlab(request.Value.Body.Span),
        message => message.Value.Body.Span)
    {
        Handler = handler => new SlabStubHandler(handler),
        Send = (client, method) =>
        {
            if (client is not GrpcDotnetClient channel)
                return request => client.UnaryAsync(method, request);
            var stub = new SlabProtobuf.EchoService.EchoServiceClient(channel.Invoker);
            var send = channel.ByStub<Message<SlabProtobuf.Echo>, Message<SlabProtobuf.Echo>>(
                null, (request, options) => new(stub.EchoAsync(request, options).ResponseAsync));
            return request => send(request, default);
        },
    };

    public static EchoCodec<Json.Echo> Json { get; } = new(
        new JsonMarshaller<Json.Echo>(ProtoBench.Json.GeneratedJson.Default.Echo),
        body => new(body),
        request => new(request.Body),
        message => message.Body.Span);

    static Message<SlabProtobuf.Echo> OnSlab(ReadOnlySpan<byte> body)
    {
        var message = ProtoBench.SlabProtobuf.Echo.Rent();
        message.Value.SetBody(body);
        return message;
    }

    /// <summary>Gets the codec of protobuf-net. Service and client are code-first on protobuf-net.Grpc.</summary>
    public static EchoCodec<Pbn.Echo> ProtobufNet { get; } = new(
        new ProtobufNetMarshaller<Pbn.Echo>(ContractModel.Instance),
        body => new() { Body = body },
        request => new() { Body = request.Body },
        message => message.Body)
    {
        Handler = handler => CodeFirstHandler.Create(new EchoService(), EchoStubs.Bindings, handler),
        Send = (client, method) =>
        {
            if (client is not ProtobufNetGrpcClient codeFirst)
                return request => client.UnaryAsync(method, request);
            var stub = codeFirst.Create<IEchoService>(EchoStubs.Instance);
            return async request =>
            {
                var response = await stub.EchoAsync(request);
                codeFirst.Replied();
                return response;
            };
        },
    };
}

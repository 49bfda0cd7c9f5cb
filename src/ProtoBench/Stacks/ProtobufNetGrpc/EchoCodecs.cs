using ProtoBench.Pbn;
using ProtoBench.Rpc.Marshallers.ProtobufNet;
using ProtoBench.Rpc.Transports.ProtobufNetGrpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Stacks;

static partial class EchoCodecs
{
    /// <summary>protobuf-net. On protobuf-net.Grpc, the service and the client are code-first.</summary>
    public static EchoCodec<Echo> ProtobufNet { get; } = new(
        new ProtobufNetMarshaller<Echo>(),
        body => new() { Body = body },
        request => new() { Body = request.Body },
        message => message.Body)
    {
        Handler = handler => CodeFirstHandler.Create(new EchoService(), BinderConfiguration.Default, handler),
        Send = (client, method) =>
        {
            if (client is not ProtobufNetGrpcClient codeFirst)
                return request => client.UnaryAsync(method, request);
            var stub = codeFirst.Create<IEchoService>();
            return async request =>
            {
                var response = await stub.EchoAsync(request);
                codeFirst.Replied();
                return response;
            };
        },
    };
}

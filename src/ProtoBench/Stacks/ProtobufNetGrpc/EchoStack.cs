using ProtoBench.Pbn;
using ProtoBench.Rpc;
using ProtoBench.Rpc.ProtobufNetGrpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Stacks;

sealed partial record EchoStack
{
    /// <summary>protobuf-net.Grpc, code-first: <see cref="IEchoService"/>, whatever handler it is given. Carries <see cref="EchoCodecs.ProtobufNet"/> only.</summary>
    public static EchoStack ProtobufNetGrpc => new(
        "HTTP/2",
        true,
        (handlers, certificate) => ProtobufNetGrpcServer.StartAsync(
            new(), handlers.Select(handler => CodeFirstHandler.Create(new EchoService(), BinderConfiguration.Default, handler)), null, certificate),
        (endpoint, _) => new CodeFirstEchoClient(endpoint));

    /// <summary>The code-first stub where a client is asked for.</summary>
    sealed class CodeFirstEchoClient : IRpcClient
    {
        readonly ProtobufNetGrpcClient client;
        readonly IEchoService stub;

        public CodeFirstEchoClient(RpcEndpoint endpoint)
        {
            client = new(endpoint);
            stub = client.Create<IEchoService>();
        }

        public RpcConnectionFacts Connection => client.Connection;

        public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, TRequest request, RpcCall? call = null, CancellationToken stop = default)
        {
            var response = await stub.EchoAsync((Echo)(object)request!);
            client.Replied();
            return (TResponse)(object)response;
        }

        public IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(RpcMethod<TRequest, TResponse> method, RpcCall? call = null, CancellationToken stop = default) =>
            throw new NotSupportedException("the service has no stream");

        public ValueTask DisposeAsync() => client.DisposeAsync();
    }
}

static partial class EchoCodecs
{
    public static EchoCodec<Echo> ProtobufNet { get; } = new(
        new ProtobufNetMarshaller<Echo>(),
        body => new() { Body = body },
        request => new() { Body = request.Body },
        message => message.Body);
}

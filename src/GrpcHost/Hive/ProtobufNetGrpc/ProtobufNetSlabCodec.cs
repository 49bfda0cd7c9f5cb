using ProtoBench.Pbn;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Rpc.Transports.ProtobufNetGrpc;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>On protobuf-net.Grpc, the service is code-first, and only the marshallers are ours.</summary>
sealed partial class ProtobufNetSlabCodec
{
    ClientFactory? factory;

    protected override RpcHandler Handler(
        RpcMethod<SlabRequest, SlabResponse> method, Func<SlabRequest, SlabResponse> answer, CallCounters counters) =>
        CodeFirstHandler.Create(new Service(method, answer), Configuration(method), base.Handler(method, answer, counters), recycles: true);

    protected override Func<SlabRequest, CancellationToken, ValueTask<SlabResponse>> Send(
        IRpcClient client, RpcMethod<SlabRequest, SlabResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not ProtobufNetGrpcClient channel)
            return base.Send(client, method, call, counters);
        var stub = channel.Create<ITestProxyOnSlabs>(factory ??= ClientFactory.Create(Configuration(method)));
        return async (request, cancellationToken) =>
        {
            try
            {
                var response = await CodeFirstMessages.ReceiveAsync(
                    method.Response, () => stub.ForwardAsync(request, GrpcDotnetClient.Options(call, cancellationToken)));
                channel.Replied();
                return response;
            }
            catch (Grpc.Core.RpcException e)
            {
                throw GrpcDotnetClient.Failure(e, call, cancellationToken);
            }
        };
    }

    /// <summary>The library's configuration with these marshallers in place of its own.</summary>
    static BinderConfiguration Configuration(RpcMethod<SlabRequest, SlabResponse> method)
    {
        var configuration = BinderConfiguration.Create([ProtoBufMarshallerFactory.Default]); // not the shared default
        configuration.SetMarshaller(CodeFirstMessages.ToCore(method.Request));
        configuration.SetMarshaller(CodeFirstMessages.ToCore(method.Response));
        return configuration;
    }

    sealed class Service(RpcMethod<SlabRequest, SlabResponse> method, Func<SlabRequest, SlabResponse> answer) : ITestProxyOnSlabs
    {
        public ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default) =>
            new(CodeFirstMessages.Answer(method.Response, answer(request)));
    }
}

using ProtoBench.GrpcHost.Hive.GrpcDotnet;
using ProtoBench.Pbn;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBench.Rpc.Transports.ProtobufNetGrpc;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>On protobuf-net.Grpc, the service is an interface and a class, and the library makes the rest.</summary>
sealed partial class ProtobufNetCodec
{
    ClientFactory? factory;

    protected override RpcHandler Handler(RpcMethod<ForwardRequest, ForwardResponse> method, Func<ForwardRequest, ForwardResponse> answer,
        CallCounters counters) =>
        CodeFirstHandler.Create(new Service(answer), Counting(counters), base.Handler(method, answer, counters));

    protected override Func<ForwardRequest, CancellationToken, ValueTask<ForwardResponse>> Send(
        IRpcClient client, RpcMethod<ForwardRequest, ForwardResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not ProtobufNetGrpcClient channel)
            return base.Send(client, method, call, counters);
        var stub = channel.Create<ITestProxy>(factory ??= ClientFactory.Create(Counting(counters)));
        return async (request, cancellationToken) =>
        {
            try
            {
                var response = await stub.ForwardAsync(request, GrpcDotnetClient.Options(call, cancellationToken));
                channel.Replied();
                return response;
            }
            catch (Grpc.Core.RpcException e)
            {
                throw GrpcDotnetClient.Failure(e, call, cancellationToken);
            }
        };
    }

    /// <summary>The library's own marshallers, counted.</summary>
    static BinderConfiguration Counting(CallCounters counters)
    {
        var methods = new CountedMethods(counters);
        var configuration = BinderConfiguration.Create([ProtoBufMarshallerFactory.Default]); // one of its own, not the shared default
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardRequest>()));
        configuration.SetMarshaller(methods.Of(configuration.GetMarshaller<ForwardResponse>()));
        return configuration;
    }

    sealed class Service(Func<ForwardRequest, ForwardResponse> answer) : ITestProxy
    {
        public ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default) => new(answer(request));
    }
}

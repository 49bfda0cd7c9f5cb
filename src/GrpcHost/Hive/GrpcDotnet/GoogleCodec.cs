using ProtoBench.Gpb;
using ProtoBench.GrpcHost.Hive.GrpcDotnet;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>On grpc-dotnet, Google's messages go through what Grpc.Tools generates from test_proxy.proto, on both sides.</summary>
sealed partial class GoogleCodec
{
    CountedMethods? methods;

    protected override RpcHandler Handler(RpcMethod<ForwardRequest, ForwardResponse> method, Func<ForwardRequest, ForwardResponse> answer,
        CallCounters counters) =>
        new GeneratedHandler(base.Handler(method, answer, counters), answer, new(counters));

    protected override Func<ForwardRequest, CancellationToken, ValueTask<ForwardResponse>> Send(
        IRpcClient client, RpcMethod<ForwardRequest, ForwardResponse> method, RpcCallOptions? call, CallCounters counters)
    {
        if (client is not GrpcDotnetClient channel)
            return base.Send(client, method, call, counters);
        var stub = new TestProxy.TestProxyClient(new CountingInvoker(channel.Invoker, methods ??= new(counters)));
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
}

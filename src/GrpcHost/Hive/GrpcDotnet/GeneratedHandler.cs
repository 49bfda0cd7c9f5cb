using Grpc.AspNetCore.Server.Model;
using Grpc.Core;
using ProtoBench.Gpb;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Transports.GrpcDotnet;

namespace ProtoBench.GrpcHost.Hive.GrpcDotnet;

/// <summary>TestProxy as its generated base class serves it on grpc-dotnet.</summary>
/// <param name="other">The handler for every other transport.</param>
/// <param name="answer">The service.</param>
/// <param name="methods">Counts what the generated marshallers do.</param>
sealed class GeneratedHandler(RpcHandler other, Func<ForwardRequest, ForwardResponse> answer, CountedMethods methods)
    : RpcHandler(other.Path)
{
    public override void Bind(GrpcDotnetBinder binder)
    {
        binder.Publish(TestProxy.Descriptor);
        TestProxy.BindService(new CountingBinder(binder.Context, methods), new Service(answer));
    }

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Service(Func<ForwardRequest, ForwardResponse> answer) : TestProxy.TestProxyBase
    {
        public override Task<ForwardResponse> Forward(ForwardRequest request, ServerCallContext context) =>
            Task.FromResult(answer(request));
    }

    sealed class CountingBinder(ServiceMethodProviderContext<GrpcDotnetService> context, CountedMethods methods) : ServiceBinderBase
    {
        public override void AddMethod<TRequest,
            TResponse>(Method<TRequest, TResponse> method, Grpc.Core.UnaryServerMethod<TRequest, TResponse>? handler) =>
            context.AddUnaryMethod(methods.Of(method), [], (_, request, call) => handler!(request, call));
    }
}

using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Pbn;
using ProtoBench.Rpc;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;
using ServerCallContext = Grpc.Core.ServerCallContext;

namespace ProtoBench;

sealed class SlabStubHandler(RpcHandler other) : GrpcHostServices(other.Path)
{
    public override void Add(IServiceCollection services) => services.AddSingleton<Service>().AddGrpc().AddSlabMessages();

    public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<Service>();

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Service : SlabProtobuf.EchoService.EchoServiceBase
    {
        public override ValueTask Echo(SlabProtobuf.Echo request, SlabProtobuf.Echo reply, ServerCallContext context)
        {
            reply.SetBody(request.Body.Span);
            return default;
        }
    }
}

[Service("EchoPkg.Echo")]
public interface IEchoService
{
    [Operation("Echo")]
    ValueTask<Echo> EchoAsync(Echo request, CallContext context = default);
}

sealed class EchoService : IEchoService
{
    public ValueTask<Echo> EchoAsync(Echo request, CallContext context = default) => new(new Echo { Body = request.Body });
}

/// <summary>protobuf-net writes its other half in the build.</summary>
#pragma warning disable PBN9001 // the generator is marked as experimental
[ProtoGrpc(Model = typeof(ContractModel))]
[ProtoService(typeof(IEchoService), typeof(EchoService))]
sealed partial class EchoStubs : ClientFactory
{
    public static IServiceMethodProvider<EchoService> Bindings => new ProtoBench_IEchoService_ServerBindings(Instance);
}

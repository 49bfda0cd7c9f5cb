using System.Security.Cryptography.X509Certificates;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Codec.Grpc;
using ProtoBench.Pbn;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Grpc.Server;
using Core = Grpc.Core;

namespace ProtoBench.Rpc;

/// <summary>Code-first services on the server of grpc-dotnet.</summary>
static class ProtobufNetGrpcServer
{
    public static Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null) =>
        GrpcDotnetServer.StartAsync(
            endpoint, handlers.Select(handler => handler is CodeFirstHandler own ? own.Service : handler), limits, certificate);
}

/// <summary>Code-first stubs over <see cref="GrpcDotnetClient"/>.</summary>
public sealed class ProtobufNetGrpcClient(RpcEndpoint endpoint, RpcLimits? limits = null) : GrpcDotnetClient(endpoint, limits)
{
    /// <param name="factory">Null for the library's default. Creation is expensive: use one object for all stubs.</param>
    public TService Create<TService>(ClientFactory? factory = null)
        where TService : class => Invoker.CreateGrpcService<TService>(factory);
}

/// <param name="service">The service on the server of protobuf-net.Grpc.</param>
/// <param name="other">The handler for every other transport.</param>
public sealed class CodeFirstHandler(GrpcHostServices service, RpcHandler other) : RpcHandler(other.Path)
{
    public GrpcHostServices Service => service;

    public override bool Recycles => other.Recycles;

    /// <summary>Binds the service at run time, by reflection.</summary>
    public static CodeFirstHandler Create<TService>(TService service, BinderConfiguration configuration, RpcHandler other)
        where TService : class => new(
            new Typed<TService>(service, services => services.AddSingleton(configuration).AddCodeFirstGrpc(), other.Recycles), other);

    /// <param name="bindings">What protobuf-net generated in the build for a class with <c>[ProtoGrpc]</c>.</param>
    public static CodeFirstHandler Create<TService>(TService service, IServiceMethodProvider<TService> bindings, RpcHandler other)
        where TService : class => new(
            new Typed<TService>(service, services => services.AddSingleton(bindings), other.Recycles), other);

    public override void Bind(GrpcDotnetBinder binder) => other.Bind(binder);

    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    sealed class Typed<TService>(TService service, Action<IServiceCollection> bind, bool recycles) : GrpcHostServices
        where TService : class
    {
        public override bool Recycles => recycles;

        public override void Add(IServiceCollection services) => bind(services.AddSingleton(service));

        public override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<TService>();
    }
}

/// <summary>The library has no owner for recycled messages: the call owns each one, and releases it when it ends.</summary>
public static class CodeFirstMessages
{
    public static Core.Marshaller<T> ToCore<T>(Rpc.Marshaller<T> marshaller)
        where T : class => new(
            (message, context) => new RpcMessage<T>(marshaller, message, isOwned: false).Write(context),
            context => RpcMessage<T>.Read(marshaller, context).Message);

    /// <summary>Passes a response to the current call, which releases it when it was written.</summary>
    public static T Answer<T>(Rpc.Marshaller<T> marshaller, T response)
        where T : class => new RpcMessage<T>(marshaller, response, isOwned: true).Message;

    /// <summary>Releases the response if the call fails after it was read. The caller releases that of a successful call.</summary>
    public static async ValueTask<T> ReceiveAsync<T>(Rpc.Marshaller<T> marshaller, Func<ValueTask<T>> call)
        where T : class
    {
        using var messages = new CallMessages().Enter();
        var response = await call();
        var owned = messages.Find(message => message is RpcMessage<T> read && ReferenceEquals(read.Message, response));
        return owned is RpcMessage<T> read ? read.Take() : response;
    }
}

[Service("TestProxyPkg.TestProxy")]
public interface ITestProxy
{
    [Operation("Forward")]
    ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default);
}

/// <summary>The service of <see cref="ITestProxy"/> with messages in recycled memory. The bytes on the wire are the same.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxyOnSlabs
{
    // The messages have no contract, because their marshallers are hand-written. The analyzer of protobuf-net cannot see them.
#pragma warning disable PBN2008
    [Operation("Forward")]
    ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default);
#pragma warning restore PBN2008
}

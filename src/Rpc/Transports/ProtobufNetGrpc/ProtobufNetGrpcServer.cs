using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Pbn;
using ProtoBench.Rpc.Servers;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Grpc.Server;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>Starts code-first services of protobuf-net.Grpc on the server of grpc-dotnet. Other handlers are served as by <see
/// cref="GrpcDotnetServer"/>.</summary>
static class ProtobufNetGrpcServer
{
    /// <summary>Starts a host that answers these methods.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        var known = limits ?? new();
        RpcHandler[] all = [.. handlers];
        CodeFirstHandler[] services = [.. all.OfType<CodeFirstHandler>()];
        return await KestrelHost.StartAsync(
            endpoint,
            app =>
            {
                GrpcDotnetServer.Map(app, known, services.Any(service => service.Recycles));
                foreach (var service in services)
                    service.Map(app);
            },
            limits,
            certificate,
            configure: builder =>
            {
                builder.Services.AddCodeFirstGrpc(options => GrpcDotnetServer.Set(options, known));
                GrpcDotnetServer.AddHandlers(builder.Services, all.Except(services));
                foreach (var service in services)
                    service.Add(builder.Services);
            });
    }
}

/// <summary>Represents code-first stubs over <see cref="GrpcDotnetClient"/>.</summary>
public sealed class ProtobufNetGrpcClient(RpcEndpoint endpoint, RpcLimits? limits = null) : GrpcDotnetClient(endpoint, limits)
{
    /// <summary>Creates the stub of a service.</summary>
    /// <typeparam name="TService">The interface of the service.</typeparam>
    /// <param name="factory">The marshallers of its messages; null for the default of the library. Creation is expensive, so one object
    /// should be used for all stubs.</param>
    public TService Create<TService>(ClientFactory? factory = null)
        where TService : class => Invoker.CreateGrpcService<TService>(factory);
}

/// <summary>Represents a code-first service of protobuf-net.Grpc.</summary>
/// <param name="other">The handler for every other transport.</param>
public abstract class CodeFirstHandler(RpcHandler other) : RpcHandler(other.Path)
{
    /// <inheritdoc/>
    public override void Bind(GrpcDotnetBinder binder) => other.Bind(binder);

    /// <inheritdoc/>
    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    /// <summary>Creates a handler for one service of a host.</summary>
    /// <param name="service">The class that implements the service's interface.</param>
    /// <param name="configuration">The marshallers of its messages.</param>
    /// <param name="other">The handler for every other transport.</param>
    /// <param name="recycles">Whether a message of the service is in recycled memory.</param>
    public static CodeFirstHandler Create<TService>(TService service, BinderConfiguration configuration, RpcHandler other,
        bool recycles = false)
        where TService : class => new Typed<TService>(service, configuration, other) { Recycles = recycles };

    /// <summary>Whether a message of the service is in recycled memory. The call then owns it until it is released.</summary>
    public bool Recycles { get; init; }

    internal abstract void Add(IServiceCollection services);

    internal abstract void Map(IEndpointRouteBuilder app);

    sealed class Typed<TService>(TService service, BinderConfiguration configuration, RpcHandler other) : CodeFirstHandler(other)
        where TService : class
    {
        internal override void Add(IServiceCollection services) => services.AddSingleton(service).AddSingleton(configuration);

        internal override void Map(IEndpointRouteBuilder app) => app.MapGrpcService<TService>();
    }
}

/// <summary>Releases the messages of code-first services in recycled memory. The library has no owner for them, so the call owns each
/// message that is read or answered, and releases it when the call ends.</summary>
public static class CodeFirstMessages
{
    /// <summary>Returns the marshaller of a type for the configuration of the library.</summary>
    public static Core.Marshaller<T> ToCore<T>(Rpc.Marshaller<T> marshaller)
        where T : class => new(
            (message, context) => new BoxedMessage<T>(marshaller, message).Write(context),
            context => BoxedMessage<T>.Read(marshaller, context).Message);

    /// <summary>Passes a response to the current call, which releases it when it was written.</summary>
    public static T Answer<T>(Rpc.Marshaller<T> marshaller, T response)
        where T : class
    {
        if (marshaller.Recycles)
            CallMessageOwner.Keep(new BoxedMessage<T>(marshaller, response));
        return response;
    }

    /// <summary>Makes a call, and releases its response if the call fails after the response was read. The caller releases the response of
    /// a successful call.</summary>
    public static async ValueTask<T> ReceiveAsync<T>(Rpc.Marshaller<T> marshaller, Func<ValueTask<T>> call)
        where T : class
    {
        using var messages = marshaller.Recycles ? new CallMessageOwner().Enter() : null;
        var response = await call();
        if (marshaller.Recycles)
            CallMessageOwner.TakeMessage(response);
        return response;
    }
}

/// <summary>Represents the service of test_proxy.proto.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxy
{
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default);
}

/// <summary>Represents the service of <see cref="ITestProxy"/> with messages in recycled memory. The bytes on the wire are the
/// same.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxyOnSlabs
{
    // The messages have no contract, because their marshallers are hand-written. The analyzer of protobuf-net cannot see them.
#pragma warning disable PBN2008
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default);
#pragma warning restore PBN2008
}

using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Pbn;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>A code-first service of protobuf-net.Grpc.</summary>
/// <param name="other">The handler for every other transport.</param>
public abstract class CodeFirstHandler(RpcHandler other) : RpcHandler(other.Path)
{
    /// <inheritdoc/>
    public override void Bind(GrpcDotnetBinder binder) => other.Bind(binder);

    /// <inheritdoc/>
    public override ValueTask RunAsync(RpcMessageCall call) => other.RunAsync(call);

    /// <summary>A handler for one service of a host.</summary>
    /// <param name="service">The class that implements the service's interface.</param>
    /// <param name="configuration">The marshallers of its messages.</param>
    /// <param name="other">The handler for every other transport.</param>
    /// <param name="recycles">Whether a message of the service is in recycled memory.</param>
    public static CodeFirstHandler Create<TService>(TService service, BinderConfiguration configuration, RpcHandler other,
        bool recycles = false)
        where TService : class => new Typed<TService>(service, configuration, other) { Recycles = recycles };

    /// <summary>Whether a message of the service is in recycled memory: it then belongs to the call until it is released.</summary>
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

/// <summary>Messages of code-first services in recycled memory. The library knows no owners, so the call owns a message from the moment it
/// is read or answered, and releases it when the call ends.</summary>
public static class CodeFirstMessages
{
    /// <summary>The marshaller of a type, for the library's configuration.</summary>
    public static Core.Marshaller<T> ToCore<T>(Rpc.Marshaller<T> marshaller)
        where T : class => new(
            (message, context) => new BoxedMessage<T>(marshaller, message).Write(context),
            context => BoxedMessage<T>.Read(marshaller, context).Message);

    /// <summary>Hands a response to the call whose service method runs here, which releases it after it was written.</summary>
    public static T Answer<T>(Rpc.Marshaller<T> marshaller, T response)
        where T : class
    {
        if (marshaller.Recycles)
            CallMessageOwner.Keep(new BoxedMessage<T>(marshaller, response));
        return response;
    }

    /// <summary>Makes a call whose response is released if the call fails after it was read. The caller releases the response of a call
    /// that succeeds.</summary>
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

/// <summary>test_proxy.proto as code.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxy
{
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<ForwardResponse> ForwardAsync(ForwardRequest request, CallContext context = default);
}

/// <summary>The service of <see cref="ITestProxy"/> with messages in recycled memory. The bytes on the wire are the same.</summary>
[Service("TestProxyPkg.TestProxy")]
public interface ITestProxyOnSlabs
{
    // The messages have no contract: the marshallers are ours, and protobuf-net's analyzer cannot see them.
#pragma warning disable PBN2008
    /// <summary>Answers each item.</summary>
    [Operation("Forward")]
    ValueTask<SlabResponse> ForwardAsync(SlabRequest request, CallContext context = default);
#pragma warning restore PBN2008
}

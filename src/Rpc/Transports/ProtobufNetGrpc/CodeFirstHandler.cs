using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Pbn;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc;
using ProtoBuf.Grpc.Configuration;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

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

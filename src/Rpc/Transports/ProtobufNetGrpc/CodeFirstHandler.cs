using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Rpc.Calls;
using ProtoBuf.Grpc.Configuration;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>A code-first service of protobuf-net.Grpc.</summary>
/// <param name="other">The handler for every other transport.</param>
public abstract class CodeFirstHandler(RpcHandler other) : RpcHandler(other.Path)
{
    /// <inheritdoc/>
    public override void Bind(IRpcBinder binder) => other.Bind(binder);

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

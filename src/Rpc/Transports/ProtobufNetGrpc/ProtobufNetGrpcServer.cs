using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Servers;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Grpc.Server;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>protobuf-net.Grpc's code-first services, on grpc-dotnet's server.
/// Other handlers are served as by <see cref="GrpcDotnetServer"/>.</summary>
public static class ProtobufNetGrpcServer
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

/// <summary>Code-first stubs over <see cref="GrpcDotnetClient"/>.</summary>
public sealed class ProtobufNetGrpcClient(RpcEndpoint endpoint, RpcLimits? limits = null) : GrpcDotnetClient(endpoint, limits)
{
    /// <summary>The stub of a service.</summary>
    /// <typeparam name="TService">Its interface, marked as a service.</typeparam>
    /// <param name="factory">The marshallers of its messages; null for the
    /// library's default. Creation is expensive, so use one for all stubs.</param>
    public TService Create<TService>(ClientFactory? factory = null)
        where TService : class => Invoker.CreateGrpcService<TService>(factory);
}

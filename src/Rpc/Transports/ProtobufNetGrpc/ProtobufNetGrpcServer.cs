using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Servers;
using ProtoBench.Rpc.Transports.GrpcDotnet;
using ProtoBuf.Grpc.Client;
using ProtoBuf.Grpc.Configuration;
using ProtoBuf.Grpc.Server;

namespace ProtoBench.Rpc.Transports.ProtobufNetGrpc;

/// <summary>Starts code-first services of protobuf-net.Grpc on the server of grpc-dotnet. Other handlers are served as by <see
/// cref="GrpcDotnetServer"/>.</summary>
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

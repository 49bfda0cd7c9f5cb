using System.Security.Cryptography.X509Certificates;
using Grpc.AspNetCore.Server;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.DependencyInjection;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Grpc.AspNetCore.Server on the same Kestrel as the other stacks.</summary>
public static class GrpcDotnetServer
{
    /// <summary>Starts a host that answers these methods.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
    public static async Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        var known = limits ?? new();
        RpcHandler[] all = [.. handlers];
        return await KestrelHost.StartAsync(
            endpoint,
            app => Map(app, known),
            limits,
            certificate,
            configure: builder => AddHandlers(builder.Services.AddGrpc(options => Set(options, known)).Services, all));
    }

    /// <summary>Adds what answers these methods to a host's services.</summary>
    internal static void AddHandlers(IServiceCollection services, IEnumerable<RpcHandler> handlers) => services
        .AddSingleton<GrpcDotnetService>()
        .AddSingleton<IServiceMethodProvider<GrpcDotnetService>>(provider =>
            new Binding(handlers, provider.GetRequiredService<GrpcDotnetService>()));

    /// <summary>The limits of a host.</summary>
    internal static void Set(GrpcServiceOptions options, RpcLimits limits)
    {
        options.MaxReceiveMessageSize = limits.MaxReceiveBytes;
        options.MaxSendMessageSize = limits.MaxSendBytes;
    }

    /// <summary>Maps the handlers to their paths.</summary>
    /// <param name="app">The application.</param>
    /// <param name="limits">The limits of the server.</param>
    /// <param name="othersRecycle">Whether a service that is mapped elsewhere has messages in recycled memory.</param>
    internal static void Map(WebApplication app, RpcLimits limits, bool othersRecycle = false)
    {
        app.MapGrpcService<GrpcDotnetService>(); // binds them
        var recycles = othersRecycle || app.Services.GetRequiredService<GrpcDotnetService>().Recycles;
        var budget = new PartialBudget(limits.MaxPartialBytes);
        // around everything: a request is read before any handler runs, and a response is written after it has returned
        app.Use(next => async context =>
        {
            using var messages = recycles ? new CallMessageOwner().Enter() : null;
            using var body = new PartialBodyReader(context.Request.BodyReader, budget);
            context.Features.Set<IRequestBodyPipeFeature>(body);
            await next(context);
        });
    }

    sealed class Binding(IEnumerable<RpcHandler> handlers, GrpcDotnetService service) : IServiceMethodProvider<GrpcDotnetService>
    {
        public void OnServiceMethodDiscovery(ServiceMethodProviderContext<GrpcDotnetService> context)
        {
            foreach (var handler in handlers)
                handler.Bind(new GrpcDotnetBinder(context, service));
        }
    }
}

/// <summary>The service class that grpc-dotnet requires. It has no methods of its own; each method is bound to a handler.</summary>
public sealed class GrpcDotnetService
{
    /// <summary>Whether a message of any method lies in recycled memory.</summary>
    internal bool Recycles { get; set; }
}

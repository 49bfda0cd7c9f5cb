using System.Diagnostics.CodeAnalysis;
using Grpc.AspNetCore.Server;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection.Extensions;
using ProtoBench.Codec.Grpc;
using ProtoBench.Codec.Grpc.AspNetCore;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Provides the method that adds slab messages to the gRPC services of a host.</summary>
public static class SlabMessagesExtensions
{
    /// <summary>Enables <c>MapGrpcService</c> to map services whose base class is a stub of slab messages, in addition to those with
    /// Google's messages. Without this call such a service has no methods, and its calls end with UNIMPLEMENTED. Further calls do
    /// nothing.</summary>
    /// <param name="builder">The builder that <c>AddGrpc</c> returns.</param>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IGrpcServerBuilder AddSlabMessages(this IGrpcServerBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.TryAddEnumerable(
            ServiceDescriptor.Singleton(typeof(IServiceMethodProvider<>), typeof(SlabServiceMethodProvider<>)));
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, CallMessagesFilter>());
        return builder;
    }

    /// <summary>Releases the messages of a call when it ends. The middleware runs outside the middleware of the application, because a
    /// request is read before the handler runs, and a reply is written after the handler has returned. Only the middleware of a startup
    /// filter that was registered earlier runs outside it.</summary>
    sealed class CallMessagesFilter : IStartupFilter
    {
        public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
        {
            app.Use(static next => context =>
            {
                if (IsGrpc(context.Request)) Begin(context);
                return next(context);
            });
            next(app);
        };

        static bool IsGrpc(HttpRequest request) =>
            request.ContentType?.StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase) == true;

        // The server disposes the messages when the response has ended. A method that awaits the call would allocate its state.
        [SuppressMessage("Reliability", "CA2000", Justification = "the response disposes it")]
        static void Begin(HttpContext context)
        {
            DeadlineResponse.Protect(context);
            context.Response.RegisterForDispose(new CallMessages().Enter());
        }
    }
}

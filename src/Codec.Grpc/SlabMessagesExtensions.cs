using Grpc.AspNetCore.Server;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection.Extensions;
using ProtoBench.Codec.Grpc;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds slab messages to the gRPC services of a host.</summary>
public static class SlabMessagesExtensions
{
    /// <summary>Lets <c>MapGrpcService</c> map services whose base class is a stub of slab messages, beside those with Google's messages.
    /// Without it such a service has no methods, and its calls end with UNIMPLEMENTED. A second call does nothing.</summary>
    /// <param name="builder">What <c>AddGrpc</c> returns.</param>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    public static IGrpcServerBuilder AddSlabMessages(this IGrpcServerBuilder builder)
    {
        ArgumentNullException.ThrowIfNull(builder);
        builder.Services.TryAddEnumerable(
            ServiceDescriptor.Singleton(typeof(IServiceMethodProvider<>), typeof(SlabServiceMethodProvider<>)));
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IStartupFilter, CallMessagesFilter>());
        return builder;
    }

    /// <summary>Releases the messages of a call when it ends. Around everything else: a request is read before any handler runs, and a
    /// reply is written after it has returned.</summary>
    sealed class CallMessagesFilter : IStartupFilter
    {
        public Action<IApplicationBuilder> Configure(Action<IApplicationBuilder> next) => app =>
        {
            app.Use(static next => context => IsGrpc(context.Request) ? RunAsync(next, context) : next(context));
            next(app);
        };

        static bool IsGrpc(HttpRequest request) =>
            request.ContentType?.StartsWith("application/grpc", StringComparison.OrdinalIgnoreCase) == true;

        static async Task RunAsync(RequestDelegate next, HttpContext context)
        {
            using var messages = CallMessages.Begin();
            await next(context).ConfigureAwait(false);
        }
    }
}

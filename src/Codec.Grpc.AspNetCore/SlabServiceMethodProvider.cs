using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Grpc.AspNetCore.Server.Model;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Registers the methods of one service with grpc-dotnet. grpc-dotnet's own binder finds handlers by name and by the types of
/// Google's stubs, so it cannot be used.</summary>
/// <typeparam name="TImplementation">The type of the service.</typeparam>
/// <param name="context">The methods of the service.</param>
/// <param name="services">The services of the host, which may replace a method.</param>
sealed class ServiceBinder<[DynamicallyAccessedMembers(SlabService.Members)] TImplementation>(
    ServiceMethodProviderContext<TImplementation> context, IServiceProvider services) : SlabServiceBinder
    where TImplementation : class
{
    readonly ServiceList? reflected = services.GetService<ServiceList>();

    public override void Unary<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, TRequest, TResponse, ServerCallContext, ValueTask> handler)
    {
        reflected?.Add<TService>();
        method = services.GetServices<SlabMethod<TRequest, TResponse>>()
            .SingleOrDefault(other => other.Method.FullName == method.Method.FullName) ?? method;
        context.AddUnaryMethod(method.Method,
            Metadata<TService>(name, typeof(TRequest), typeof(TResponse), typeof(ServerCallContext)),
            async (service, request, call) =>
            {
                var reply = method.CreateReply();
                await handler((TService)(object)service, request.Value, reply.Value, call).ConfigureAwait(false);
                return ToSend(reply);
            });
    }

    public override void ClientStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, SlabStreamReader<TRequest>, TResponse, ServerCallContext, ValueTask> handler)
    {
        reflected?.Add<TService>();
        context.AddClientStreamingMethod(method.Method,
            Metadata<TService>(name, typeof(SlabStreamReader<TRequest>), typeof(TResponse), typeof(ServerCallContext)),
            async (service, requests, call) =>
            {
                var reader = new SlabStreamReader<TRequest>(requests);
                var reply = method.CreateReply();
                try
                {
                    await handler((TService)(object)service, reader, reply.Value, call).ConfigureAwait(false);
                    return ToSend(reply);
                }
                finally
                {
                    reader.End();
                }
            });
    }

    public override void ServerStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, TRequest, SlabStreamWriter<TResponse>, ServerCallContext, Task> handler)
    {
        reflected?.Add<TService>();
        context.AddServerStreamingMethod(method.Method,
            Metadata<TService>(name, typeof(TRequest), typeof(SlabStreamWriter<TResponse>), typeof(ServerCallContext)),
            async (service, request, replies, call) =>
            {
                var writer = new SlabStreamWriter<TResponse>(replies);
                try
                {
                    await handler((TService)(object)service, request.Value, writer, call).ConfigureAwait(false);
                    writer.ThrowIfNotWritten();
                }
                finally
                {
                    writer.End();
                }
            });
    }

    public override void DuplexStreaming<TService, TRequest, TResponse>(SlabMethod<TRequest, TResponse> method, string name,
        Func<TService, SlabStreamReader<TRequest>, SlabStreamWriter<TResponse>, ServerCallContext, Task> handler)
    {
        reflected?.Add<TService>();
        context.AddDuplexStreamingMethod(method.Method,
            Metadata<TService>(name, typeof(SlabStreamReader<TRequest>), typeof(SlabStreamWriter<TResponse>), typeof(ServerCallContext)),
            async (service, requests, replies, call) =>
            {
                var reader = new SlabStreamReader<TRequest>(requests);
                var writer = new SlabStreamWriter<TResponse>(replies);
                try
                {
                    await handler((TService)(object)service, reader, writer, call).ConfigureAwait(false);
                    writer.ThrowIfNotWritten();
                }
                finally
                {
                    reader.End();
                    writer.End();
                }
            });
    }

    /// <summary>Returns the reply that was filled, or that of <see cref="EncodedReplies"/>.</summary>
    static GrpcMessage<T> ToSend<T>(GrpcMessage<T> filled)
        where T : struct, ISlabMessage<T> => (GrpcMessage<T>?)filled.Owner?.Instead ?? filled;

    /// <summary>Gets the metadata that grpc-dotnet also collects for its own stubs. For example, these attributes contain the
    /// authorization. If there are several attributes of one kind, the last one applies.</summary>
    static List<object> Metadata<TService>(string name, params Type[] parameters) =>
    [
        .. typeof(TImplementation).GetCustomAttributes(inherit: true),
        .. Implementation(typeof(TService), name, parameters).GetCustomAttributes(inherit: true),
        new HttpMethodMetadata([HttpMethod.Post.Method], acceptCorsPreflight: true),
    ];

    /// <summary>Finds the implementation to which a call of the base class's method is dispatched. A method that hides the base method is
    /// not an implementation.</summary>
    static MethodInfo Implementation(Type service, string name, Type[] parameters)
    {
        for (var type = typeof(TImplementation); type is not null; type = type.BaseType)
        {
            var found = type.GetMethod(name, BindingFlags.Public | BindingFlags.Instance, parameters);
            if (found?.GetBaseDefinition().DeclaringType == service) return found;
        }

        throw new InvalidOperationException($"{typeof(TImplementation)} has no method {name} of {service}.");
    }
}

static class SlabService
{
    /// <summary>The members of a service that the trimmer keeps: those that grpc-dotnet requires of the type arguments of
    /// <see cref="IServiceMethodProvider{T}"/>.</summary>
    public const DynamicallyAccessedMemberTypes Members = DynamicallyAccessedMemberTypes.PublicConstructors
        | DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.NonPublicMethods;
}

/// <summary>Finds the methods of services whose base class is a stub of slab messages. For other services it does nothing.</summary>
sealed class SlabServiceMethodProvider<[DynamicallyAccessedMembers(SlabService.Members)] TService>(IServiceProvider services)
    : IServiceMethodProvider<TService>
    where TService : class
{
    public void OnServiceMethodDiscovery(ServiceMethodProviderContext<TService> context)
    {
        for (var type = typeof(TService); type is not null; type = type.BaseType)
        {
            if (type.GetCustomAttribute<SlabServiceAttribute>(inherit: false)?.BindType is not { } binds) continue;
            var bind = binds.GetMethods(BindingFlags.Public | BindingFlags.Static).SingleOrDefault(method =>
                method.GetParameters() is [var parameter] && parameter.ParameterType == typeof(SlabServiceBinder))
                ?? throw new InvalidOperationException($"{binds} has no public static method with a {nameof(SlabServiceBinder)}.");
            bind.CreateDelegate<Action<SlabServiceBinder>>()(new ServiceBinder<TService>(context, services));
            return;
        }
    }
}

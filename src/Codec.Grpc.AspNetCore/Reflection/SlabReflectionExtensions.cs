using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection.Extensions;
using ProtoBench.Codec.Grpc.AspNetCore;
using ProtoBench.Codec.Reflection;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Provides the methods that add gRPC reflection to a host: clients such as grpcurl then list and describe its services.</summary>
public static class SlabReflectionExtensions
{
    /// <summary>Adds gRPC, slab messages, and what <see cref="MapSlabReflectionService"/> needs. Call it before the application is
    /// built.</summary>
    /// <param name="services">The services of the host.</param>
    /// <returns>The same services.</returns>
    public static IServiceCollection AddSlabReflection(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddGrpc().AddSlabMessages();
        services.TryAddSingleton<ReflectedServices>();
        services.TryAddSingleton<ServiceList>(static provider => provider.GetRequiredService<ReflectedServices>());
        return services;
    }

    /// <summary>Maps the services grpc.reflection.v1 and grpc.reflection.v1alpha. They list and describe the services with slab messages
    /// that are mapped, before or after this call.</summary>
    /// <remarks>Services with Google's messages are listed if their files are given:
    /// <c>FileDescriptor.Load(...)</c> reads them from the SerializedData of Google's descriptors.</remarks>
    /// <param name="endpoints">The endpoints of the host.</param>
    /// <param name="files">More files, with their services and types.</param>
    /// <returns>The convention builder of both services.</returns>
    /// <exception cref="InvalidOperationException"><see cref="AddSlabReflection"/> was not called.</exception>
    public static IEndpointConventionBuilder MapSlabReflectionService(this IEndpointRouteBuilder endpoints,
        params IReadOnlyList<FileDescriptor> files)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentNullException.ThrowIfNull(files);
        var services = endpoints.ServiceProvider.GetService<ReflectedServices>()
            ?? throw new InvalidOperationException("Reflection is not registered: call builder.Services.AddSlabReflection().");
        services.Add(files);
        return new Conventions([endpoints.MapGrpcService<ReflectionService>(), endpoints.MapGrpcService<ReflectionServiceV1Alpha>()]);
    }

    sealed class Conventions(IEndpointConventionBuilder[] builders) : IEndpointConventionBuilder
    {
        public void Add(Action<EndpointBuilder> convention)
        {
            foreach (var builder in builders) builder.Add(convention);
        }

        public void Finally(Action<EndpointBuilder> finallyConvention)
        {
            foreach (var builder in builders) builder.Finally(finallyConvention);
        }
    }
}

using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using ProtoBench.Codec.Grpc.AspNetCore;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Provides the methods that add gRPC's health protocol to a host. Its statuses are those of the host's health checks.</summary>
public static class SlabHealthExtensions
{
    /// <summary>Adds gRPC, slab messages, health checks, and what <see cref="MapSlabHealthChecksService"/> needs.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="configure">Maps services to checks. Without it there is one service, the whole host, with all checks.</param>
    /// <returns>The builder to which checks are added.</returns>
    public static IHealthChecksBuilder AddSlabHealthChecks(this IServiceCollection services, Action<SlabHealthOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddGrpc().AddSlabMessages();
        services.TryAddSingleton<HealthStatuses>();
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IHealthCheckPublisher, HealthStatuses>(
            static provider => provider.GetRequiredService<HealthStatuses>()));
        if (configure is not null) services.Configure(configure);
        return services.AddHealthChecks();
    }

    /// <summary>Maps the service grpc.health.v1.Health.</summary>
    /// <remarks>
    /// <para>A service is SERVING if none of its checks is unhealthy, and NOT_SERVING otherwise. Degraded counts as healthy.</para>
    /// <para>Check and List run the checks. Watch sends a status at once, and then what the host publishes, at the times of
    /// <see cref="HealthCheckPublisherOptions"/>. When the host stops, it sends NOT_SERVING and ends.</para>
    /// <para>Check fails with NOT_FOUND for a service that was not mapped. Watch sends SERVICE_UNKNOWN.</para>
    /// </remarks>
    /// <param name="endpoints">The endpoints of the host.</param>
    /// <exception cref="InvalidOperationException"><see cref="AddSlabHealthChecks"/> was not called.</exception>
    public static GrpcServiceEndpointConventionBuilder MapSlabHealthChecksService(this IEndpointRouteBuilder endpoints)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        return endpoints.ServiceProvider.GetService<HealthStatuses>() is null
            ? throw new InvalidOperationException("Health checks are not registered: call builder.Services.AddSlabHealthChecks().")
            : endpoints.MapGrpcService<HealthService>();
    }
}

using Grpc.Health.V1;
using Grpc.Reflection;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ProtoBench.GrpcHost;

/// <summary>What orchestrators and grpcurl need: health, and reflection of the services with a description.</summary>
sealed class HealthAndReflection : GrpcHostServices
{
    public override void Bind(GrpcDotnetBinder binder)
    {
        binder.Publish(Health.Descriptor);
        binder.Publish(Grpc.Reflection.V1.ServerReflection.Descriptor);
        binder.Publish(Grpc.Reflection.V1Alpha.ServerReflection.Descriptor);
    }

    public override void Add(IServiceCollection services) =>
        services
            // by default the library looks for descriptors in the base type of the service, which has none here
            .AddSingleton(provider => new ReflectionServiceImpl(provider.GetRequiredService<GrpcDotnetService>().Published))
            .AddSingleton(provider => new ReflectionV1ServiceImpl(provider.GetRequiredService<GrpcDotnetService>().Published))
            .AddGrpcReflection()
            .AddGrpcHealthChecks()
            .AddCheck("host", () => HealthCheckResult.Healthy());

    public override void Map(IEndpointRouteBuilder app)
    {
        app.MapGrpcReflectionService();
        app.MapGrpcHealthChecksService();
    }
}

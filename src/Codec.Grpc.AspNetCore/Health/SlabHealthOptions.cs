using Microsoft.Extensions.Diagnostics.HealthChecks;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Specifies the services whose health a host reports, and the health checks that decide it.</summary>
/// <remarks>At first there is one service, with an empty name: the whole host, with all checks.</remarks>
public sealed class SlabHealthOptions
{
    internal Dictionary<string, Func<HealthCheckRegistration, bool>> Services { get; } = new() { [""] = static _ => true };

    /// <summary>Sets the health checks of a service. A client asks for the service by its name.</summary>
    /// <param name="service">The name of the service with its package; empty for the whole host.</param>
    /// <param name="isUsed">Determines whether a check counts for the service, for example by its tags. A service without checks is
    /// healthy.</param>
    /// <returns>This instance.</returns>
    public SlabHealthOptions Map(string service, Func<HealthCheckRegistration, bool> isUsed)
    {
        ArgumentNullException.ThrowIfNull(service);
        ArgumentNullException.ThrowIfNull(isUsed);
        Services[service] = isUsed;
        return this;
    }
}

using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Options;
using ServingStatus = ProtoBench.Codec.Grpc.Health.HealthCheckResponse.Types.ServingStatus;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Runs the health checks of services, and keeps the statuses that the host publishes. Thread-safe.</summary>
sealed class HealthStatuses(HealthCheckService checks, IOptions<HealthCheckServiceOptions> registrations,
    IOptions<SlabHealthOptions> options) : IHealthCheckPublisher
{
    Published last = new([]);

    /// <summary>Gets the statuses of the last publication, and a task that ends at the next one.</summary>
    public (IReadOnlyDictionary<string, ServingStatus> Statuses, Task Changed) Last
    {
        get
        {
            var read = Volatile.Read(ref last);
            return (read.Statuses, read.Changed.Task);
        }
    }

    /// <summary>Runs the checks of a service.</summary>
    /// <returns>The status; null for a service that was not mapped.</returns>
    public async Task<ServingStatus?> CheckAsync(string service, CancellationToken cancellationToken) =>
        options.Value.Services.TryGetValue(service, out var isUsed)
            ? StatusOf((await checks.CheckHealthAsync(isUsed, cancellationToken).ConfigureAwait(false)).Status)
            : null;

    /// <summary>Runs all checks, and gets the status of each service.</summary>
    public async Task<IReadOnlyDictionary<string, ServingStatus>> CheckAllAsync(CancellationToken cancellationToken) =>
        StatusesOf(await checks.CheckHealthAsync(cancellationToken).ConfigureAwait(false));

    public Task PublishAsync(HealthReport report, CancellationToken cancellationToken)
    {
        Interlocked.Exchange(ref last, new(StatusesOf(report))).Changed.SetResult();
        return Task.CompletedTask;
    }

    Dictionary<string, ServingStatus> StatusesOf(HealthReport report) =>
        options.Value.Services.ToDictionary(service => service.Key, service => registrations.Value.Registrations.Where(service.Value)
            .Select(check => report.Entries.TryGetValue(check.Name, out var entry) ? entry.Status : HealthStatus.Healthy)
            .Contains(HealthStatus.Unhealthy) ? ServingStatus.NotServing : ServingStatus.Serving);

    static ServingStatus StatusOf(HealthStatus status) =>
        status == HealthStatus.Unhealthy ? ServingStatus.NotServing : ServingStatus.Serving;

    sealed record Published(Dictionary<string, ServingStatus> Statuses)
    {
        public TaskCompletionSource Changed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}

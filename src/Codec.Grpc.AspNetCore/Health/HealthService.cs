using Microsoft.Extensions.Hosting;
using ProtoBench.Codec.Grpc.Health;
using ServingStatus = ProtoBench.Codec.Grpc.Health.HealthCheckResponse.Types.ServingStatus;

namespace ProtoBench.Codec.Grpc.AspNetCore;

/// <summary>Implements grpc.health.v1 with the health checks of the host.</summary>
sealed class HealthService(HealthStatuses statuses, IHostApplicationLifetime lifetime) : Health.Health.HealthBase
{
    public override async ValueTask Check(HealthCheckRequest request, HealthCheckResponse reply, ServerCallContext context)
    {
        var service = request.Service.ToString();
        reply.SetStatus(await statuses.CheckAsync(service, context.CancellationToken).ConfigureAwait(false)
            ?? throw new RpcException(new(StatusCode.NotFound, $"The health of the service '{service}' is not reported.")));
    }

    public override async ValueTask List(HealthListRequest request, HealthListResponse reply, ServerCallContext context)
    {
        foreach (var (service, status) in await statuses.CheckAllAsync(context.CancellationToken).ConfigureAwait(false))
            reply.MutableStatuses(service).SetStatus(status);
    }

    public override async Task Watch(HealthCheckRequest request, SlabStreamWriter<HealthCheckResponse> replies, ServerCallContext context)
    {
        var service = request.Service.ToString();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.CancellationToken, lifetime.ApplicationStopping);
        ServingStatus? sent = null;
        while (!end.IsCancellationRequested)
        {
            var (published, changed) = statuses.Last;
            // before the first publication the checks run once for each watch
            var status = published.TryGetValue(service, out var known) ? known
                : await statuses.CheckAsync(service, context.CancellationToken).ConfigureAwait(false) ?? ServingStatus.ServiceUnknown;
            await SendAsync(status).ConfigureAwait(false);
            await changed.WaitAsync(end.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        // A call that stays open would keep the host from stopping until its time limit.
        if (!context.CancellationToken.IsCancellationRequested && sent != ServingStatus.ServiceUnknown)
            await SendAsync(ServingStatus.NotServing).ConfigureAwait(false);

        async Task SendAsync(ServingStatus status)
        {
            if (status == sent) return;
            sent = status;
            replies.Next.SetStatus(status);
            await replies.WriteAsync(context.CancellationToken).ConfigureAwait(false);
        }
    }
}

using System.Net;
using Grpc.Core;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost;

/// <summary>Converts what a client process and its parent send each other. Times are nanoseconds.</summary>
static class ClientMessages
{
    public static ClientPlan ToMessage(this LoadPlan plan)
    {
        var message = new ClientPlan
        {
            Client = plan.Client,
            Connections = plan.Connections,
            Concurrency = plan.Concurrency,
            Poisson = plan.Poisson,
            MaxInFlight = plan.MaxInFlight,
            DrainNs = Ns(plan.Drain),
            Seed = plan.Seed,
            Spin = plan.Spin,
            Attribute = plan.Attribute,
            Expected = { plan.Expected ?? new HashSet<string>() },
        };
        if (plan.Requests is { } requests)
            message.Requests = requests;
        if (plan.Duration is { } duration)
            message.DurationNs = Ns(duration);
        if (plan.Rate is { } rate)
            message.Rate = rate;
        if (plan.RateAtEnd is { } end)
            message.RateAtEnd = end;
        if (plan.Timeout is { } timeout)
            message.TimeoutNs = Ns(timeout);
        return message;
    }

    public static LoadPlan ToPlan(this ClientPlan message) => new()
    {
        Payload = HivePayload.Empty(),
        Client = message.Client,
        Connections = message.Connections,
        Concurrency = message.Concurrency,
        Requests = message.HasRequests ? message.Requests : null,
        Duration = message.HasDurationNs ? Time(message.DurationNs) : null,
        Rate = message.HasRate ? message.Rate : null,
        RateAtEnd = message.HasRateAtEnd ? message.RateAtEnd : null,
        Poisson = message.Poisson,
        MaxInFlight = message.MaxInFlight,
        Timeout = message.HasTimeoutNs ? Time(message.TimeoutNs) : null,
        Drain = Time(message.DrainNs),
        Seed = message.Seed,
        Spin = message.Spin,
        Attribute = message.Attribute,
        Expected = message.Expected.Count == 0 ? null : message.Expected.ToHashSet(),
    };

    public static ClientReady ToMessage(this ClientStart start) => new()
    {
        FirstCallNs = Ns(start.FirstCall),
        Overhead = start.Overhead,
        Clock = start.Clock is not { } clock ? null : new()
        {
            ResolutionNs = clock.ResolutionNs,
            P50Us = clock.WakeUpDelayP50Us,
            P99Us = clock.WakeUpDelayP99Us,
            Pacer = clock.Pacer,
        },
    };

    public static ClientStart ToStart(this ClientReady message) => new(Time(message.FirstCallNs),
        message.Clock is { } clock ? new(clock.ResolutionNs, clock.P50Us, clock.P99Us, clock.Pacer) : null, message.Overhead);

    public static ConnectionFacts ToMessage(this RpcConnectionFacts connection)
    {
        var message = new ConnectionFacts { Opened = connection.Opened };
        if (connection.Protocol is { } protocol)
            message.Protocol = protocol;
        if (connection.Tls is { } tls)
            message.Tls = tls;
        if (connection.ConnectTime is { } time)
            message.ConnectNs = Ns(time);
        if (connection.Address is { } address)
            message.Address = address.ToString();
        message.Http2.Add(connection.Http2.ToDictionary());
        return message;
    }

    public static RpcConnectionFacts ToFacts(this ConnectionFacts message) => new()
    {
        Protocol = message.HasProtocol ? message.Protocol : null,
        Tls = message.HasTls ? message.Tls : null,
        Opened = message.Opened,
        Address = message.HasAddress ? IPEndPoint.Parse(message.Address) : null,
        ConnectTime = message.HasConnectNs ? Time(message.ConnectNs) : null,
        Http2 = message.Http2.ToDictionary(),
    };

    public static RpcException ToStatus(this RunException failure) => RpcFailure.Of(
        failure.ExitCode switch
        {
            ExitCode.Usage => StatusCode.InvalidArgument,
            ExitCode.Stopped => StatusCode.Cancelled,
            _ => StatusCode.FailedPrecondition,
        },
        failure.Message);

    /// <summary>Returns the failure that a client process has sent; null if the process itself is lost.</summary>
    public static RunException? ToFailure(this RpcException status) => status.StatusCode switch
    {
        StatusCode.InvalidArgument => new UsageException(status.Status.Detail, status),
        StatusCode.Cancelled => new RunException(ExitCode.Stopped, status.Status.Detail, status),
        StatusCode.FailedPrecondition => new RunException(ExitCode.Failed, status.Status.Detail, status),
        _ => null,
    };

    static long Ns(TimeSpan time) => time.Ticks * 100;

    static TimeSpan Time(long nanoseconds) => TimeSpan.FromTicks(nanoseconds / 100);
}

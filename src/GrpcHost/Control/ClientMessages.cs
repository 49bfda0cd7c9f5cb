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
        message.Http2.Add(connection.Http2.ToDictionary());
        return message;
    }

    public static RpcConnectionFacts ToFacts(this ConnectionFacts message) => new()
    {
        Protocol = message.HasProtocol ? message.Protocol : null,
        Tls = message.HasTls ? message.Tls : null,
        Opened = message.Opened,
        ConnectTime = message.HasConnectNs ? Time(message.ConnectNs) : null,
        Http2 = message.Http2.ToDictionary(),
    };

    public static LoadWindow ToMessage(this Window window)
    {
        var calls = window.Calls;
        var message = new LoadWindow
        {
            Service = HistogramEncoding.Encode(calls.Service),
            Response = HistogramEncoding.Encode(calls.Response),
            Failed = HistogramEncoding.Encode(calls.Failed),
            Lag = HistogramEncoding.Encode(calls.Lag),
            Messages = ToMessage(calls.Messages?.Pack()),
            FailedByStatus = { calls.FailedByStatus },
            ExpectedByStatus = { calls.ExpectedByStatus },
            FailureMessages = { calls.FailureMessages },
            SentLate = calls.SentLate,
            ServedAfter = calls.ServedAfter,
            CheckedNs = calls.CheckedNs,
            Resent = calls.Resent,
            LengthNs = window.LengthNs,
            Attempted = window.Attempted,
            Skipped = window.Skipped,
            LargestBacklog = window.LargestBacklog,
            InFlight = window.InFlight,
            Partial = window.Partial,
            MostInFlight = window.MostInFlight,
            Seconds =
            {
                calls.Seconds.Select(one => new LoadSecond
                {
                    Second = one.Second,
                    Failed = one.Failed,
                    Response = HistogramEncoding.Encode(one.Response.Unpack()),
                    Messages = ToMessage(one.Messages),
                }),
            },
        };
        if (window.LoopBusy is { } busy)
            message.LoopBusy = busy;
        if (window.DueNs is { } due)
            message.DueNs = due;
        return message;
    }

    static LoadMessages? ToMessage(PackedMessages? messages) => messages is null ? null : new()
    {
        Sent = messages.Sent,
        Received = messages.Received,
        Between = HistogramEncoding.Encode(messages.Between.Unpack()),
        ToAnswer = HistogramEncoding.Encode(messages.ToAnswer.Unpack()),
    };

    static PackedMessages? ToMessages(LoadMessages? message) => message is null ? null
        : new(message.Sent, message.Received, Packed(message.Between), Packed(message.ToAnswer));

    static PackedHistogram Packed(string histogram) => HistogramEncoding.Decode(histogram).Pack();

    public static Window ToWindow(this LoadWindow message) => new(
        new(HistogramEncoding.Decode(message.Service), HistogramEncoding.Decode(message.Response), HistogramEncoding.Decode(message.Failed),
            HistogramEncoding.Decode(message.Lag), message.FailedByStatus.ToDictionary(), message.FailureMessages.ToDictionary(),
            message.SentLate, message.ServedAfter, message.CheckedNs)
        {
            Messages = ToMessages(message.Messages)?.Unpack(),
            ExpectedByStatus = message.ExpectedByStatus.ToDictionary(),
            Resent = message.Resent,
            Seconds = message.Seconds.Select(one =>
                new EndedCalls(one.Second, one.Failed, Packed(one.Response), ToMessages(one.Messages))),
        },
        message.LengthNs, message.Attempted, message.Skipped, message.LargestBacklog, message.InFlight, message.Partial)
    {
        MostInFlight = message.MostInFlight,
        LoopBusy = message.HasLoopBusy ? message.LoopBusy : null,
        DueNs = message.HasDueNs ? message.DueNs : null,
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

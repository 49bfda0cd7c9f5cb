using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Load;

/// <summary>The statistics of calls. Each worker has its own, and they are added at the end. Not thread-safe.</summary>
sealed class CallStatistics
{
    /// <summary>The status name for a call that succeeded with a wrong reply.</summary>
    public const string WrongReply = "WrongReply";

    /// <summary>The status name for a call that was given up because its round was over: see <see cref="Runs.LoadPlan.Drain"/>.</summary>
    public const string NotEnded = "NotEnded";

    // Later than this a call counts as sent late.
    const long lateAfter = 1_000_000;

    public CallStatistics()
        : this(new(), new(), new(), new(), new(StringComparer.Ordinal), 0, 0, 0)
    {
    }

    /// <summary>What another process has counted.</summary>
    public CallStatistics(LatencyHistogram service, LatencyHistogram response, LatencyHistogram failed, LatencyHistogram lag,
        Dictionary<string, long> failedByStatus, long sentLate, long checkedNs, double busyNs) =>
        (Service, Response, Failed, Lag, FailedByStatus, SentLate, CheckedNs, BusyNs) =
            (service, response, failed, lag, failedByStatus, sentLate, checkedNs, busyNs);

    /// <summary>Successful calls, from the real send.</summary>
    public LatencyHistogram Service { get; }

    /// <summary>Successful calls, from the intended send.</summary>
    public LatencyHistogram Response { get; }

    /// <summary>Failed calls, from the real send.</summary>
    public LatencyHistogram Failed { get; }

    /// <summary>From the intended to the real send, of all calls.</summary>
    public LatencyHistogram Lag { get; }

    public Dictionary<string, long> FailedByStatus { get; }

    public long SentLate { get; private set; }

    /// <summary>Time that the checks of replies took, in nanoseconds.</summary>
    public long CheckedNs { get; private set; }

    /// <summary>Time that calls were under way within the window, in nanoseconds:
    /// divided by the window it is the mean number in flight.</summary>
    public double BusyNs { get; private set; }

    /// <summary>Counts a call that ended.</summary>
    /// <param name="call">Its times.</param>
    /// <param name="failure">The name of its status, or null for success.</param>
    /// <param name="windowEnd">Where the measured window ends.</param>
    public void Count(in CallTimes call, string? failure, long windowEnd)
    {
        var service = (call.End - call.Sent) / 1_000;
        var lag = Math.Max(0, call.Sent - call.Intended);
        Lag.Record(lag / 1_000);
        if (lag > lateAfter)
            SentLate++;
        BusyNs += Math.Max(0, Math.Min(call.End, windowEnd) - call.Sent);
        CheckedNs += call.Checked - call.End;
        if (failure is null)
        {
            Service.Record(service);
            Response.Record((call.End - Math.Min(call.Intended, call.Sent)) / 1_000);
        }
        else
        {
            Failed.Record(service);
            FailedByStatus[failure] = FailedByStatus.GetValueOrDefault(failure) + 1;
        }
    }

    /// <summary>Adds the statistics of another worker.</summary>
    public void Add(CallStatistics other)
    {
        Service.Add(other.Service);
        Response.Add(other.Response);
        Failed.Add(other.Failed);
        Lag.Add(other.Lag);
        foreach (var (status, count) in other.FailedByStatus)
            FailedByStatus[status] = FailedByStatus.GetValueOrDefault(status) + count;
        SentLate += other.SentLate;
        CheckedNs += other.CheckedNs;
        BusyNs += other.BusyNs;
    }
}

/// <summary>When a call was due, was sent, ended, and its reply was checked, in nanoseconds.</summary>
readonly record struct CallTimes(long Intended, long Sent, long End, long Checked);

/// <summary>The outcome of a load: the calls that were due within it, whenever they ended.</summary>
/// <param name="Calls">The statistics of the calls.</param>
/// <param name="LengthNs">In the open loop from the first intended send to the end, without the draining of what was still in flight. In the
/// closed loop the time that its calls are divided by: until the last of them, or with a time until the last of each caller.</param>
/// <param name="Attempted">Calls that were due, the skipped ones included.</param>
/// <param name="Skipped">Calls that were not sent, because too many were in flight.</param>
/// <param name="LargestBacklog">The most calls that were due and not yet sent at one time.</param>
/// <param name="InFlight">Calls that were under way at one time, on average, as
/// counted by time: what Little's law is checked against.</param>
/// <param name="Partial">Whether the run was stopped early.</param>
sealed record Window(CallStatistics Calls, long LengthNs, long Attempted, long Skipped, long LargestBacklog, double InFlight, bool Partial)
{
    public double Seconds => LengthNs / 1e9;

    /// <summary>The share of the time in which the client's event loops did not wait; null for another client.</summary>
    public double? LoopBusy { get; init; }
}

namespace ProtoBench.GrpcHost;

/// <summary>The statistics of calls. Each worker has its own, and they are added at the end. Not thread-safe.</summary>
sealed class CallStatistics
{
    public const string WrongReply = "WrongReply";

    /// <summary>The status name of a call that was cancelled because its round was over: see <see cref="LoadPlan.Drain"/>.</summary>
    public const string NotEnded = "NotEnded";

    // a server chooses the text, which may have the size of its headers
    const int mostMessageLength = 500;

    // the delay in nanoseconds above which a call was sent late
    const long lateAfter = 1_000_000;

    // the times at which the calls of FailureMessages ended; none for those of another process
    readonly Dictionary<string, long> firstAt = new(StringComparer.Ordinal);

    public CallStatistics()
        : this(new(), new(), new(), new(), new(StringComparer.Ordinal), new(StringComparer.Ordinal), 0, 0, 0, 0)
    {
    }

    public CallStatistics(LatencyHistogram service, LatencyHistogram response, LatencyHistogram failed, LatencyHistogram lag,
        Dictionary<string, long> failedByStatus, Dictionary<string, string> failureMessages, long sentLate, long servedAfter,
        long checkedNs, double busyNs) =>
        (Service, Response, Failed, Lag, FailedByStatus, FailureMessages, SentLate, ServedAfter, CheckedNs, BusyNs) =
            (service, response, failed, lag, failedByStatus, failureMessages, sentLate, servedAfter, checkedNs, busyNs);

    /// <summary>The latencies of successful calls from the actual send.</summary>
    public LatencyHistogram Service { get; }

    /// <summary>The latencies of successful calls from the intended send.</summary>
    public LatencyHistogram Response { get; }

    /// <summary>The latencies of failed calls from the actual send.</summary>
    public LatencyHistogram Failed { get; }

    /// <summary>The times from the intended to the actual send of all calls.</summary>
    public LatencyHistogram Lag { get; }

    public Dictionary<string, long> FailedByStatus { get; }

    /// <summary>The text of the first failed call of each status that has one.</summary>
    public Dictionary<string, string> FailureMessages { get; }

    public long SentLate { get; private set; }

    /// <summary>The number of successful calls that ended after the window: the host was behind by so many.</summary>
    public long ServedAfter { get; private set; }

    public long CheckedNs { get; private set; }

    /// <summary>Nanoseconds of calls in progress. Divided by the window's length it is the mean number in flight.</summary>
    public double BusyNs { get; private set; }

    public void Count(in CallTimes call, string? failure, long windowEnd, string? message = null)
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
            if (call.End > windowEnd)
                ServedAfter++;
            Service.Record(service);
            Response.Record((call.End - Math.Min(call.Intended, call.Sent)) / 1_000);
        }
        else
        {
            Failed.Record(service);
            FailedByStatus[failure] = FailedByStatus.GetValueOrDefault(failure) + 1;
            if (!string.IsNullOrEmpty(message))
                KeepFirst(failure, message.Length <= mostMessageLength ? message : message[..mostMessageLength], call.End);
        }
    }

    public void Add(CallStatistics other)
    {
        Service.Add(other.Service);
        Response.Add(other.Response);
        Failed.Add(other.Failed);
        Lag.Add(other.Lag);
        foreach (var (status, count) in other.FailedByStatus)
            FailedByStatus[status] = FailedByStatus.GetValueOrDefault(status) + count;
        foreach (var (status, message) in other.FailureMessages)
            KeepFirst(status, message, other.firstAt.GetValueOrDefault(status, long.MaxValue));
        SentLate += other.SentLate;
        ServedAfter += other.ServedAfter;
        CheckedNs += other.CheckedNs;
        BusyNs += other.BusyNs;
    }

    // a caller moves from processor to processor, and each has statistics of its own
    void KeepFirst(string status, string message, long end)
    {
        if (FailureMessages.ContainsKey(status) && firstAt.GetValueOrDefault(status, long.MaxValue) <= end)
            return;
        FailureMessages[status] = message;
        firstAt[status] = end;
    }
}

/// <summary>The times of a call in nanoseconds: intended send, actual send, end, and end of the check of its reply.</summary>
readonly record struct CallTimes(long Intended, long Sent, long End, long Checked);

/// <summary>The outcome of a load: all calls that were due within it, including those that ended later.</summary>
/// <param name="LengthNs">In the open loop, the time from the first intended send to the end, without the calls that were still in flight.
/// In the closed loop, the time by which its calls are divided: until the last call, or until the last call of each caller if a time ends
/// the loop.</param>
/// <param name="Attempted">The number of calls that were due, including skipped ones.</param>
/// <param name="Skipped">The number of calls that were not sent, because too many were in flight.</param>
/// <param name="LargestBacklog">The largest number of calls that were due and not yet sent.</param>
/// <param name="InFlight">The mean number of calls in progress, from their times. Little's law is checked against it.</param>
sealed record Window(CallStatistics Calls, long LengthNs, long Attempted, long Skipped, long LargestBacklog, double InFlight, bool Partial)
{
    public double Seconds => LengthNs / 1e9;

    public int MostInFlight { get; init; }

    /// <summary>The share of the time in which the client's event loops did not wait; null for another client.</summary>
    public double? LoopBusy { get; init; }
}

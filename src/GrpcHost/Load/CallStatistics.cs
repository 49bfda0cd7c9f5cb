namespace ProtoBench.GrpcHost;

/// <summary>The statistics of calls. Each worker has its own, and they are added at the end. Not thread-safe.</summary>
sealed class CallStatistics
{
    public const string WrongReply = "WrongReply";

    /// <summary>The status name of a call that was cancelled because its round was over: see <see cref="LoadPlan.Drain"/>.</summary>
    public const string NotEnded = "NotEnded";

    public const string Ok = nameof(Grpc.Core.StatusCode.OK);

    // a server chooses the text, which may have the size of its headers
    const int mostMessageLength = 500;

    // the delay in nanoseconds above which a call was sent late
    const long lateAfter = 1_000_000;

    const long nanosecondsPerSecond = 1_000_000_000;

    readonly long start;
    readonly CallLog.Part? log;
    readonly LatencyHistogram second = new();
    readonly List<EndedCalls> seconds = [];
    long secondEnd;
    long failedInSecond;
    StreamMessages? messages;
    StreamMessages? messagesInSecond;

    // the times at which the calls of FailureMessages ended
    readonly Dictionary<string, long> firstAt = new(StringComparer.Ordinal);

    /// <param name="start">In nanoseconds.</param>
    /// <param name="log">Where each call is written too; null for nowhere.</param>
    public CallStatistics(long start = 0, CallLog.Part? log = null) =>
        (this.start, secondEnd, this.log) = (start, start + nanosecondsPerSecond, log);

    /// <summary>The latencies of successful calls from the actual send.</summary>
    public LatencyHistogram Service { get; } = new();

    /// <summary>The latencies of successful calls from the intended send.</summary>
    public LatencyHistogram Response { get; } = new();

    /// <summary>The latencies of failed calls from the actual send.</summary>
    public LatencyHistogram Failed { get; } = new();

    /// <summary>The times from the intended to the actual send of all calls.</summary>
    public LatencyHistogram Lag { get; } = new();

    /// <summary>The messages of streams, without those of the second in progress; null for unary calls.</summary>
    public StreamMessages? Messages => messages;

    public Dictionary<string, long> FailedByStatus { get; } = new(StringComparer.Ordinal);

    /// <summary>The successful calls whose status was another than OK, as expected.</summary>
    public Dictionary<string, long> ExpectedByStatus { get; } = new(StringComparer.Ordinal);

    /// <summary>The text of the first call of each status but OK that has one.</summary>
    public Dictionary<string, string> FailureMessages { get; } = new(StringComparer.Ordinal);

    public long SentLate { get; private set; }

    /// <summary>The number of successful calls that ended after the window: the host was behind by so many.</summary>
    public long ServedAfter { get; private set; }

    public long CheckedNs { get; private set; }

    /// <summary>The time at which the last successful call ended; 0 before.</summary>
    public long LastSuccess { get; private set; }

    /// <summary>The calls that were sent again because the server had refused them without processing them.</summary>
    public long Resent { get; set; }

    /// <summary>The time from which <see cref="Seconds"/> are counted.</summary>
    public long Start => start;

    /// <summary>The calls by the second in which they ended, in their order. Complete when this was added to another.</summary>
    public IEnumerable<EndedCalls> Seconds => seconds.GroupBy(one => one.Second).OrderBy(group => group.Key).Select(EndedCalls.Sum);

    /// <summary>The last second that is over; null before. Other threads may read it.</summary>
    public EndedCalls? LastSecond { get; private set; }

    /// <param name="expected">The statuses that are no failures; null for OK.</param>
    public void Count(in CallTimes call, string? failure, long windowEnd, string? message = null, IReadOnlySet<string>? expected = null)
    {
        Reach(call.End);
        var service = (call.End - call.Sent) / 1_000;
        var lag = Math.Max(0, call.Sent - call.Intended);
        Lag.Record(lag / 1_000);
        if (lag > lateAfter)
            SentLate++;
        CheckedNs += call.Checked - call.End;
        log?.Add(new(call.End, call.End - Math.Min(call.Intended, call.Sent), lag, failure, message));
        var isExpected = expected?.Contains(failure ?? Ok) ?? failure is null;
        if (isExpected)
        {
            LastSuccess = Math.Max(LastSuccess, call.End);
            if (call.End > windowEnd)
                ServedAfter++;
            Service.Record(service);
            var response = (call.End - Math.Min(call.Intended, call.Sent)) / 1_000;
            Response.Record(response);
            second.Record(response);
        }
        else
        {
            Failed.Record(service);
            failedInSecond++;
        }

        if (isExpected && failure is null)
            return;
        failure ??= Ok;
        var byStatus = isExpected ? ExpectedByStatus : FailedByStatus;
        byStatus[failure] = byStatus.GetValueOrDefault(failure) + 1;
        if (!string.IsNullOrEmpty(message))
            KeepFirst(failure, message.Length <= mostMessageLength ? message : message[..mostMessageLength], call.End);
    }

    /// <summary>Returns where the messages of this time are counted.</summary>
    public StreamMessages MessagesAt(long time)
    {
        Reach(time);
        return messagesInSecond ??= new();
    }

    /// <param name="other">Statistics that count no more calls.</param>
    public void Add(CallStatistics other)
    {
        other.EndSecond();
        seconds.AddRange(other.seconds);
        Service.Add(other.Service);
        Response.Add(other.Response);
        Failed.Add(other.Failed);
        Lag.Add(other.Lag);
        if (other.messages is not null)
            (messages ??= new()).Add(other.messages.Pack());
        foreach (var (status, count) in other.FailedByStatus)
            FailedByStatus[status] = FailedByStatus.GetValueOrDefault(status) + count;
        foreach (var (status, count) in other.ExpectedByStatus)
            ExpectedByStatus[status] = ExpectedByStatus.GetValueOrDefault(status) + count;
        foreach (var (status, message) in other.FailureMessages)
            KeepFirst(status, message, other.firstAt[status]);
        SentLate += other.SentLate;
        ServedAfter += other.ServedAfter;
        CheckedNs += other.CheckedNs;
        LastSuccess = Math.Max(LastSuccess, other.LastSuccess);
        Resent += other.Resent;
    }

    void Reach(long time)
    {
        if (time < secondEnd)
            return;
        EndSecond();
        secondEnd = time - ((time - start) % nanosecondsPerSecond) + nanosecondsPerSecond;
    }

    void EndSecond()
    {
        log?.Flush();
        if (second.Count + failedInSecond == 0 && messagesInSecond is null or { Sent: 0, Received: 0 })
            return;
        LastSecond = new((int)((secondEnd - start) / nanosecondsPerSecond) - 1, failedInSecond, second.Pack(), messagesInSecond?.Pack());
        seconds.Add(LastSecond);
        second.Clear();
        failedInSecond = 0;
        if (LastSecond.Messages is { } sum)
            (messages ??= new()).Add(sum);
        messagesInSecond?.Clear();
    }

    // a caller moves from processor to processor, and each has statistics of its own
    void KeepFirst(string status, string message, long end)
    {
        if (firstAt.TryGetValue(status, out var first) && first <= end)
            return;
        FailureMessages[status] = message;
        firstAt[status] = end;
    }
}

/// <summary>What ended in a second of a load, from 0. A call that waited for a lock may be in the next one.</summary>
/// <param name="Response">The latencies of the successful calls.</param>
/// <param name="Messages">Null for unary calls.</param>
sealed record EndedCalls(int Second, long Failed, PackedHistogram Response, PackedMessages? Messages = null)
{
    /// <param name="parts">Those of several threads or processes in the same second.</param>
    public static EndedCalls Sum(IEnumerable<EndedCalls> parts)
    {
        EndedCalls[] all = [.. parts];
        if (all is [var one])
            return one;
        var response = new LatencyHistogram();
        StreamMessages? messages = null;
        foreach (var part in all)
        {
            response.Add(part.Response);
            if (part.Messages is { } sum)
                (messages ??= new()).Add(sum);
        }

        return new(all[0].Second, all.Sum(part => part.Failed), response.Pack(), messages?.Pack());
    }
}

/// <summary>The times of a call in nanoseconds: intended send, actual send, end, and end of the check of its reply.</summary>
readonly record struct CallTimes(long Intended, long Sent, long End, long Checked);

/// <summary>The outcome of a load: all calls that were due within it, including those that ended later.</summary>
/// <param name="LengthNs">The time by which the calls are divided. In the open loop, from the first intended send to the last successful call,
/// but at least the time in which calls were due. In the closed loop, until the last call, or until the last call of each caller if a time
/// ends the loop.</param>
/// <param name="Attempted">The number of calls that were due, including skipped ones.</param>
/// <param name="Skipped">The number of calls that were not sent, because too many were in flight.</param>
/// <param name="LargestBacklog">The largest number of calls that were due and not yet sent.</param>
/// <param name="InFlight">The callers' time in calls, divided by the length. Little's law is checked against it. 0 in the open loop, where
/// only the times of the calls themselves are known.</param>
sealed record Window(CallStatistics Calls, long LengthNs, long Attempted, long Skipped, long LargestBacklog, double InFlight, bool Partial)
{
    public double Seconds => LengthNs / 1e9;

    /// <summary>The time in which the calls of the open loop were due; null in the closed loop.</summary>
    public long? DueNs { get; init; }

    public double DueSeconds => (DueNs ?? LengthNs) / 1e9;

    public int MostInFlight { get; init; }

    /// <summary>The share of the time in which the client's event loops did not wait; null for another client.</summary>
    public double? LoopBusy { get; init; }
}

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
    readonly LatencyHistogram second = new();
    readonly List<EndedCalls> seconds = [];
    long secondEnd;
    long failedInSecond;
    StreamMessages? messages;
    StreamMessages? messagesInSecond;

    // the times at which the calls of FailureMessages ended; none for those of another process
    readonly Dictionary<string, long> firstAt = new(StringComparer.Ordinal);

    /// <param name="start">In nanoseconds.</param>
    public CallStatistics(long start = 0)
        : this(new(), new(), new(), new(), new(StringComparer.Ordinal), new(StringComparer.Ordinal), 0, 0, 0) =>
        (this.start, secondEnd) = (start, start + nanosecondsPerSecond);

    public CallStatistics(LatencyHistogram service, LatencyHistogram response, LatencyHistogram failed, LatencyHistogram lag,
        Dictionary<string, long> failedByStatus, Dictionary<string, string> failureMessages, long sentLate, long servedAfter,
        long checkedNs) =>
        (Service, Response, Failed, Lag, FailedByStatus, FailureMessages, SentLate, ServedAfter, CheckedNs) =
            (service, response, failed, lag, failedByStatus, failureMessages, sentLate, servedAfter, checkedNs);

    /// <summary>The latencies of successful calls from the actual send.</summary>
    public LatencyHistogram Service { get; }

    /// <summary>The latencies of successful calls from the intended send.</summary>
    public LatencyHistogram Response { get; }

    /// <summary>The latencies of failed calls from the actual send.</summary>
    public LatencyHistogram Failed { get; }

    /// <summary>The times from the intended to the actual send of all calls.</summary>
    public LatencyHistogram Lag { get; }

    /// <summary>The messages of streams, without those of the second in progress; null for unary calls.</summary>
    public StreamMessages? Messages { get => messages; init => messages = value; }

    public Dictionary<string, long> FailedByStatus { get; }

    /// <summary>The successful calls whose status was another than OK, as expected.</summary>
    public Dictionary<string, long> ExpectedByStatus { get; init; } = new(StringComparer.Ordinal);

    /// <summary>The text of the first call of each status but OK that has one.</summary>
    public Dictionary<string, string> FailureMessages { get; }

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
    public IEnumerable<EndedCalls> Seconds
    {
        get => seconds.GroupBy(one => one.Second).OrderBy(group => group.Key).Select(EndedCalls.Sum);
        init => seconds = [.. value];
    }

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
            KeepFirst(status, message, other.firstAt.GetValueOrDefault(status, long.MaxValue));
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
        if (FailureMessages.ContainsKey(status) && firstAt.GetValueOrDefault(status, long.MaxValue) <= end)
            return;
        FailureMessages[status] = message;
        firstAt[status] = end;
    }
}

/// <summary>The messages of streams. Not thread-safe.</summary>
sealed class StreamMessages
{
    public long Sent { get; set; }

    public long Received { get; set; }

    /// <summary>The times from one message to the next, of replies where these stream, otherwise of requests.</summary>
    public LatencyHistogram Between { get; } = new();

    /// <summary>The times from a message to its answer, which is the reply with the same number.</summary>
    public LatencyHistogram ToAnswer { get; } = new();

    public void Add(PackedMessages other)
    {
        (Sent, Received) = (Sent + other.Sent, Received + other.Received);
        Between.Add(other.Between);
        ToAnswer.Add(other.ToAnswer);
    }

    public void Clear()
    {
        (Sent, Received) = (0, 0);
        Between.Clear();
        ToAnswer.Clear();
    }

    public PackedMessages Pack() => new(Sent, Received, Between.Pack(), ToAnswer.Pack());
}

/// <summary>The content of <see cref="StreamMessages"/>. Immutable.</summary>
sealed record PackedMessages(long Sent, long Received, PackedHistogram Between, PackedHistogram ToAnswer)
{
    public StreamMessages Unpack()
    {
        var messages = new StreamMessages();
        messages.Add(this);
        return messages;
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

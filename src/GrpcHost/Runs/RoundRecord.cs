namespace ProtoBench.GrpcHost;

/// <summary>Makes the record of a round: once from the statistics of the process that made the calls, and as the sum of several
/// processes.</summary>
static class RoundRecord
{
    public static LoadRound Of(Window window, LoadPlan plan)
    {
        var open = plan.Rate is not null;
        var calls = window.Calls;
        return new()
        {
            Position = 0,
            DurationSeconds = window.Seconds,
            DueSeconds = open ? window.DueSeconds : null,
            Attempted = window.Attempted,
            Succeeded = calls.Service.Count,
            Skipped = window.Skipped,
            FailedByStatus = calls.FailedByStatus,
            ExpectedByStatus = calls.ExpectedByStatus.Count == 0 ? null : calls.ExpectedByStatus,
            FailureMessages = calls.FailureMessages.Count == 0 ? null : calls.FailureMessages,
            SentLate = open ? calls.SentLate : null,
            ServedAfter = open ? calls.ServedAfter : null,
            LargestBacklog = open ? window.LargestBacklog : null,
            TransparentRetries = calls.Resent > 0 ? calls.Resent : null,
            VerifiedShare = calls.CheckedNs / (double)window.LengthNs / Checkers(plan),
            Response = open ? Record(calls.Response) : null,
            Service = Record(calls.Service),
            Failed = calls.Failed.Count > 0 ? Record(calls.Failed) : null,
            Messages = Messages(calls.Messages?.Pack()),
            ScheduleLag = open ? Record(calls.Lag) : null,
            Seconds = [.. calls.Seconds.Select(one =>
                new SecondRecord(one.Second, one.Failed, Record(one.Response.Unpack()), Messages(one.Messages)))],
            InFlight = open ? null : window.InFlight,
            MostInFlight = window.MostInFlight,
            LoopBusy = window.LoopBusy,
            Partial = window.Partial,
        };

        LatencyRecord Record(LatencyHistogram histogram) => LatencyRecord.Of(histogram, plan.Percentiles);

        StreamRecord? Messages(PackedMessages? messages) => messages is null ? null
            : new(messages.Sent, messages.Received, Record(messages.Between.Unpack()), Record(messages.ToAnswer.Unpack()));
    }

    /// <summary>Adds the rounds of processes that ran at the same time.</summary>
    /// <param name="plan">The whole, of which each process had a share.</param>
    public static LoadRound Sum(IReadOnlyList<LoadRound> parts, LoadPlan plan)
    {
        var open = plan.Rate is not null;
        var ended = parts.Sum(Ended);
        // The rate is the sum of the rates. If a number of calls ends the load, it ends with the last call.
        var longest = open || plan.Duration is null || plan.Requests is not null || ended == 0;
        var length = longest ? parts.Max(part => part.DurationSeconds) : ended / parts.Sum(part => Ended(part) / part.DurationSeconds);
        return new()
        {
            Position = 0,
            DurationSeconds = length,
            DueSeconds = parts.Max(part => part.DueSeconds),
            Attempted = parts.Sum(part => part.Attempted),
            Succeeded = parts.Sum(part => part.Succeeded),
            Skipped = parts.Sum(part => part.Skipped),
            FailedByStatus = Counts(part => part.FailedByStatus) ?? [],
            ExpectedByStatus = Counts(part => part.ExpectedByStatus),
            FailureMessages = Statuses(part => part.FailureMessages)?.ToDictionary(status => status.Key, status => status.First()),
            SentLate = open ? parts.Sum(part => part.SentLate) : null,
            ServedAfter = open ? parts.Sum(part => part.ServedAfter) : null,
            LargestBacklog = parts.Max(part => part.LargestBacklog),
            TransparentRetries = parts.Sum(part => part.TransparentRetries) is > 0 and var retries ? retries : null,
            VerifiedShare = parts.Index().Sum(part => part.Item.VerifiedShare * part.Item.DurationSeconds
                * Checkers(ClientProcesses.Share(plan, part.Index, parts.Count))) / length / Checkers(plan),
            Response = Latencies(parts.Select(part => part.Response)),
            Service = Latencies(parts.Select(part => part.Service))!,
            Failed = Latencies(parts.Select(part => part.Failed)),
            Messages = Messages(parts.Select(part => part.Messages)),
            ScheduleLag = Latencies(parts.Select(part => part.ScheduleLag)),
            Seconds =
            [
                .. from second in parts.SelectMany(part => part.Seconds!)
                   group second by second.Second into all
                   orderby all.Key
                   select new SecondRecord(all.Key, all.Sum(one => one.Failed), Latencies(all.Select(one => one.Latency))!,
                       Messages(all.Select(one => one.Messages))),
            ],
            InFlight = open ? null : parts.Sum(part => part.InFlight * part.DurationSeconds) / length,
            MostInFlight = parts.Sum(part => part.MostInFlight),
            LoopBusy = parts.Average(part => part.LoopBusy),
            Partial = parts.Any(part => part.Partial),
        };

        Dictionary<string, long>? Counts(Func<LoadRound, IReadOnlyDictionary<string, long>?> of) =>
            Statuses(of)?.ToDictionary(status => status.Key, status => status.Sum());

        // null if no part has any
        ILookup<string, T>? Statuses<T>(Func<LoadRound, IReadOnlyDictionary<string, T>?> of) =>
            parts.SelectMany(part => of(part) ?? new Dictionary<string, T>()).ToLookup(one => one.Key, one => one.Value)
                is { Count: > 0 } statuses ? statuses : null;

        LatencyRecord? Latencies(IEnumerable<LatencyRecord?> latencies)
        {
            LatencyHistogram? sum = null;
            foreach (var latency in latencies.OfType<LatencyRecord>())
                (sum ??= new()).Add(latency.Decode());
            return sum is null ? null : LatencyRecord.Of(sum, plan.Percentiles);
        }

        StreamRecord? Messages(IEnumerable<StreamRecord?> streams)
        {
            StreamRecord[] all = [.. streams.OfType<StreamRecord>()];
            return all.Length == 0 ? null : new(all.Sum(one => one.Sent), all.Sum(one => one.Received),
                Latencies(all.Select(one => one.BetweenMessages))!, Latencies(all.Select(one => one.ToAnswer))!);
        }
    }

    /// <summary>Returns the number of calls per second that the client could make; null if it is not known.</summary>
    /// <param name="round">With the use of the client.</param>
    /// <remarks>An event loop is at its limit when it does not wait any more, other clients when they use all processors, or half of them
    /// beside a host. The cost of a call decreases with more calls, so that the true limit is higher.</remarks>
    public static double? CeilingOf(LoadRound round, bool sharesCores)
    {
        if (round.LoopBusy is { } busy)
            return busy > 0 ? Ended(round) / round.DurationSeconds / busy : null;
        var processors = Environment.ProcessorCount / (sharesCores ? 2.0 : 1);
        return round.Client is { CpuUsPerCall: > 0 and var cpu } ? processors * 1e6 / cpu : null;
    }

    public static long Ended(LoadRound round) => round.Succeeded + round.FailedCalls;

    // the share of a closed loop is that of a caller's time
    static int Checkers(LoadPlan plan) => plan.Rate is null ? plan.Concurrency : 1;
}

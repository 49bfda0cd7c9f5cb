namespace ProtoBench.GrpcHost;

/// <summary>A load that runs, as another thread sees it.</summary>
/// <param name="parts">Enumerated for each figure.</param>
sealed class LiveCalls(IEnumerable<CallStatistics> parts, Func<int> inFlight)
{
    public long Succeeded => parts.Sum(one => one.Service.Count);

    public long Failed => parts.Sum(one => one.Failed.Count);

    public int InFlight => inFlight();

    /// <summary>Successful and failed calls, and sent and received messages.</summary>
    public long[] Counts => [Succeeded, Failed, parts.Sum(one => one.Messages?.Sent ?? 0), parts.Sum(one => one.Messages?.Received ?? 0)];

    /// <summary>Returns the text of the progress. A stream can last as long as the round, so its messages are in it.</summary>
    /// <param name="total">The number of calls of the round, if it has one.</param>
    public string Done(long? total)
    {
        var (succeeded, sent, received) = Counts is [var one, _, var two, var three] ? (one, two, three) : default;
        return $"{succeeded:N0}{(total is { } all ? $" of {all:N0}" : "")} calls"
            + (sent + received == 0 ? "" : $", {sent:N0} messages sent, {received:N0} received")
            + (Failed is > 0 and var failed ? $", {failed:N0} failed" : "") + InLastSecond();
    }

    string InLastSecond()
    {
        if (LastSecond() is not { Response: { Count: > 0 } packed })
            return "";
        var latencies = packed.Unpack();
        return $"; last second: {latencies.Count:N0} calls, p50 {latencies.Percentile(50):N0} μs, p99 {latencies.Percentile(99):N0} μs, "
            + $"{InFlight:N0} in flight";
    }

    /// <summary>Returns the last second that is over; null before.</summary>
    public EndedCalls? LastSecond()
    {
        EndedCalls[] last = [.. parts.Select(one => one.LastSecond).OfType<EndedCalls>()];
        return last.Length == 0 ? null : EndedCalls.Sum(last.GroupBy(one => one.Second).MaxBy(group => group.Key)!);
    }
}

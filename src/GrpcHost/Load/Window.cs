namespace ProtoBench.GrpcHost;

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

namespace ProtoBench.GrpcHost.Load;

/// <summary>The outcome of a load: the calls that were due within it, whenever they ended.</summary>
/// <param name="Calls">The statistics of the calls.</param>
/// <param name="LengthNs">From the first intended send to the end, without the draining of what was still in flight.</param>
/// <param name="Attempted">Calls that were due, the skipped ones included.</param>
/// <param name="Skipped">Calls that were not sent, because too many were in flight.</param>
/// <param name="LargestBacklog">The most calls that were due and not yet sent at one time.</param>
/// <param name="InFlight">Calls that were under way at one time, on average, as
/// counted by time: what Little's law is checked against.</param>
/// <param name="Partial">Whether the run was stopped early.</param>
sealed record Window(CallStatistics Calls, long LengthNs, long Attempted, long Skipped, long LargestBacklog, double InFlight, bool Partial)
{
    public double Seconds => LengthNs / 1e9;
}

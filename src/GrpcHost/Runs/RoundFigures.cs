using ProtoBench.GrpcHost.Load;
using ProtoBench.Results;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>The figures of a round: its calls, and the resources that both processes used.</summary>
/// <param name="Window">The calls.</param>
/// <param name="Client">This process.</param>
/// <param name="Server">The host; null where it has no control service.</param>
/// <param name="Parts">Where the time of a call goes; null where it was not asked for.</param>
sealed record RoundFigures(Window Window, ProcessUse Client, ProcessUse? Server, CallParts? Parts)
{
    /// <summary>As it stands in a result file.</summary>
    public LoadRound ToRecord(int position, LoadPlan plan)
    {
        var open = plan.Rate is not null;
        var calls = Window.Calls;
        return new()
        {
            Position = position,
            DurationSeconds = Window.Seconds,
            Attempted = Window.Attempted,
            Succeeded = calls.Service.Count,
            Skipped = Window.Skipped,
            FailedByStatus = calls.FailedByStatus,
            SentLate = open ? calls.SentLate : null,
            LargestBacklog = open ? Window.LargestBacklog : null,
            VerifiedShare = calls.CheckedNs / (double)Window.LengthNs / (open ? 1 : plan.Concurrency),
            Response = open ? Record(calls.Response) : null,
            Service = Record(calls.Service),
            Failed = calls.Failed.Count > 0 ? Record(calls.Failed) : null,
            ScheduleLag = open ? Record(calls.Lag) : null,
            Client = Client,
            Server = Server,
        };

        LatencyRecord Record(LatencyHistogram histogram) => LatencyRecord.Of(histogram, plan.Percentiles);
    }
}

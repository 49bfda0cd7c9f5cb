namespace ProtoBench.GrpcHost;

static class RunChecks
{
    const double achievedAtLeast = 0.95;
    const double lagAtMost = 0.5;
    const long usualLagUs = 2_000;
    const double littleAtMost = 0.05;
    const double gcPauseAtMost = 0.02;
    const double steadyWithin = 1.25;
    const double ceilingAtMost = 0.8;

    /// <param name="comparesClient">Whether the client is a part of what is compared, so that its collections belong to the
    /// result.</param>
    public static IEnumerable<string> Faults(RoundFigures round, bool comparesClient = false)
    {
        var window = round.Window;
        var calls = window.Calls;
        var succeeded = calls.Service.Count;
        if (Overload(window.Attempted, window.Skipped + calls.ServedAfter, window.DueSeconds) is { } overload)
            yield return overload;
        // Failed calls change the figures of the others. The percentiles are too low without a call that hangs until its deadline, and the
        // throughput is too high with calls that fail at once.
        if (calls.Failed.Count > 0)
            yield return CallsFailed(calls.Failed.Count, window.Attempted, calls.FailedByStatus.Keys);
        if (window.Attempted == 0)
            yield return "no call was made";
        else if (succeeded < achievedAtLeast * window.Attempted)
            yield return $"only {Share(succeeded, window.Attempted)} of the attempted calls succeeded (at least {Percent(achievedAtLeast)})";
        if (window.Skipped > 0)
            yield return $"{window.Skipped} calls were skipped, because too many were in flight";
        if (calls.FailedByStatus.TryGetValue(CallStatistics.WrongReply, out var wrong))
            yield return $"{wrong} replies were wrong";
        if (calls.FailedByStatus.TryGetValue(CallStatistics.NotEnded, out var hanging))
            yield return $"{hanging} calls had not ended when the time after the round (--drain) was over";
        if (succeeded == 0)
            yield break;

        if (Lag(calls) is { } lag)
            yield return lag;
        // concurrency = rate x latency holds for any distribution of a load in a steady state (J. D. C. Little, 1961); the mean of calls
        // above the limit of a histogram, as of a stream that lasts for a round, is not known. Callers spend their time in failed calls
        // too.
        var expected = ((succeeded * calls.Service.Mean) + (calls.Failed.Count * calls.Failed.Mean)) / window.Seconds / 1e6;
        if (window.InFlight > 0 && Math.Max(calls.Service.Max, calls.Failed.Max) < LatencyHistogram.Highest
            && Math.Abs(expected - window.InFlight) > littleAtMost * window.InFlight)
            yield return $"Little's law is off: rate x latency is {expected:F3}, but {window.InFlight:F3} calls were in flight on average (at "
                + $"most {Percent(littleAtMost)} apart)";
        var pause = round.Client.GcPauseUs / 1e6 / window.Seconds;
        if (pause > gcPauseAtMost && !comparesClient)
            yield return $"the client's own GC paused for {Percent(pause)} of the time (at most {Percent(gcPauseAtMost)})";
        if (calls.Failed.Count + calls.ExpectedByStatus.Count == 0 && !window.Partial && Uncounted(round) is { } uncounted)
            yield return uncounted;
    }

    /// <summary>Latency counts from the due time, so a late call does not hide a delay. Where it is mostly the lag, it describes the
    /// client.</summary>
    static string? Lag(CallStatistics calls)
    {
        var lag = calls.Lag.Percentile(99);
        if (lag <= usualLagUs)
            return null;
        foreach (var percentile in new[] { 50.0, 99 })
        {
            var (response, service) = (calls.Response.Percentile(percentile), calls.Service.Percentile(percentile));
            if (response - service > lagAtMost * response)
                return $"schedule lag p99 is {lag} μs: p{percentile} of the latency is {response} μs, and {service} μs from the send (the lag "
                    + $"may be {Percent(lagAtMost)} of it)";
        }

        return null;
    }

    public static string CallsFailed(long failed, long attempted, IEnumerable<string> statuses) =>
        $"{failed} of {attempted} calls failed ({string.Join(", ", statuses)}); the percentiles contain only those that succeeded";

    /// <summary>Returns that the host answered fewer calls than were due while they were due; null if it kept up.</summary>
    /// <param name="late">The calls that were skipped, and those that were answered later.</param>
    internal static string? Overload(long due, long late, double seconds) => due - late >= achievedAtLeast * due ? null
        : $"the host served {(due - late) / seconds:N0} of {due / seconds:N0} calls/s";

    public static IEnumerable<string> Notes(LoadSession session, IReadOnlyCollection<RoundFigures> rounds)
    {
        if (session.SharesCores)
            yield return $"host and client share cores ({Environment.ProcessorCount})";
        if (!session.HasWarmup)
            yield return "no warmup: times include JIT compilation";
        if (session.StillCompiling)
            yield return "the JIT still compiled methods at the end of the warm-up";
        if (Trend([.. rounds.Where(round => round.Window.Calls.Service.Count > 0)
            .Select(round => round.Window.Calls.Service.Percentile(50))]) is { } trend)
            yield return trend;
        var cpu = rounds.Average(round => round.Client.CpuUs / 1e6 / round.Window.Seconds / Environment.ProcessorCount);
        yield return $"the client used {Percent(cpu)} of the CPU";
        if (ClientLimit(rounds, session.Subject.HasControl) is { } limit)
            yield return limit;
        if (session.ComparesClient)
            yield return $"the client's own GC paused for {Percent(rounds.Average(round => round.Client.GcPauseUs / 1e6 / round.Window.Seconds))} of the time";
        if (session.Connections.Any(connection => connection.Opened != 1))
            yield return $"{session.Connections.Count} connections were asked for, "
                + $"{session.Connections.Sum(connection => connection.Opened)} were opened";
        if (session.Http2.TryGetValue(LoadSession.StreamsName, out var streams)
            && Queue(rounds.Max(round => round.Window.MostInFlight), session.Connections.Sum(connection => connection.Opened), streams)
                is { } queue)
            yield return queue;
        if (session.Description is null && session.Subject.HasControl)
            yield return "the host has no control service: its side of the figures is absent";
        if (rounds.Any(round => round.Window.Partial))
            yield return "stopped early: partial";
    }

    /// <param name="hasCodec">Whether the codec of the subject may be compared with others.</param>
    internal static string? ClientLimit(IEnumerable<RoundFigures> rounds, bool hasCodec)
    {
        RoundFigures[] known = [.. rounds.Where(round => round.ClientCeiling > 0)];
        if (known.Length == 0)
            return null;
        var (rate, ceiling) = (known.Average(round => round.Window.Calls.Service.Count / round.Window.Seconds),
            known.Average(round => round.ClientCeiling!.Value));
        return rate <= ceilingAtMost * ceiling ? null
            : $"the client was the limit, or close to it: {rate:F0} calls/s of about {ceiling:F0} that it can make here; the "
                + $"{(hasCodec ? "host may take more, so a ratio with another codec is a lower bound" : "server may take more")}";
    }

    /// <summary>Returns a note that calls waited in the client because the host takes fewer at a time; null if it takes them all.</summary>
    internal static string? Queue(int inFlight, int connections, long streams) => inFlight <= connections * streams ? null
        : $"{inFlight} calls at a time, and the host takes {connections * streams} (host --max-streams, or more --connections): the others "
            + $"waited in the client, and their latency includes it";

    /// <summary>The medians change in one direction and the last is far from the first: their mean describes none. Else null.</summary>
    /// <param name="medians">The median latency of each round in microseconds, in the order of the rounds.</param>
    internal static string? Trend(IReadOnlyList<long> medians)
    {
        var steps = medians.Zip(medians.Skip(1), (before, after) => Math.Sign(after - before)).Distinct().ToArray();
        if (steps is not [var step and not 0] || Math.Max(medians[0], medians[^1]) < steadyWithin * Math.Min(medians[0], medians[^1]))
            return null;
        return $"{LoadVerdict.TrendStart}{(step > 0 ? "rises" : "falls")} from round to round: {string.Join(", ", medians)} μs";
    }

    static string? Uncounted(RoundFigures round)
    {
        var calls = round.Window.Calls.Service.Count;
        (string What, long? Count)[] counts =
        [
            ("client encoded", round.Client.Encodes), ("client decoded", round.Client.Decodes), ("host decoded", round.Server?.Decodes),
                ("host encoded", round.Server?.Encodes),
        ];
        return counts.Where(count => count.Count is { } n && n != calls)
            .Select(count => $"the {count.What} {count.Count} messages in {calls} calls").FirstOrDefault();
    }

    static string Share(long part, long whole) => Percent((double)part / whole);

    static string Percent(double share) => (share * 100).ToString("0.#") + " %";
}

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
    public static IEnumerable<string> Faults(LoadRound round, bool comparesClient = false)
    {
        var succeeded = round.Succeeded;
        if (Overload(round) is { } overload)
            yield return overload;
        // Failed calls change the figures of the others. The percentiles are too low without a call that hangs until its deadline, and the
        // throughput is too high with calls that fail at once.
        if (round.FailedCalls > 0)
            yield return CallsFailed(round.FailedCalls, round.Attempted, round.FailedByStatus.Keys);
        if (round.Attempted == 0)
            yield return "no call was made";
        else if (succeeded < achievedAtLeast * round.Attempted)
            yield return $"only {Share(succeeded, round.Attempted)} of the attempted calls succeeded (at least {Percent(achievedAtLeast)})";
        if (round.Skipped > 0)
            yield return $"{round.Skipped} calls were skipped, because too many were in flight";
        if (round.FailedByStatus.TryGetValue(CallStatistics.WrongReply, out var wrong))
            yield return $"{wrong} replies were wrong";
        if (round.FailedByStatus.TryGetValue(CallStatistics.NotEnded, out var hanging))
            yield return $"{hanging} calls had not ended when the time after the round (--drain) was over";
        if (succeeded == 0)
            yield break;

        if (Lag(round) is { } lag)
            yield return lag;
        // concurrency = rate x latency holds for any distribution of a load in a steady state (J. D. C. Little, 1961); the mean of calls
        // above the limit of a histogram, as of a stream that lasts for a round, is not known. Callers spend their time in failed calls
        // too.
        var callTimeUs = (succeeded * round.Service.MeanUs) + (round.FailedCalls * (round.Failed?.MeanUs ?? 0));
        var expected = callTimeUs / 1e6 / round.DurationSeconds;
        if (round.InFlight is > 0 and var inFlight && Math.Max(round.Service.MaxUs, round.Failed?.MaxUs ?? 0) < LatencyHistogram.Highest
            && Math.Abs(expected - inFlight) > littleAtMost * inFlight)
            yield return $"Little's law is off: rate x latency is {expected:F3}, but {inFlight:F3} calls were in flight on average (at "
                + $"most {Percent(littleAtMost)} apart)";
        var pause = PauseOf(round);
        if (pause > gcPauseAtMost && !comparesClient)
            yield return $"the client's own GC paused for {Percent(pause)} of the time (at most {Percent(gcPauseAtMost)})";
        if (round.FailedCalls == 0 && round.ExpectedByStatus is null && !round.Partial && Uncounted(round) is { } uncounted)
            yield return uncounted;
    }

    /// <summary>Latency counts from the due time, so a late call does not hide a delay. Where it is mostly the lag, it describes the
    /// client.</summary>
    static string? Lag(LoadRound round)
    {
        if (round.ScheduleLag?.Decode().Percentile(99) is not (> usualLagUs and var lag))
            return null;
        var (responses, services) = (round.Response!.Decode(), round.Service.Decode());
        foreach (var percentile in new[] { 50.0, 99 })
        {
            var (response, service) = (responses.Percentile(percentile), services.Percentile(percentile));
            if (response - service > lagAtMost * response)
                return $"schedule lag p99 is {lag} μs: p{percentile} of the latency is {response} μs, and {service} μs from the send (the lag "
                    + $"may be {Percent(lagAtMost)} of it)";
        }

        return null;
    }

    public static string CallsFailed(long failed, long attempted, IEnumerable<string> statuses) =>
        $"{failed} of {attempted} calls failed ({string.Join(", ", statuses)}); the percentiles contain only those that succeeded";

    /// <summary>Returns that the host answered fewer calls than were due while they were due; null if it kept up.</summary>
    internal static string? Overload(LoadRound round)
    {
        var served = round.Attempted - round.Skipped - (round.ServedAfter ?? 0);
        var seconds = round.DueSeconds ?? round.DurationSeconds;
        return served >= achievedAtLeast * round.Attempted ? null
            : $"the host served {served / seconds:N0} of {round.Attempted / seconds:N0} calls/s";
    }

    public static IEnumerable<string> Notes(LoadSession session, IReadOnlyCollection<LoadRound> rounds)
    {
        if (session.SharesCores)
            yield return $"host and client share cores ({Environment.ProcessorCount})";
        if (!session.HasWarmup)
            yield return "no warmup: times include JIT compilation";
        if (session.StillCompiling)
            yield return "the JIT still compiled methods at the end of the warm-up";
        if (Trend([.. rounds.Where(round => round.Succeeded > 0).Select(round => round.Service.Decode().Percentile(50))]) is { } trend)
            yield return trend;
        var cpu = rounds.Average(round => round.Client!.CpuUs / 1e6 / round.DurationSeconds / Environment.ProcessorCount);
        yield return $"the client used {Percent(cpu)} of the CPU";
        if (ClientLimit(rounds, session.Subject.HasControl) is { } limit)
            yield return limit;
        if (session.ComparesClient)
            yield return $"the client's own GC paused for {Percent(rounds.Average(PauseOf))} of the time";
        if (session.Connections.Any(connection => connection.Opened != 1))
            yield return $"{session.Connections.Count} connections were asked for, "
                + $"{session.Connections.Sum(connection => connection.Opened)} were opened";
        if (Addresses(session.Subject.Endpoint, session.Connections) is { } unused)
            yield return unused;
        if (session.Http2.TryGetValue(LoadSession.StreamsName, out var streams)
            && Queue(rounds.Max(round => round.MostInFlight!.Value), session.Connections.Sum(connection => connection.Opened), streams)
                is { } queue)
            yield return queue;
        if (session.Description is null && session.Subject.HasControl)
            yield return "the host has no control service: its side of the figures is absent";
        if (rounds.Any(round => round.Partial))
            yield return "stopped early: partial";
    }

    /// <param name="hasCodec">Whether the codec of the subject may be compared with others.</param>
    internal static string? ClientLimit(IEnumerable<LoadRound> rounds, bool hasCodec)
    {
        LoadRound[] known = [.. rounds.Where(round => round.ClientCeilingPerSecond > 0)];
        if (known.Length == 0)
            return null;
        var (rate, ceiling) =
            (known.Average(round => round.SucceededPerSecond), known.Average(round => round.ClientCeilingPerSecond!.Value));
        return rate <= ceilingAtMost * ceiling ? null
            : $"the client was the limit, or close to it: {rate:F0} calls/s of about {ceiling:F0} that it can make here; the "
                + $"{(hasCodec ? "host may take more, so a ratio with another codec is a lower bound" : "server may take more")}";
    }

    /// <summary>Returns a note that a name has addresses without a connection; null for none.</summary>
    internal static string? Addresses(RpcEndpoint endpoint, IReadOnlyCollection<RpcConnectionFacts> connections)
    {
        if (endpoint.Addresses is not { Count: > 1 } all)
            return null;
        if (!endpoint.InTurn)
            return $"{endpoint} has {all.Count} addresses, and each connection uses the first that answers: --lb-strategy round_robin "
                + "uses them in turn";
        if (connections.Count < all.Count)
            return $"{LoadRun.Count(connections.Count, "connection")} for {all.Count} addresses: each address needs one "
                + $"(--connections {all.Count})";
        var unused = string.Join(", ", all.Where(address => connections.All(connection => !address.Equals(connection.Address))));
        return unused.Length == 0 ? null : $"no connection is to {unused}, which did not answer: the next address has its connections";
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

    static string? Uncounted(LoadRound round)
    {
        (string What, long? Count)[] counts =
        [
            ("client encoded", round.Client!.Encodes), ("client decoded", round.Client.Decodes), ("host decoded", round.Server?.Decodes),
                ("host encoded", round.Server?.Encodes),
        ];
        return counts.Where(count => count.Count is { } n && n != round.Succeeded)
            .Select(count => $"the {count.What} {count.Count} messages in {round.Succeeded} calls").FirstOrDefault();
    }

    // the share of the time
    static double PauseOf(LoadRound round) => round.Client!.GcPauseUs / 1e6 / round.DurationSeconds;

    static string Share(long part, long whole) => Percent((double)part / whole);

    static string Percent(double share) => (share * 100).ToString("0.#") + " %";
}

namespace ProtoBench.GrpcHost.Load;

/// <summary>Represents a closed loop: N callers, each of which sends after its last reply has arrived.</summary>
/// <param name="clock">The source of time.</param>
/// <param name="callers">The callers.</param>
sealed class ClosedLoop(LoadClock clock, IReadOnlyList<Caller> callers)
{
    readonly CallStatistics[] perWorker = [.. callers.Select(_ => new CallStatistics())];
    long started;

    /// <summary>Gets the number of calls that have succeeded.</summary>
    public long Succeeded => perWorker.Sum(statistics => statistics.Service.Count);

    /// <summary>Runs until the number of calls is reached or the time is over.</summary>
    /// <param name="requests">The number of calls; null for any number.</param>
    /// <param name="duration">The time after which no call begins; null for none.</param>
    /// <param name="drain">The time that calls may take after that. Then they are cancelled, and count as failed.</param>
    /// <param name="cancellation">Stops the loop early.</param>
    public async Task<Window> RunAsync(long? requests, TimeSpan? duration, TimeSpan drain, RunCancellation cancellation)
    {
        var start = clock.Now;
        var last = duration is { } time ? start + time.Ticks * 100 : long.MaxValue;
        using var giveUp = CancellationTokenSource.CreateLinkedTokenSource(cancellation.AbandonToken);
        if (duration is { } limit)
            giveUp.CancelAfter(limit + drain);
        var work = await Task.WhenAll(callers.Select((_, worker) =>
            WorkAsync(worker, requests ?? long.MaxValue, last, cancellation, giveUp.Token)));

        var partial = cancellation.Token.IsCancellationRequested;
        var calls = new CallStatistics();
        foreach (var statistics in perWorker)
            calls.Add(statistics);
        var shares = work.Select((one, i) =>
            new CallerShare(one.Begin, one.End, perWorker[i].Service.Count + perWorker[i].Failed.Count, perWorker[i].CheckedNs));
        return CallerShare.WindowOf([.. shares], calls, start, byCount: duration is null || started >= requests, partial);
    }

    async Task<(long Begin, long End)> WorkAsync(int worker, long requests, long last, RunCancellation cancellation,
        CancellationToken giveUp)
    {
        var (caller, statistics) = (callers[worker], perWorker[worker]);
        var begin = clock.Now;
        var end = begin;
        while (!cancellation.Token.IsCancellationRequested)
        {
            var now = clock.Now;
            if (now >= last)
                break;
            var number = Interlocked.Increment(ref started) - 1;
            if (number >= requests)
                break;
            if (await OneCall.MakeAsync(clock, caller, now, number, giveUp, cancellation.AbandonToken) is not { } call)
                break;
            // a closed loop has no intended time other than the send
            statistics.Count(call.Times with { Intended = call.Times.Sent }, call.Failure, long.MaxValue, call.Message);
            end = call.Times.End;
        }

        return (begin, end);
    }
}

/// <summary>Represents the part of one caller in a closed loop.</summary>
/// <param name="Begin">The time at which its first call was sent.</param>
/// <param name="End">The time at which its last call had ended.</param>
/// <param name="Calls">The number of its calls.</param>
/// <param name="CheckedNs">The time of its checks of replies.</param>
readonly record struct CallerShare(long Begin, long End, long Calls, long CheckedNs)
{
    /// <summary>Creates the window of a closed loop.</summary>
    /// <param name="callers">The parts of the callers.</param>
    /// <param name="calls">The statistics of all calls.</param>
    /// <param name="start">The start of the loop.</param>
    /// <param name="byCount">Whether a number of calls ended it instead of a time.</param>
    /// <param name="partial">Whether it was stopped early.</param>
    public static Window WindowOf(IReadOnlyList<CallerShare> callers, CallStatistics calls, long start, bool byCount, bool partial)
    {
        // if a number of calls ends the loop, the window ends with the last call
        long[] busy = [.. callers.Select(one => Math.Max(1, one.End - start))];
        var length = byCount ? busy.Max() : Math.Max(1, Length(callers, busy));
        // From its first call to the end of its last, a caller is always in a call except for its checks. So this count of the calls in
        // flight is independent of rate x latency, and Little's law can be checked with it. Callers begin one after the other, and if a
        // number of calls ends the loop, some end before others.
        var inFlight = callers.Select((one, i) => (one.End - one.Begin - one.CheckedNs) / (double)(byCount ? length : busy[i])).Sum();
        return new(calls, length, calls.Service.Count + calls.Failed.Count, 0, 0, Math.Max(0, inFlight), partial)
        {
            MostInFlight = callers.Count,
        };
    }

    /// <summary>Returns the length of a window that a time ends. No call begins after that time, and each caller's part of the window ends
    /// with its own last call. If all parts ended at that time, calls would be divided by less time than they took. If later calls were
    /// left out, these would be the long ones. The rate is the sum of the callers' rates, so a call that hangs affects its own caller
    /// only.</summary>
    static long Length(IReadOnlyList<CallerShare> callers, long[] busy)
    {
        var (calls, rate) = (0L, 0.0);
        foreach (var (caller, time) in callers.Zip(busy))
        {
            calls += caller.Calls;
            rate += caller.Calls / (double)time;
        }

        return calls == 0 ? busy.Max() : (long)Math.Round(calls / rate);
    }
}

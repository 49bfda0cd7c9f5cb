namespace ProtoBench.GrpcHost.Load;

/// <summary>A closed loop: N callers, each of which sends after its last reply has arrived.</summary>
sealed class ClosedLoop(LoadClock clock, IReadOnlyList<Caller> callers)
{
    readonly CallStatistics[] perWorker = [.. callers.Select(_ => new CallStatistics())];
    long started;

    public long Succeeded => perWorker.Sum(statistics => statistics.Service.Count);

    /// <summary>Runs until the number of calls is reached or the time is over.</summary>
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

readonly record struct CallerShare(long Begin, long End, long Calls, long CheckedNs)
{
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

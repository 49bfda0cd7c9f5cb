using System.Collections.Concurrent;

namespace ProtoBench.GrpcHost.Load;

/// <summary>Calls are sent when a schedule says so, whatever the replies do.</summary>
/// <param name="clock">Where time comes from, and threads for the calls.</param>
/// <param name="newCaller">Makes a caller, by its number; there are as many as calls were in flight at one time.</param>
/// <param name="maxInFlight">With so many calls under way, one that is due is skipped and counted: queued it would no longer be an open loop.</param>
sealed class OpenLoop(LoadClock clock, Func<int, Caller> newCaller, int maxInFlight)
{
    readonly LoadClock clock = clock;
    readonly ConcurrentStack<Flight> idle = [];
    // striped, so that threads that end calls at the same time seldom meet
    readonly CallStatistics[] perWorker = [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new CallStatistics())];
    readonly TaskCompletionSource drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    RunCancellation? cancellation;
    long windowEnd;
    long sent;
    int callers;
    // one for the pacer itself, so that the count reaches 0 only when it has ended
    int inFlight = 1;

    /// <summary>Calls that succeeded so far.</summary>
    public long Succeeded => perWorker.Sum(statistics => statistics.Service.Count);

    /// <summary>Runs on a thread of its own: a pacer that shares threads with the calls is late whenever they are busy.</summary>
    public async Task<Window> RunAsync(Arrivals arrivals, TimeSpan duration, RunCancellation cancellation)
    {
        var paced = new TaskCompletionSource<Window>(TaskCreationOptions.RunContinuationsAsynchronously);
        var pacer = new Thread(() =>
        {
            try
            {
                paced.SetResult(Pace(arrivals, duration, cancellation));
            }
            catch (Exception e)
            {
                paced.SetException(e);
            }
        })
        {
            IsBackground = true,
            Name = "pacer",
            Priority = ThreadPriority.AboveNormal,
        };
        pacer.Start();
        var schedule = await paced.Task;
        await drained.Task;
        return Sum(schedule);
    }

    /// <summary>Sends every call when it is due, at once when that is past.</summary>
    /// <returns>The window, without what became of the calls.</returns>
    internal Window Pace(Arrivals arrivals, TimeSpan duration, RunCancellation cancellation)
    {
        this.cancellation = cancellation;
        var (attempted, skipped, backlog) = (0L, 0L, 0L);
        var start = clock.Now;
        windowEnd = start + duration.Ticks * 100;
        while (true)
        {
            var due = start + (long)arrivals.Next();
            if (due >= windowEnd || cancellation.Token.IsCancellationRequested)
                break;
            clock.WaitUntil(due);
            attempted++;
            if (Volatile.Read(ref inFlight) > maxInFlight)
            {
                skipped++;
                continue;
            }

            Interlocked.Increment(ref inFlight);
            backlog = Math.Max(backlog, attempted - skipped - Volatile.Read(ref sent));
            if (!idle.TryPop(out var flight))
                flight = new(this, newCaller(callers++));
            flight.Intended = due;
            flight.Number = attempted;
            clock.Run(flight);
        }

        var partial = cancellation.Token.IsCancellationRequested;
        if (partial)
            windowEnd = Math.Max(start + 1, clock.Now);
        Land();
        return new(new(), windowEnd - start, attempted, skipped, backlog, 0, partial);
    }

    /// <summary>The window with what became of its calls, all of which have ended.</summary>
    internal Window Sum(Window schedule)
    {
        var calls = new CallStatistics();
        foreach (var statistics in perWorker)
            calls.Add(statistics);
        return schedule with { Calls = calls, InFlight = calls.BusyNs / schedule.LengthNs };
    }

    void Land()
    {
        if (Interlocked.Decrement(ref inFlight) == 0)
            drained.TrySetResult();
    }

    /// <summary>A call under way, and after it the next one.</summary>
    sealed class Flight(OpenLoop loop, Caller caller) : IThreadPoolWorkItem
    {
        public long Intended { get; set; }

        public long Number { get; set; }

        public async void Execute()
        {
            Interlocked.Increment(ref loop.sent);
            var call = await OneCall.MakeAsync(loop.clock, caller, Intended, Number, loop.cancellation!.AbandonToken);
            if (call is { } ended)
            {
                var statistics = loop.perWorker[Thread.GetCurrentProcessorId() % loop.perWorker.Length];
                lock (statistics)
                    statistics.Count(ended.Times, ended.Failure, loop.windowEnd);
            }

            loop.idle.Push(this);
            loop.Land();
        }
    }
}

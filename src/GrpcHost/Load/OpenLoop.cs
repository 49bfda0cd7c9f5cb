using System.Collections.Concurrent;

namespace ProtoBench.GrpcHost.Load;

/// <summary>Sends calls by a schedule, independent of the replies.</summary>
/// <param name="clock">Where time comes from, and threads for the calls.</param>
/// <param name="newCaller">Makes a caller, by its number; there are as many as calls were in flight at one time.</param>
/// <param name="maxInFlight">The highest number of concurrent calls. A call that is due beyond that is skipped and counted, because a queue
/// would close the loop.</param>
sealed class OpenLoop(LoadClock clock, Func<int, Caller> newCaller, int maxInFlight)
{
    readonly LoadClock clock = clock;
    readonly ConcurrentStack<Flight> idle = [];
    // striped, so that threads that end calls at the same time seldom meet
    readonly CallStatistics[] perWorker = [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new CallStatistics())];
    readonly TaskCompletionSource drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    RunCancellation? cancellation;
    CancellationToken giveUp;
    long windowEnd;
    long sent;
    int callers;
    // one for the pacer itself, so that the count reaches 0 only when it has ended
    int inFlight = 1;

    /// <summary>Calls that succeeded so far.</summary>
    public long Succeeded => perWorker.Sum(statistics => statistics.Service.Count);

    /// <summary>The schedule runs on its own thread, so that busy calls do not delay it.</summary>
    /// <param name="arrivals">The schedule.</param>
    /// <param name="duration">The time after which no call begins.</param>
    /// <param name="drain">How long calls may take after that time. Then they are given up, and have failed.</param>
    /// <param name="cancellation">Ends it early.</param>
    public async Task<Window> RunAsync(Arrivals arrivals, TimeSpan duration, TimeSpan drain, RunCancellation cancellation)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellation.AbandonToken);
        over.CancelAfter(duration + drain);
        giveUp = over.Token;
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
        try
        {
            await paced.Task;
        }
        finally
        {
            // also when a caller could not be made: the callers are disposed after this, and no call may be in progress then
            await drained.Task;
        }

        return Sum(await paced.Task);
    }

    /// <summary>Sends every call when it is due, or immediately if that time has passed.</summary>
    /// <returns>The window, without the statistics of its calls.</returns>
    internal Window Pace(Arrivals arrivals, TimeSpan duration, RunCancellation cancellation)
    {
        try
        {
            return Send(arrivals, duration, cancellation);
        }
        finally
        {
            Land();
        }
    }

    Window Send(Arrivals arrivals, TimeSpan duration, RunCancellation cancellation)
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

            backlog = Math.Max(backlog, attempted - skipped - Volatile.Read(ref sent));
            if (!idle.TryPop(out var flight))
                flight = new(this, newCaller(callers++));
            flight.Intended = due;
            flight.Number = attempted;
            Interlocked.Increment(ref inFlight);
            clock.Run(flight);
        }

        var partial = cancellation.Token.IsCancellationRequested;
        if (partial)
            windowEnd = Math.Max(start + 1, clock.Now);
        return new(new(), windowEnd - start, attempted, skipped, backlog, 0, partial);
    }

    /// <summary>The window with the statistics of its calls, which have all ended.</summary>
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
            var call = await OneCall.MakeAsync(loop.clock, caller, Intended, Number, loop.giveUp, loop.cancellation!.AbandonToken);
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

/// <summary>The schedule of an open loop, in nanoseconds from its start. Times
/// are absolute and not rounded, so errors do not accumulate.</summary>
abstract class Arrivals
{
    /// <summary>The time of the next call; later than the one before.</summary>
    public abstract double Next();

    /// <summary>The same gap between all calls.</summary>
    public static Arrivals Constant(double perSecond) => new ConstantArrivals(perSecond);

    /// <summary>Independent calls: exponentially distributed gaps.</summary>
    public static Arrivals Poisson(double perSecond, int seed) => new PoissonArrivals(perSecond, seed);

    sealed class ConstantArrivals(double perSecond) : Arrivals
    {
        long number;

        public override double Next() => number++ * 1e9 / perSecond;
    }

    sealed class PoissonArrivals(double perSecond, int seed) : Arrivals
    {
        readonly Random random = new(seed);
        double time;

        public override double Next() => time += -Math.Log(1 - random.NextDouble()) * 1e9 / perSecond;
    }
}

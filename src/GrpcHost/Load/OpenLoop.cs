using System.Collections.Concurrent;

namespace ProtoBench.GrpcHost.Load;

/// <summary>An open loop, which sends calls by a schedule, independent of the replies.</summary>
/// <param name="maxInFlight">The maximum number of concurrent calls. Further calls are skipped and counted when they are due, because a
/// queue would make the loop a closed one.</param>
sealed class OpenLoop(LoadClock clock, Func<int, Caller> newCaller, int maxInFlight)
{
    readonly LoadClock clock = clock;
    readonly ConcurrentStack<Flight> idle = [];
    // striped, so that threads that end calls at the same time rarely use the same object
    readonly CallStatistics[] perWorker = [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new CallStatistics())];
    readonly TaskCompletionSource drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    RunCancellation? cancellation;
    CancellationToken giveUp;
    long windowEnd;
    long sent;
    int callers;
    // one for the pacer itself, so that the count reaches 0 only after the pacer has ended
    int inFlight = 1;

    public long Succeeded => perWorker.Sum(statistics => statistics.Service.Count);

    /// <summary>Runs the schedule on its own thread, so that busy calls do not delay it.</summary>
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
            // also if a caller could not be created: the callers are disposed next, when no call may be in progress
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

    /// <summary>Returns the window with the statistics of its calls, which have all ended.</summary>
    internal Window Sum(Window schedule)
    {
        var calls = new CallStatistics();
        foreach (var statistics in perWorker)
            calls.Add(statistics);
        return schedule with { Calls = calls, InFlight = calls.BusyNs / schedule.LengthNs, MostInFlight = callers };
    }

    void Land()
    {
        if (Interlocked.Decrement(ref inFlight) == 0)
            drained.TrySetResult();
    }

    /// <summary>A call in progress, and after it the next one.</summary>
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
                    statistics.Count(ended.Times, ended.Failure, loop.windowEnd, ended.Message);
            }

            loop.idle.Push(this);
            loop.Land();
        }
    }
}

/// <summary>The schedule of an open loop, in nanoseconds from its start. Times are absolute and not rounded, so errors do not
/// accumulate.</summary>
abstract class Arrivals
{
    /// <summary>Returns the time of the next call, which is later than the one before.</summary>
    public abstract double Next();

    public static Arrivals Constant(double perSecond) => new ConstantArrivals(perSecond);

    /// <summary>Creates a schedule of independent calls, with exponentially distributed gaps.</summary>
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

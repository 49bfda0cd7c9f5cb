using System.Collections.Concurrent;

namespace ProtoBench.GrpcHost;

/// <summary>A closed loop's caller sends after its last reply. In the open loop a thread, the pacer, hands calls to the pool.</summary>
/// <param name="newCaller">Creates a caller by its number. An open loop has as many as calls were in flight at one time.</param>
sealed class StackLoop(LoadClock clock, CallSchedule schedule, Func<int, Caller> newCaller)
{
    // in nanoseconds, so that a schedule with one call per hour can be stopped
    const long longestWait = 100_000_000;

    // the maximum number of calls that are due and wait for others; then the pacer waits, and due times stay the same
    const int mostWaiting = 1 << 20;

    readonly LoadClock clock = clock;
    readonly CallSchedule schedule = schedule;
    readonly ConcurrentStack<Flight> idle = [];
    readonly ConcurrentQueue<long> waiting = [];
    // striped, so that threads that end calls at the same time rarely use the same object
    readonly CallStatistics[] stripes =
        [.. Enumerable.Range(0, Environment.ProcessorCount).Select(_ => new CallStatistics(schedule.Start, schedule.Log?.Begin()))];
    readonly TaskCompletionSource drained = new(TaskCreationOptions.RunContinuationsAsynchronously);
    CancellationToken giveUp;
    DueTimes? times;
    long begun;
    long sent;
    long largestBacklog;
    int callers;
    int inFlight;
    bool isPaced;

    public LiveCalls Calls => new(stripes, () => Volatile.Read(ref inFlight));

    /// <summary>Runs to the end of the schedule, and until the last call has ended.</summary>
    public async Task<Window> RunAsync(int concurrency)
    {
        using var over = CancellationTokenSource.CreateLinkedTokenSource(schedule.Cancellation.AbandonToken);
        if (schedule.GiveUp < long.MaxValue)
            over.CancelAfter(TimeSpan.FromTicks((schedule.GiveUp - schedule.Start) / 100));
        giveUp = over.Token;
        if (schedule.Arrivals is null)
        {
            Caller[] all = [.. Enumerable.Range(0, concurrency).Select(newCaller)];
            inFlight = concurrency;
            var shares = await Task.WhenAll(all.Select(CallAsync));
            return schedule.WindowOf(Sum(), shares);
        }

        try
        {
            await LoadThread.RunAsync(() =>
            {
                Thread.CurrentThread.Priority = ThreadPriority.AboveNormal;
                Pace();
            });
        }
        finally
        {
            // also if a caller could not be created: the callers are disposed next, when no call may be in progress
            await drained.Task;
        }

        return OpenWindow();
    }

    /// <summary>Sends every call of the open loop when it is due, or immediately if that time has passed.</summary>
    internal void Pace()
    {
        try
        {
            times = new(schedule);
            while (WaitFor(times.Due))
                SendNext(times);
            if (schedule.Cancellation.Token.IsCancellationRequested)
                times.Stop(clock.Now);
        }
        finally
        {
            Volatile.Write(ref isPaced, true);
            Interlocked.MemoryBarrier();
            if (Volatile.Read(ref inFlight) == 0)
                drained.TrySetResult();
        }
    }

    internal Window OpenWindow() => schedule.WindowOf(Sum(), [times!], largestBacklog, callers);

    async Task<CallerShare> CallAsync(Caller caller)
    {
        var begin = clock.Now;
        var share = new CallerShare(begin, begin, 0, 0);
        while (schedule.TryBegin(clock.Now, out var number))
        {
            if (await OneCall.MakeAsync(clock, caller, long.MaxValue, number, giveUp, schedule.Cancellation.AbandonToken) is not { } call)
                break;
            // a closed loop has no intended time other than the send
            await EndAsync(call.Times with { Intended = call.Times.Sent }, call.Failure, call.Message);
            share = new(begin, call.Times.End, share.Calls + 1, share.CheckedNs + call.Times.Checked - call.Times.End);
        }

        return share;
    }

    ValueTask EndAsync(CallTimes call, string? failure, string? message)
    {
        var statistics = stripes[Thread.GetCurrentProcessorId() % stripes.Length];
        lock (statistics)
            statistics.Count(call, failure, schedule.WindowEnd, message, schedule.Expected);
        schedule.OnEnd?.Invoke(call.End - Math.Min(call.Intended, call.Sent), failure);
        return schedule.AfterFailure > TimeSpan.Zero && failure is not (null or CallStatistics.WrongReply)
            ? new(Task.Delay(schedule.AfterFailure)) : default;
    }

    CallStatistics Sum()
    {
        var all = new CallStatistics();
        foreach (var statistics in stripes)
            all.Add(statistics);
        return all;
    }

    /// <returns>False at the end of the schedule, or when it was stopped.</returns>
    bool WaitFor(long due)
    {
        while (due < long.MaxValue && !schedule.Cancellation.Token.IsCancellationRequested)
        {
            var now = clock.Now;
            if (due <= now)
                return true;
            clock.WaitUntil(Math.Min(due, now + longestWait));
        }

        return false;
    }

    void SendNext(DueTimes next)
    {
        if (!next.TryTake(next.Due, schedule.NeverSkips ? 0 : Volatile.Read(ref inFlight), out var due))
            return;
        if (schedule.NeverSkips)
        {
            waiting.Enqueue(due);
            SendWaiting();
            while (waiting.Count >= mostWaiting && !schedule.Cancellation.Token.IsCancellationRequested)
                Thread.Sleep(1);
            return;
        }

        largestBacklog = Math.Max(largestBacklog, next.Attempted - next.Skipped - Volatile.Read(ref sent));
        Interlocked.Increment(ref inFlight);
        Send(due);
    }

    /// <summary>Called after a call begins to wait and after one has ended, so that none waits without need.</summary>
    void SendWaiting()
    {
        while (!waiting.IsEmpty && Volatile.Read(ref inFlight) < schedule.MaxInFlight
            && !schedule.Cancellation.Token.IsCancellationRequested)
        {
            if (Interlocked.Increment(ref inFlight) <= schedule.MaxInFlight && TryTakeWaiting(out var due))
                Send(due);
            else
                Land();
        }
    }

    bool TryTakeWaiting(out long due)
    {
        due = 0;
        return !schedule.Cancellation.Token.IsCancellationRequested && waiting.TryDequeue(out due);
    }

    void Send(long due)
    {
        try
        {
            if (!idle.TryPop(out var flight))
            {
                lock (idle)
                    flight = new(this, newCaller(callers++));
            }

            (flight.Intended, flight.Number) = (due, Interlocked.Increment(ref begun));
            clock.Run(flight);
        }
        catch
        {
            Land();
            throw;
        }
    }

    void Land()
    {
        if (Interlocked.Decrement(ref inFlight) == 0 && Volatile.Read(ref isPaced))
            drained.TrySetResult();
    }

    /// <summary>A call of the open loop in progress, and after it the next one.</summary>
    sealed class Flight(StackLoop loop, Caller caller) : IThreadPoolWorkItem
    {
        public long Intended { get; set; }

        public long Number { get; set; }

        public async void Execute()
        {
            Interlocked.Increment(ref loop.sent);
            var abandon = loop.schedule.Cancellation.AbandonToken;
            if (await OneCall.MakeAsync(loop.clock, caller, Intended, Number, loop.giveUp, abandon) is { } call)
                await loop.EndAsync(call.Times, call.Failure, call.Message);
            loop.idle.Push(this);
            if (loop.TryTakeWaiting(out var due))
            {
                loop.Send(due);
                return;
            }

            loop.Land();
            loop.SendWaiting();
        }
    }
}

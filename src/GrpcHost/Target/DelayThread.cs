namespace ProtoBench.GrpcHost;

/// <summary>Exact to about a tenth of a millisecond; timers of .NET use a clock that Linux advances every 4 ms. One thread sleeps for all
/// callers, and wakes up shortly before the first one is due, without spinning. Thread-safe.</summary>
sealed class DelayThread(LoadClock clock)
{
    // Timers wait for all but this last part. They are late by a few milliseconds, and cancelled calls leave the queue soon.
    const long lastPartNs = 20_000_000;

    // the longest sleep, because a new caller cannot interrupt it and may be due before all others
    const long sleepNs = 100_000;
    const long millisecondNs = 1_000_000;

    readonly object gate = new();
    readonly PriorityQueue<TaskCompletionSource, long> waiting = new();
    Thread? thread;

    public static DelayThread Shared { get; } = new(MachineClock.Sleeping);

    /// <summary>Returns the time that it waited: at least the delay. The caller continues on the thread pool.</summary>
    public async ValueTask<TimeSpan> WaitAsync(TimeSpan delay, CancellationToken cancellationToken)
    {
        var began = clock.Now;
        var due = began + delay.Ticks * 100;
        if (due - began > lastPartNs)
            await Task.Delay(delay - TimeSpan.FromTicks(lastPartNs / 100), cancellationToken);
        if (clock.Now < due)
            await Enqueue(due).WaitAsync(cancellationToken);
        return TimeSpan.FromTicks((clock.Now - began) / 100);
    }

    Task Enqueue(long due)
    {
        var caller = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (gate)
        {
            waiting.Enqueue(caller, due);
            if (waiting.Peek() == caller)
                Monitor.Pulse(gate);
            if (thread is null)
            {
                thread = new(Run) { IsBackground = true, Name = "delays", Priority = ThreadPriority.AboveNormal };
                thread.Start();
            }
        }

        return caller.Task;
    }

    void Run()
    {
        while (true)
        {
            var next = First();
            clock.WaitUntil(Math.Min(next, clock.Now + sleepNs));
            lock (gate)
            {
                while (waiting.TryPeek(out _, out next) && next <= clock.Now)
                    waiting.Dequeue().SetResult();
            }
        }
    }

    /// <summary>Waits until a caller is due within two milliseconds, and returns the time at which it is due.</summary>
    long First()
    {
        lock (gate)
        {
            while (true)
            {
                if (!waiting.TryPeek(out _, out var next))
                    Monitor.Wait(gate);
                else if ((next - clock.Now) / millisecondNs - 1 is > 0 and var milliseconds)
                    Monitor.Wait(gate, (int)milliseconds);
                else
                    return next;
            }
        }
    }
}

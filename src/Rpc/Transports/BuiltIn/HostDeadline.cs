namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The deadline of one call on a server, and the token for its handler. A handler may register callbacks on that token, so it is
/// never cancelled on the timer's thread or the transport's: an exception there would end the process. Thread-safe.</summary>
sealed class HostDeadline : IThreadPoolWorkItem, IDisposable
{
    // Not disposed: it has neither a timer nor a parent, and a handler may keep its token.
    readonly CancellationTokenSource cancellation = new();
    readonly TaskCompletionSource reached = new(TaskCreationOptions.RunContinuationsAsynchronously);
    readonly CancellationToken aborted;
    readonly CancellationTokenRegistration abortion;
    readonly Timer timer;
    int queued;
    volatile bool passed;

    HostDeadline(CancellationToken aborted)
    {
        this.aborted = aborted;
        timer = new(static state => ((HostDeadline)state!).OnTime(), this, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        abortion = aborted.UnsafeRegister(static state => ((HostDeadline)state!).Queue(), this);
    }

    /// <summary>Cancelled when the deadline passes or the caller disconnects.</summary>
    public CancellationToken Token => cancellation.Token;

    /// <summary>The deadline has passed before the caller disconnected.</summary>
    public bool Passed => passed;

    /// <summary>Completes when the deadline passes. Its continuations run on the thread pool.</summary>
    public Task Reached => reached.Task;

    /// <summary>Starts the clock.</summary>
    /// <param name="limit">From now on.</param>
    /// <param name="aborted">Cancelled when the caller disconnects.</param>
    public static HostDeadline Start(TimeSpan limit, CancellationToken aborted)
    {
        var deadline = new HostDeadline(aborted);
        deadline.timer.Change(limit, Timeout.InfiniteTimeSpan);
        return deadline;
    }

    /// <summary>Cancels the token. Exceptions of a handler's callbacks are ignored.</summary>
    public void Execute()
    {
        if (passed)
            reached.TrySetResult();
        try
        {
            cancellation.Cancel();
        }
        catch (AggregateException)
        {
            // exceptions of a handler's callbacks are ignored
        }
    }

    /// <summary>Stops the clock. A callback that runs at this moment touches nothing but this object.</summary>
    public void Dispose()
    {
        timer.Dispose();
        abortion.Dispose();
    }

    void OnTime()
    {
        passed = !aborted.IsCancellationRequested;
        Queue();
    }

    void Queue()
    {
        if (Interlocked.Exchange(ref queued, 1) == 0)
            ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }
}

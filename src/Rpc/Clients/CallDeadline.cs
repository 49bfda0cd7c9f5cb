using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Clients;

/// <summary>The cancellation of a client's call: by its caller or by its deadline. Without a deadline it allocates nothing.</summary>
readonly struct CallDeadline : IDisposable
{
    readonly CancellationTokenSource? source;
    readonly CancellationToken caller;

    CallDeadline(CancellationTokenSource? source, CancellationToken caller)
    {
        this.source = source;
        this.caller = caller;
    }

    public CancellationToken Token => source?.Token ?? caller;

    /// <summary>The deadline has passed, and the caller has not cancelled before.</summary>
    public bool Passed => !caller.IsCancellationRequested && source is { IsCancellationRequested: true };

    public static CallDeadline Start(TimeSpan? timeout, CancellationToken caller)
    {
        if (timeout is not { } time)
            return new(null, caller);
        if (time <= TimeSpan.Zero)
            throw new RpcException(RpcStatus.DeadlineExceeded, "the deadline has passed before the call began");
        var source = CancellationTokenSource.CreateLinkedTokenSource(caller);
        source.CancelAfter(time);
        return new(source, caller);
    }

    public void Dispose() => source?.Dispose();
}

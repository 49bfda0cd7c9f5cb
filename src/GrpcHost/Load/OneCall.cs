using System.Runtime.CompilerServices;
using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <summary>Makes one call and measures its time. The check of its reply is not included.</summary>
static class OneCall
{
    // every byte is compared in one of this number of replies
    const int deepEvery = 64;

    /// <param name="number">Its number. Some calls are checked byte by byte.</param>
    /// <param name="giveUp">Cancels the call. It has then failed, unless the run was stopped.</param>
    /// <returns>Its times, and its failure or null; null if it was abandoned because the run was stopped.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<(CallTimes Times, string? Failure, string? Message)?> MakeAsync(LoadClock clock, Caller caller,
        long intended, long number, CancellationToken giveUp, CancellationToken stopped)
    {
        var sent = clock.Now;
        var end = long.MaxValue;
        try
        {
            await caller.SendAsync(giveUp);
            end = clock.Now;
            var right = caller.Finish(deep: number % deepEvery == 0);
            return (new(intended, sent, end, clock.Now), right ? null : CallStatistics.WrongReply, null);
        }
        catch (Exception e)
        {
            end = Math.Min(end, clock.Now);
            if (stopped.IsCancellationRequested)
                return null;
            var times = new CallTimes(intended, sent, end, end);
            return giveUp.IsCancellationRequested ? (times, CallStatistics.NotEnded, null)
                : e is RpcException { Status: var status } ? (times, status.StatusCode.ToString(), status.Detail)
                : (times, e.GetType().Name, e.Message);
        }
    }
}

abstract class Caller : IAsyncDisposable
{
    public abstract ValueTask SendAsync(CancellationToken cancellationToken);

    /// <summary>Checks the reply of the last successful call and releases it.</summary>
    public abstract bool Finish(bool deep);

    /// <summary>Ends the stream and releases the request. No call may be in progress.</summary>
    public virtual ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return default;
    }
}

/// <summary>The early end of a run. New calls stop immediately, and calls in progress are abandoned a little later.</summary>
sealed class RunCancellation : IDisposable
{
    static readonly TimeSpan usualGrace = TimeSpan.FromSeconds(2);
    readonly CancellationTokenSource abandon = new();
    readonly CancellationTokenRegistration registration;

    public RunCancellation(CancellationToken cancellationToken, TimeSpan? grace = null)
    {
        Token = cancellationToken;
        registration = cancellationToken.Register(() => abandon.CancelAfter(grace ?? usualGrace));
    }

    /// <summary>Cancelled when no new calls may start.</summary>
    public CancellationToken Token { get; }

    /// <summary>Cancelled when calls in progress are abandoned. They are not counted.</summary>
    public CancellationToken AbandonToken => abandon.Token;

    public void Dispose()
    {
        registration.Dispose();
        abandon.Dispose();
    }
}

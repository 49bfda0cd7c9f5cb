using System.Runtime.CompilerServices;
using Grpc.Core;

namespace ProtoBench.GrpcHost.Load;

/// <summary>Makes one call and measures its time. The check of its reply is not included.</summary>
static class OneCall
{
    // Every byte of one reply in so many is compared.
    const int deepEvery = 64;

    /// <summary>Makes the call.</summary>
    /// <returns>Its times, and the name of its failure or null; null if the call was abandoned because the run ended.</returns>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public static async ValueTask<(CallTimes Times, string? Failure)?> MakeAsync(LoadClock clock, Caller caller, long intended, long number,
        CancellationToken abandon)
    {
        var sent = clock.Now;
        var end = long.MaxValue;
        try
        {
            await caller.SendAsync(abandon);
            end = clock.Now;
            var right = caller.Finish(deep: number % deepEvery == 0);
            return (new(intended, sent, end, clock.Now), right ? null : CallStatistics.WrongReply);
        }
        catch (Exception e)
        {
            end = Math.Min(end, clock.Now);
            return abandon.IsCancellationRequested
                ? null : (new(intended, sent, end, end), (e as RpcException)?.StatusCode.ToString() ?? e.GetType().Name);
        }
    }
}

/// <summary>Makes the same call repeatedly, one at a time, and checks the replies.</summary>
abstract class Caller : IDisposable
{
    /// <summary>Sends a request and receives its reply.</summary>
    /// <exception cref="RpcException">The call failed.</exception>
    public abstract ValueTask SendAsync(CancellationToken cancellationToken);

    /// <summary>Checks the reply of the last successful call and releases it.</summary>
    /// <param name="deep">Compare every byte, instead of counts and lengths only.</param>
    /// <returns>Whether it is the expected reply.</returns>
    public abstract bool Finish(bool deep);

    /// <summary>Releases the request. No call may be in progress.</summary>
    public abstract void Dispose();
}

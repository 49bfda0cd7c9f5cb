using Grpc.Core;

namespace ProtoBench.Rpc.Servers;

/// <summary>What holds messages that have arrived in part.</summary>
interface IPartialHolder
{
    /// <summary>It has waited too long for the rest of a message: ends the call, or the connection. Does not throw.</summary>
    void Expire();
}

/// <summary>The bytes that a host holds, over all calls, of messages that have
/// arrived in part: <see cref="RpcLimits.MaxPartialBytes"/>, and for how long. Thread-safe.</summary>
sealed class PartialBudget : IDisposable
{
    readonly Dictionary<IPartialHolder, long> since = [];
    readonly long limit;
    readonly TimeSpan patience;
    readonly Timer timer;
    long used;

    public PartialBudget(RpcLimits limits)
    {
        (limit, patience) = (limits.MaxPartialBytes, limits.PartialTimeout);
        timer = new(_ => Expire(), null, patience, patience);
    }

    /// <summary>Bytes that are held now.</summary>
    public long Used
    {
        get
        {
            lock (since)
                return used;
        }
    }

    /// <summary>Replaces what a call held by what it holds now.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the host would hold more
    /// than the limit. The call then holds what it held before.</exception>
    public void Change(IPartialHolder holder, long before, long now)
    {
        lock (since)
        {
            if (now > before && used - before + now > limit)
                throw RpcFailure.Of(StatusCode.ResourceExhausted, "the host holds too many messages that are not complete");
            used += now - before;
            if (now == 0)
                since.Remove(holder);
            else if (before == 0)
                since[holder] = Environment.TickCount64;
        }
    }

    /// <summary>Stops the clock.</summary>
    public void Dispose() => timer.Dispose();

    void Expire()
    {
        IPartialHolder[] expired;
        lock (since)
        {
            var latest = Environment.TickCount64 - (long)patience.TotalMilliseconds;
            expired = [.. since.Where(held => held.Value <= latest).Select(held => held.Key)];
        }

        foreach (var holder in expired)
            holder.Expire();
    }
}

namespace ProtoBench.Rpc;

interface IPartialHolder
{
    /// <summary>Called when the rest of a message has not arrived in time. Ends the call or the connection. Does not throw.</summary>
    void Expire();
}

/// <summary><see cref="RpcLimits.MaxPartialBytes"/> over all calls of a host, and the age of these messages. Thread-safe.</summary>
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

    public long Used
    {
        get
        {
            lock (since)
                return used;
        }
    }

    /// <exception cref="RpcException">RESOURCE_EXHAUSTED when the host would exceed the limit. Nothing changes then.</exception>
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

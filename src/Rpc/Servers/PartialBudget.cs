using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Servers;

/// <summary>The bytes that a host holds, over all calls, of messages that have
/// arrived in part: <see cref="RpcLimits.MaxPartialBytes"/>. Thread-safe.</summary>
sealed class PartialBudget(long limit)
{
    long used;

    /// <summary>Bytes that are held now.</summary>
    public long Used => Volatile.Read(ref used);

    /// <summary>Replaces what a call held by what it holds now.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the host would hold more
    /// than the limit. The call then holds what it held before.</exception>
    public void Change(long before, long now)
    {
        while (true)
        {
            var seen = Volatile.Read(ref used);
            var next = seen - before + now;
            if (now > before && next > limit)
                throw new RpcException(RpcStatus.ResourceExhausted, "the host holds too many messages that are not complete");
            if (Interlocked.CompareExchange(ref used, next, seen) == seen)
                return;
        }
    }
}

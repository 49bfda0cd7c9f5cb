namespace ProtoBench.Rpc.Inbox;

/// <summary>What a host holds, over all calls, of messages that have arrived in part: the bound on what slow or hostile senders can make it keep.
/// Thread-safe.</summary>
sealed class PartialBudget(long limit)
{
    long used;

    /// <summary>Bytes that are held now.</summary>
    public long Used => Volatile.Read(ref used);

    /// <summary>Replaces what a call held by what it holds now.</summary>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the host holds too much already. The call then holds what it held before.</exception>
    public void Change(long before, long now)
    {
        if (Interlocked.Add(ref used, now - before) <= limit || now <= before)
            return;
        Interlocked.Add(ref used, before - now);
        throw new RpcException(RpcStatus.ResourceExhausted, "the host holds too many messages that are not complete");
    }
}

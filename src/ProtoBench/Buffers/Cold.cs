namespace ProtoBench.Buffers;

/// <summary>64 copies of the same thing, walked round and round: what is next has
/// left the first- and second-level caches since it was last used.</summary>
public sealed class Cold<T>(Func<T> create)
{
    const int copies = 64;

    readonly T[] all = [.. Enumerable.Range(0, copies).Select(_ => create())];
    int next;

    /// <summary>The copy that was used longest ago.</summary>
    public T Next => all[next++ % copies];
}

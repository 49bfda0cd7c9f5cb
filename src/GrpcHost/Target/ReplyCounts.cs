namespace ProtoBench.GrpcHost.Target;

/// <summary>What came back, over all calls that succeeded. Thread-safe.</summary>
sealed class ReplyCounts
{
    long calls;
    long messages;
    long bytes;

    public long Calls => Volatile.Read(ref calls);

    public long Messages => Volatile.Read(ref messages);

    public long Bytes => Volatile.Read(ref bytes);

    public void Count(long callMessages, long callBytes)
    {
        Interlocked.Increment(ref calls);
        Interlocked.Add(ref messages, callMessages);
        Interlocked.Add(ref bytes, callBytes);
    }
}

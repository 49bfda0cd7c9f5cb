namespace ProtoBench.GrpcHost.Target;

/// <summary>The number and the size of the replies of successful calls. Thread-safe.</summary>
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

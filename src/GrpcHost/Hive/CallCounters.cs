using System.Diagnostics;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>How often messages were encoded and decoded in this process and, when asked for, how long that took. Thread-safe.</summary>
/// <param name="timed">Measure times too. Each costs two clock reads, so runs for figures do without.</param>
sealed class CallCounters(bool timed)
{
    long encoded;
    long decoded;
    long handled;
    long encodeTicks;
    long decodeTicks;
    long handlerTicks;

    public bool Timed => timed;

    public long Encoded => Volatile.Read(ref encoded);

    public long Decoded => Volatile.Read(ref decoded);

    /// <summary>Calls that a handler answered.</summary>
    public long Handled => Volatile.Read(ref handled);

    public TimeSpan EncodeTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref encodeTicks));

    public TimeSpan DecodeTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref decodeTicks));

    public TimeSpan HandlerTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref handlerTicks));

    /// <summary>The clock where times are taken, else 0.</summary>
    public long Begin() => timed ? Stopwatch.GetTimestamp() : 0;

    public void CountEncoded(long began) => Count(ref encoded, ref encodeTicks, began);

    public void CountDecoded(long began) => Count(ref decoded, ref decodeTicks, began);

    /// <summary>Adds the time of the measuring pass before an encode.</summary>
    public void AddEncodeTime(long began)
    {
        if (timed)
            Interlocked.Add(ref encodeTicks, Stopwatch.GetTimestamp() - began);
    }

    public void CountHandled(long ticks)
    {
        Interlocked.Increment(ref handled);
        Interlocked.Add(ref handlerTicks, ticks);
    }

    void Count(ref long count, ref long ticks, long began)
    {
        Interlocked.Increment(ref count);
        if (timed)
            Interlocked.Add(ref ticks, Stopwatch.GetTimestamp() - began);
    }
}

using System.Buffers;
using System.Diagnostics;

namespace ProtoBench.GrpcHost;

/// <summary>Counts the encoded and decoded messages of this process and, on request, their time. Thread-safe.</summary>
/// <param name="timed">Whether to measure times. Each costs two reads of the clock, so measurements of throughput omit them.</param>
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

    public long Handled => Volatile.Read(ref handled);

    public TimeSpan EncodeTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref encodeTicks));

    public TimeSpan DecodeTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref decodeTicks));

    public TimeSpan HandlerTime => Stopwatch.GetElapsedTime(0, Volatile.Read(ref handlerTicks));

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

sealed class CountedMarshaller<T>(Marshaller<T> inner, CallCounters counters) : Marshaller<T>
{
    public override bool Recycles => inner.Recycles;

    public override int Measure(T message)
    {
        var began = counters.Begin();
        var size = inner.Measure(message);
        counters.AddEncodeTime(began);
        return size;
    }

    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        var began = counters.Begin();
        inner.Write(message, size, output);
        counters.CountEncoded(began);
    }

    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var began = counters.Begin();
        var message = inner.Read(payload);
        counters.CountDecoded(began);
        return message;
    }

    public override bool IsSame(T one, T other) => inner.IsSame(one, other);

    public override void Release(T message) => inner.Release(message);
}

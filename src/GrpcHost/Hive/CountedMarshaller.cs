using System.Buffers;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Hive;

/// <summary>Counts the calls of another marshaller, and measures their time if the counters ask for it.</summary>
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

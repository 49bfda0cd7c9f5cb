using System.Buffers;
using ProtoBench.Codec;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>The slab codec: the leaves of its messages are in recycled slab memory.</summary>
/// <param name="rent">Provides an empty message.</param>
/// <param name="release">Takes it back.</param>
public sealed class SlabMarshaller<T>(Func<Message<T>> rent, Action<Message<T>> release) : Marshaller<Message<T>>
    where T : struct, IMessage<T>
{
    /// <summary>Uses the codec's own recycler for messages: one spare message per thread, and a shared bag behind it.</summary>
    public SlabMarshaller()
        : this(Message<T>.Rent, static message => message.Dispose())
    {
    }

    /// <summary>An empty message, to be released like one that was read.</summary>
    public Message<T> Rent() => rent();

    /// <inheritdoc/>
    public override bool Recycles => true;

    /// <inheritdoc/>
    public override int Measure(Message<T> message) => message.CalculateSize();

    /// <inheritdoc/>
    public override void Write(Message<T> message, int size, IBufferWriter<byte> output) => message.WriteTo(output);

    /// <inheritdoc/>
    public override Message<T> Read(in ReadOnlySequence<byte> payload)
    {
        var message = rent();
        try
        {
            message.Parse(payload);
            return message;
        }
        catch
        {
            release(message);
            throw;
        }
    }

    /// <inheritdoc/>
    public override void Release(Message<T> message) => release(message);
}

using System.Buffers;

namespace ProtoBench.Rpc;

/// <summary>How messages of one type become bytes and come back, by one library. Stateless or thread-safe: one instance serves all calls.</summary>
public abstract class Marshaller<T>
{
    /// <summary>The number of bytes that <see cref="Write"/> will write for this message.</summary>
    public abstract int Measure(T message);

    /// <summary>Writes exactly <paramref name="size"/> bytes, the answer of <see cref="Measure"/> for the same message.</summary>
    public abstract void Write(T message, int size, IBufferWriter<byte> output);

    /// <summary>Reads a message. The payload is valid during this call only: what the message keeps, it copies.</summary>
    /// <exception cref="Exception">Any exception means that the payload is malformed; the transport answers INTERNAL and shows nothing of it.</exception>
    public abstract T Read(in ReadOnlySequence<byte> payload);

    /// <summary>Whether <see cref="Release"/> gives memory back. Where it does nothing, a stack need not keep account of messages that get lost on the way.</summary>
    public virtual bool Recycles => false;

    /// <summary>Ends the life of a message that <see cref="Read"/> returned or a handler built: the one place where its memory goes back.</summary>
    public virtual void Release(T message)
    {
    }
}

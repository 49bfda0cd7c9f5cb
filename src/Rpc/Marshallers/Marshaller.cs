using System.Buffers;

namespace ProtoBench.Rpc.Marshallers;

/// <summary>Encodes and decodes the messages of one type with one library.
/// Stateless or thread-safe: one instance serves all calls.</summary>
public abstract class Marshaller<T>
{
    /// <summary>The number of bytes that <see cref="Write"/> will write for this message.</summary>
    public abstract int Measure(T message);

    /// <summary>Writes exactly <paramref name="size"/> bytes, the answer of <see cref="Measure"/> for the same message.</summary>
    public abstract void Write(T message, int size, IBufferWriter<byte> output);

    /// <summary>Reads a message. The payload is valid only during this call, so the message copies what it keeps.</summary>
    /// <exception cref="Exception">Any exception means that the payload is malformed. The transport answers INTERNAL without the
    /// exception's message.</exception>
    public abstract T Read(in ReadOnlySequence<byte> payload);

    /// <summary>Whether <see cref="Release"/> returns memory. If not, a
    /// transport does not need to track messages of failed calls.</summary>
    public virtual bool Recycles => false;

    /// <summary>Whether both are one message, so that releasing one of them releases the other: a handler may answer with its own request.
    /// The default compares references, and values by their own equality.</summary>
    public virtual bool IsSame(T one, T other) =>
        typeof(T).IsValueType ? EqualityComparer<T>.Default.Equals(one, other) : ReferenceEquals(one, other);

    /// <summary>Returns the memory of a message that <see cref="Read"/> returned or a handler created.
    /// Called once for each message.</summary>
    public virtual void Release(T message)
    {
    }
}

using System.Buffers;
using Google.Protobuf;
using ProtoBench.Codec;

namespace ProtoBench.Rpc;

/// <summary>The messages of one type with one library. Stateless or thread-safe: one instance is used for all calls.</summary>
public abstract class Marshaller<T>
{
    /// <summary>The number of bytes that <see cref="Write"/> will write for this message.</summary>
    public abstract int Measure(T message);

    /// <summary>Writes exactly <paramref name="size"/> bytes, which is the result of <see cref="Measure"/> for the same message.</summary>
    public abstract void Write(T message, int size, IBufferWriter<byte> output);

    /// <summary>Reads a message. The payload is valid only during this call, so the message copies what it keeps.</summary>
    /// <exception cref="Exception">For a malformed payload. The transport answers INTERNAL without the exception's message.</exception>
    public abstract T Read(in ReadOnlySequence<byte> payload);

    /// <param name="what">The message in the text of the failure.</param>
    /// <exception cref="RpcException">Thrown with INTERNAL when the payload is malformed.</exception>
    internal T Decode(in ReadOnlySequence<byte> payload, string what)
    {
        try
        {
            return Read(payload);
        }
        catch (Exception e)
        {
            throw RpcFailure.Of(StatusCode.Internal, $"malformed message: {what} cannot be decoded", e);
        }
    }

    /// <summary>Whether <see cref="Release"/> returns memory. If not, messages of failed calls need not be tracked.</summary>
    public virtual bool Recycles => false;

    /// <summary>Whether both are the same message, so that releasing one of them also releases the other. This happens when a
    /// handler answers with its own request. The default compares references, and compares values with their own equality.</summary>
    public virtual bool IsSame(T one, T other) =>
        typeof(T).IsValueType ? EqualityComparer<T>.Default.Equals(one, other) : ReferenceEquals(one, other);

    /// <summary>Called once for each message that <see cref="Read"/> returned or a handler created.</summary>
    public virtual void Release(T message)
    {
    }
}

/// <summary>Google.Protobuf as a gRPC stub uses it: it measures, writes to the transport's buffer, and parses from its segments.</summary>
public sealed class GoogleMarshaller<T> : Marshaller<T>
    where T : Google.Protobuf.IMessage<T>, new()
{
    readonly MessageParser<T> parser = new(static () => new T());

    public override int Measure(T message) => message.CalculateSize();

    public override void Write(T message, int size, IBufferWriter<byte> output) => message.WriteTo(output);

    public override T Read(in ReadOnlySequence<byte> payload) => parser.ParseFrom(payload);
}

/// <summary>The slab codec. The leaves of its messages are in recycled slab memory.</summary>
public sealed class SlabMarshaller<T>(Func<Message<T>> rent, Action<Message<T>> release) : Marshaller<Message<T>>
    where T : struct, ISlabMessage<T>
{
    /// <summary>Uses the codec's own recycler for messages: one spare message per thread, and a shared bag behind it.</summary>
    public SlabMarshaller()
        : this(Message<T>.Rent, static message => message.Dispose())
    {
    }

    public Message<T> Rent() => rent();

    public override bool Recycles => true;

    public override int Measure(Message<T> message) => message.CalculateSize();

    public override void Write(Message<T> message, int size, IBufferWriter<byte> output) => message.WriteTo(output);

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

    public override void Release(Message<T> message) => release(message);
}

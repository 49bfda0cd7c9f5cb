using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Google.Protobuf;
using ProtoBench.Allocators;
using ProtoBench.Codec;
using ProtoBench.Pbn;
using ProtoBuf;
using ProtoBuf.Meta;

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

/// <summary>No codec. A message that is read is copied into a counted slice, because it outlives the transport's buffers.</summary>
public sealed class RawMarshaller : Marshaller<RawMessage>
{
    public override bool Recycles => true;

    public override int Measure(RawMessage message) => message.Bytes.Length;

    public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => output.Write(message.Bytes.Span);

    public override RawMessage Read(in ReadOnlySequence<byte> payload)
    {
        var length = checked((int)payload.Length);
        var slice = SliceAllocator.ForThread.Rent(length);
        payload.CopyTo(slice.Span);
        return new(slice.Memory, slice);
    }

    public override bool IsSame(RawMessage one, RawMessage other) => one.Slice.Equals(other.Slice);

    public override void Release(RawMessage message) => message.Slice.Release();
}

/// <param name="Slice">The recycled memory that contains the payload; the default value for bytes with another owner.</param>
public readonly record struct RawMessage(ReadOnlyMemory<byte> Bytes, SlabSlice Slice = default);

/// <summary>It cannot measure without writing, so each thread keeps the bytes of its last measurement.</summary>
public sealed class JsonMarshaller<T>(JsonTypeInfo<T> type) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static ArrayBufferWriter<byte>? written;

    [ThreadStatic]
    static Utf8JsonWriter? writer;

    [ThreadStatic]
    static T? measured;

    public override int Measure(T message)
    {
        written ??= new();
        writer ??= new(written);
        written.ResetWrittenCount();
        writer.Reset(written);
        JsonSerializer.Serialize(writer, message, type);
        measured = message;
        return written.WrittenCount;
    }

    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(measured, message))
            Measure(message);
        output.Write(written!.WrittenSpan);
        measured = null; // the message may be another one at the next call
    }

    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var reader = new Utf8JsonReader(payload);
        return JsonSerializer.Deserialize(ref reader, type) ?? throw new JsonException("null is no message");
    }
}

/// <summary>As protobuf-net.Grpc uses it. A measuring pass collects lengths; each thread keeps the state of its last one.</summary>
public class ProtobufNetMarshaller<T>(TypeModel model) : Marshaller<T>
    where T : class
{
    [ThreadStatic]
    static MeasureState<T> measured;

    [ThreadStatic]
    static T? waiting;

    protected TypeModel Model { get; } = model;

    public override int Measure(T message)
    {
        if (waiting is not null)
            measured.Dispose(); // the last message was measured and not written, because it is too large
        measured = Model.Measure(message);
        waiting = message;
        return checked((int)measured.Length);
    }

    public override void Write(T message, int size, IBufferWriter<byte> output)
    {
        if (!ReferenceEquals(waiting, message))
            Measure(message);
        waiting = null; // the message may be another one at the next call
        using (measured)
            measured.Serialize(output);
    }

    public override T Read(in ReadOnlySequence<byte> payload) => Model.Deserialize<T>(payload);
}

/// <summary>With the serializers of <see cref="SlabModel"/>: leaves are in slab memory, and the message object is recycled.</summary>
public sealed class ProtobufNetSlabMarshaller<T>(Action<T> reset, Func<T> rent, Action<T> recycle)
    : ProtobufNetMarshaller<T>(SlabModel.Instance)
    where T : class, new()
{
    public ProtobufNetSlabMarshaller(Action<T> reset, Recycler<T> recycler)
        : this(reset, recycler.Rent, recycler.Return)
    {
    }

    public override bool Recycles => true;

    /// <summary>Release it like a message that was read.</summary>
    public T Rent() => rent();

    public override T Read(in ReadOnlySequence<byte> payload)
    {
        var root = Rent();
        try
        {
            return Model.Deserialize(payload, root);
        }
        catch
        {
            Release(root);
            throw;
        }
    }

    public override void Release(T message)
    {
        reset(message);
        recycle(message);
    }
}

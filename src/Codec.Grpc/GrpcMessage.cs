using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using ProtoBench.Allocators;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a message of a call for grpc-dotnet and its interceptors. It is a class, because
/// <see cref="Method{TRequest,TResponse}"/> accepts only classes.</summary>
/// <remarks>
/// <para>Ownership: on a server, the call owns every instance that is created while it runs, also one that an interceptor creates. It
/// disposes the instances when it ends. On a client, the caller of the stub owns the request, and the code that awaits the call owns the
/// reply. An interceptor that creates an instance on a client must dispose it, unless it passes it on as the reply. An interceptor may read
/// a message until the call ends. After that, a use of the message throws <see cref="ObjectDisposedException"/>.</para>
/// <para>Thread safety: as <see cref="Codec.Message{T}"/>.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
public class GrpcMessage<T> : GrpcMessage
    where T : struct, ISlabMessage<T>
{
    readonly Message<T> message;

    /// <summary>Initializes an instance that owns a message.</summary>
    /// <exception cref="OperationCanceledException">The constructor runs in a call of a server that has ended. The message was
    /// released.</exception>
    public GrpcMessage(Message<T> message)
        : this(message, CallMessages.Current)
    {
    }

    private protected GrpcMessage(Message<T> message, CallMessages? owner)
    {
        this.message = message;
        owner?.Add(this);
    }

    /// <summary>Gets the message. On a server this instance releases it. On a client the caller of the stub releases the request, and the
    /// code that awaits the call releases the reply.</summary>
    /// <exception cref="WireFormatException">The content was passed as bytes (<see cref="EncodedReplies"/>), which are not a valid
    /// message.</exception>
    public Message<T> Message => Content;

    /// <summary>Gets a view of the message's content.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T Value => Message.Value;

    /// <inheritdoc/>
    public override string FullName => T.FullName;

    /// <inheritdoc/>
    public override int CalculateSize() => Message.CalculateSize();

    /// <inheritdoc/>
    public override void WriteTo(IBufferWriter<byte> output) => Message.WriteTo(output);

    /// <inheritdoc/>
    public override string ToJson(ProtoJsonOptions? options = null) => Value.ToJson(options);

    /// <inheritdoc/>
    public override string ToString() => Value.ToString()!;

    private protected virtual Message<T> Content => message;

    internal override void Release() => message.Dispose();

    /// <summary>Makes the caller the owner of the message.</summary>
    internal virtual Message<T> Take()
    {
        Owner?.Remove(this);
        return message;
    }

    /// <summary>Serializes the message, as a generated marshaller of Google's messages does.</summary>
    internal virtual void Write(SerializationContext context)
    {
        context.SetPayloadLength(Message.CalculateSize());
        Message.WriteTo(context.GetBufferWriter());
        context.Complete();
    }
}

/// <summary>Represents a message whose type the code does not know, such as an interceptor that logs all calls. Each request and each reply
/// of a stub is one. The methods read the message while the call runs, as <see cref="GrpcMessage{T}"/> says.</summary>
public abstract class GrpcMessage : CallMessage
{
    private protected GrpcMessage()
    {
    }

    /// <summary>Gets the name of the message type in its .proto file, with the package.</summary>
    public abstract string FullName { get; }

    /// <summary>Calculates the size on the wire, in bytes.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    /// <exception cref="InvalidOperationException">The message cannot be written: see <see cref="Message{T}.CalculateSize"/>.</exception>
    public abstract int CalculateSize();

    /// <summary>Writes the message, as the call does.</summary>
    /// <inheritdoc cref="CalculateSize" path="/exception"/>
    public abstract void WriteTo(IBufferWriter<byte> output);

    /// <summary>Gets the content as JSON, on one line if the options have no indentation.</summary>
    /// <inheritdoc cref="ProtoJson.ToJson{T}" path="/exception"/>
    public abstract string ToJson(ProtoJsonOptions? options = null);

    /// <summary>Gets the content in protobuf's text format, on one line. Unlike <see cref="ToJson"/> it needs no registry of the types in
    /// an Any.</summary>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public abstract override string ToString();
}

/// <summary>Represents what the owner of a message needs to release it.</summary>
[SuppressMessage("Design", "CA1063", Justification = "only this assembly and its friends derive from it")]
public abstract class CallMessage : IDisposable
{
    private protected CallMessage()
    {
    }

    /// <summary>Gets or sets the call of a server that releases the message; null if there is none.</summary>
    internal CallMessages? Owner { get; set; }

    /// <summary>Gets or sets the next message of the same owner.</summary>
    internal CallMessage? Next { get; set; }

    /// <summary>Releases the message. Further calls do nothing.</summary>
    public void Dispose()
    {
        Owner?.Remove(this);
        Release();
        GC.SuppressFinalize(this);
    }

    internal abstract void Release();

    /// <summary>Ends the use of a message that was lent for a call or a write.</summary>
    internal virtual void End()
    {
    }
}

/// <summary>Represents a message that its owner lends to grpc-dotnet for a call or a write. When the call or the write has ended, the owner
/// may change or release the message. But grpc-dotnet may serialize it later, after a cancellation, and again, for a retry. Serialization
/// fails then.</summary>
[SuppressMessage("Reliability", "CA2002", Justification = "a Lock would be another 40 bytes for each call")]
sealed class LentMessage<T>(Message<T> message) : GrpcMessage<T>(message, owner: null)
    where T : struct, ISlabMessage<T>
{
    bool ended;

    internal override void End()
    {
        lock (this) ended = true;
    }

    internal override void Release()
    {
        // the message has another owner
    }

    internal override void Write(SerializationContext context)
    {
        lock (this)
        {
            if (ended) throw new OperationCanceledException("The call has ended.");
            base.Write(context);
        }
    }
}

/// <summary>Represents a message whose bytes the caller has, for one call. They are written as they are. An interceptor that reads the
/// message parses them first.</summary>
/// <param name="encoded">The bytes, which must not change until the message is released.</param>
/// <param name="given">What is disposed when the message is released; null for nothing.</param>
/// <param name="owner">The call of a server that releases the message; null on a client.</param>
sealed class EncodedMessage<T>(ReadOnlyMemory<byte> encoded, IDisposable? given, CallMessages? owner) : GrpcMessage<T>(default, owner)
    where T : struct, ISlabMessage<T>
{
    readonly Lock gate = new();
    Message<T> parsed;
    bool ended;

    private protected override Message<T> Content
    {
        get
        {
            lock (gate)
            {
                if (parsed == default && !ended)
                {
                    var message = MessageSource.Rent<T>();
                    try
                    {
                        message.Parse(encoded);
                    }
                    catch
                    {
                        message.Dispose();
                        throw;
                    }

                    parsed = message;
                }

                return parsed;
            }
        }
    }

    public override int CalculateSize() => Bytes().Length;

    public override void WriteTo(IBufferWriter<byte> output) => output.Write(Bytes().Span);

    internal override void Write(SerializationContext context)
    {
        // under the lock, because the caller may reuse the memory after the end
        lock (gate)
        {
            if (ended) throw new OperationCanceledException("The call has ended.");
            context.SetPayloadLength(encoded.Length);
            context.GetBufferWriter().Write(encoded.Span);
            context.Complete();
        }
    }

    internal override void End()
    {
        lock (gate)
        {
            if (ended) return;
            ended = true;
            parsed.Dispose();
        }

        given?.Dispose();
    }

    internal override void Release() => End();

    ReadOnlyMemory<byte> Bytes()
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref ended), "Message");
        return encoded;
    }
}

/// <summary>Represents a reply that many calls share. Its owner keeps it.</summary>
/// <param name="message">The message.</param>
/// <param name="given">What is disposed when the call has ended; null for nothing.</param>
/// <param name="owner">The call.</param>
sealed class SharedMessage<T>(Message<T> message, IDisposable? given, CallMessages owner) : GrpcMessage<T>(message, owner)
    where T : struct, ISlabMessage<T>
{
    IDisposable? given = given;

    internal override void Release() => Interlocked.Exchange(ref given, null)?.Dispose();
}

/// <summary>Represents a reply on a client. The code that awaits the call takes the message. If the call was abandoned, or failed after its
/// reply was read, the garbage collector finds this object and its memory goes back to the pool.</summary>
sealed class ReceivedMessage<T> : GrpcMessage<T>
    where T : struct, ISlabMessage<T>
{
    int taken;

    public ReceivedMessage(Message<T> message)
        : base(message, owner: null)
    {
    }

    ~ReceivedMessage() => Message.Abandon();

    [SuppressMessage("Usage", "CA1816", Justification = "the message has another owner now")]
    internal override Message<T> Take()
    {
        GC.SuppressFinalize(this);
        if (Interlocked.Exchange(ref taken, 1) != 0) throw new ObjectDisposedException("Message", "The reply was taken or released.");
        return Message;
    }

    internal override void Release()
    {
        if (Interlocked.Exchange(ref taken, 1) == 0) base.Release();
    }
}

/// <summary>Represents a message on a server that does not come from the codec's recycler.</summary>
sealed class SourcedMessage<T>(Message<T> message, MessageSource<T> source) : GrpcMessage<T>(message)
    where T : struct, ISlabMessage<T>
{
    // set before the base constructor runs, which releases the message if the call has ended
    readonly MessageSource<T> source = source;

    internal override void Release() => source.Release(Message);
}

/// <summary>Represents the messages of one call on a server. grpc-dotnet does not report when it no longer uses a message: it drops a
/// request if the call fails before the handler runs, and it writes a reply after the handler has returned, or never. So the messages are
/// released when the call ends. Thread-safe.</summary>
[SuppressMessage("Reliability", "CA2002", Justification = "a Lock would be another 40 bytes for each call")]
sealed class CallMessages : IDisposable
{
    // a deserializer has no reference to its call, but it runs in the execution context of the call
    static readonly AsyncLocal<CallMessages?> current = new();

    static readonly CallMessage ended = new Ended();

    // the first of a list; "ended" after the call
    CallMessage? first;

    /// <summary>Gets the reply to send instead of the one that the method fills; null if there is none.</summary>
    public CallMessage? Instead { get; private set; }

    public static CallMessages? Current => current.Value;

    /// <summary>Makes this the current call in the execution context of the caller.</summary>
    public CallMessages Enter() => current.Value = this;

    public void Add(CallMessage message)
    {
        lock (this)
        {
            if (first != ended)
            {
                (message.Owner, message.Next, first) = (this, first, message);
                return;
            }
        }

        message.Release();
        throw new OperationCanceledException("The call has ended.");
    }

    /// <summary>Sets the reply to send instead of the one that the method fills, and releases another one that was set before.</summary>
    public void Replace(CallMessage reply)
    {
        var before = Instead;
        Instead = reply;
        before?.Dispose();
    }

    /// <summary>Returns the first message of the call that matches; null if there is none.</summary>
    public CallMessage? Find(Predicate<CallMessage> match)
    {
        lock (this)
        {
            var message = first;
            while (message is not null && !match(message)) message = message.Next;
            return message;
        }
    }

    /// <summary>Removes a message, which is then released by other code.</summary>
    public void Remove(CallMessage message)
    {
        lock (this)
        {
            if (first == message)
            {
                first = message.Next;
            }
            else
            {
                var before = first;
                while (before is not null && before.Next != message) before = before.Next;
                before?.Next = message.Next;
            }

            (message.Owner, message.Next) = (null, null);
        }
    }

    /// <summary>Ends the call, and releases the messages that it still owns.</summary>
    public void Dispose()
    {
        CallMessage? left;
        lock (this) (left, first) = (first, ended);
        while (left is not null)
        {
            var next = left.Next;
            (left.Owner, left.Next) = (null, null);
            left.Release();
            left = next;
        }
    }

    /// <summary>The end of a call, which has no message.</summary>
    sealed class Ended : CallMessage
    {
        internal override void Release()
        {
        }
    }
}

/// <summary>Creates the messages of calls.</summary>
static class MessageSource
{
    /// <summary>Gets or sets a pool that is used instead of the recycled messages, with which tests find leaks.</summary>
    public static SlabPool? Pool { get; set; }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static Message<T> Rent<T>()
        where T : struct, ISlabMessage<T> => Pool is { } pool ? Message<T>.Rent(pool) : Message<T>.Rent();

    /// <summary>Parses what a peer sent into an empty message, and returns this message.</summary>
    public static Message<T> Read<T>(Message<T> message, DeserializationContext context)
        where T : struct, ISlabMessage<T>
    {
        try
        {
            message.Parse(context.PayloadAsReadOnlySequence());
            return message;
        }
        catch (WireFormatException e)
        {
            message.Dispose();
            throw new RpcException(new Status(StatusCode.Internal, $"The message is malformed. {e.Message}", e));
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }
}

/// <summary>Represents another source of messages than the codec's recycler, and other marshallers around those of a
/// <see cref="SlabMethod{TRequest,TResponse}"/>. A program that measures uses it to compare recyclers and to take the times of marshallers
/// in calls that are otherwise those of users. It is not public, because a recycler that returns a message twice would break all
/// guarantees.</summary>
/// <param name="Rent">Provides an empty message.</param>
/// <param name="Release">Takes back a message of a server. A reply on a client belongs to the code that awaits the call.</param>
/// <param name="Around">Returns the marshaller to use, which calls the given one.</param>
sealed record MessageSource<T>(Func<Message<T>> Rent, Action<Message<T>> Release,
    Func<Marshaller<GrpcMessage<T>>, Marshaller<GrpcMessage<T>>> Around)
    where T : struct, ISlabMessage<T>;

using Grpc.Core;
using Microsoft.AspNetCore.Http;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>Represents a message in a box. grpc-dotnet supports classes only, and some messages are structs.</summary>
abstract class BoxedMessage
{
    /// <summary>Releases the message.</summary>
    public abstract void Release();
}

/// <inheritdoc/>
class BoxedMessage<T>(Marshaller<T> marshaller, T message) : BoxedMessage
{
    public T Message => message;

    public override void Release() => marshaller.Release(message);

    /// <summary>Makes the calls of a generated serializer.</summary>
    public virtual void Write(SerializationContext context)
    {
        var size = marshaller.Measure(message);
        context.SetPayloadLength(size);
        marshaller.Write(message, size, context.GetBufferWriter());
        context.Complete();
    }

    /// <summary>Makes the calls of a generated deserializer.</summary>
    /// <exception cref="RpcException">Thrown with INTERNAL when the payload is malformed.</exception>
    public static BoxedMessage<T> Read(Marshaller<T> marshaller, DeserializationContext context)
    {
        BoxedMessage<T> boxed;
        try
        {
            boxed = new(marshaller, marshaller.Read(context.PayloadAsReadOnlySequence()));
        }
        catch (Exception e)
        {
            throw RpcFailure.Of(StatusCode.Internal, "malformed message: it cannot be decoded", e);
        }

        if (marshaller.Recycles)
            CallMessageOwner.Keep(boxed);
        return boxed;
    }
}

/// <summary>Represents the request of a unary call. Its caller owns the message again when the call has ended. grpc-dotnet may serialize it
/// later than that when the call is cancelled, and again when the peer refused the stream. After the end of the call, serialization fails
/// and does not use the message.</summary>
sealed class BoxedRequest<T>(Marshaller<T> marshaller, T message, Action retried) : BoxedMessage<T>(marshaller, message)
{
    readonly Lock writing = new();
    bool written;
    bool ended;

    public override void Write(SerializationContext context)
    {
        lock (writing)
        {
            if (ended)
                throw new OperationCanceledException("the call has ended");
            if (written)
                retried();
            written = true;
            base.Write(context);
        }
    }

    /// <summary>Ends the use of the message.</summary>
    public void End()
    {
        lock (writing)
            ended = true;
    }
}

/// <summary>Owns the recycled messages of one call while they are inside grpc-dotnet, which does not release messages. It drops a request
/// if the call fails before the handler runs, and it writes a response after the handler has returned. A message stays here until it is
/// taken. The others are released when the call ends. Thread-safe.</summary>
sealed class CallMessageOwner : IDisposable
{
    // A deserializer has no reference to its call, but it runs in the execution context of the call.
    static readonly AsyncLocal<CallMessageOwner?> current = new();

    readonly List<BoxedMessage> kept = [];
    bool ended;

    /// <summary>Makes this the owner for the execution context of the calling asynchronous method.</summary>
    public CallMessageOwner Enter()
    {
        current.Value = this;
        return this;
    }

    /// <summary>Makes the current call the owner of a message.</summary>
    /// <exception cref="OperationCanceledException">Thrown when the call has ended. The message was released.</exception>
    public static void Keep(BoxedMessage message)
    {
        var messages = current.Value ?? throw new InvalidOperationException("a recycled message outside of any call");
        lock (messages.kept)
        {
            if (!messages.ended)
            {
                messages.kept.Add(message);
                return;
            }
        }

        message.Release();
        throw new OperationCanceledException("the call has ended");
    }

    /// <summary>Removes a message from the current call. The caller owns it now.</summary>
    public static void Take(BoxedMessage message)
    {
        var messages = current.Value!;
        lock (messages.kept)
            messages.kept.Remove(message);
    }

    /// <summary>Removes a message without its box from the current call. The caller owns it now.</summary>
    public static void TakeMessage<T>(T message)
        where T : class
    {
        var messages = current.Value!;
        lock (messages.kept)
            messages.kept.RemoveAll(kept => kept is BoxedMessage<T> box && ReferenceEquals(box.Message, message));
    }

    /// <summary>Releases the messages that were not taken. Messages that are added later are released at once.</summary>
    public void Dispose()
    {
        lock (kept)
        {
            ended = true;
            foreach (var message in kept)
                message.Release();
            kept.Clear();
        }
    }
}

/// <summary>Converts methods and metadata to the types of grpc-dotnet.</summary>
static class GrpcDotnetTypes
{
    public static Method<BoxedMessage<TRequest>, BoxedMessage<TResponse>> Method<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, MethodType type)
    {
        var end = method.Path.LastIndexOf('/');
        return new(type, method.Path[1..end], method.Path[(end + 1)..], ToCore(method.Request), ToCore(method.Response));
    }

    /// <summary>Returns the metadata of a request, without malformed entries.</summary>
    public static Metadata ToCore(IHeaderDictionary headers)
    {
        var metadata = new Metadata();
        foreach (var (name, values) in headers.Where(header => IsMetadata(header.Key)))
        {
            foreach (var value in values.OfType<string>())
            {
                if (!name.EndsWith(Metadata.BinaryHeaderSuffix, StringComparison.OrdinalIgnoreCase))
                    metadata.Add(name, value);
                else
                    AddBytes(metadata, name, value);
            }
        }

        return metadata;
    }

    /// <summary>Adds the values of one header line. They are separated by commas, each with or without padding.</summary>
    static void AddBytes(Metadata metadata, string name, string values)
    {
        foreach (var part in values.Split(','))
        {
            var text = part.Trim().TrimEnd('=');
            var bytes = new byte[text.Length * 3 / 4];
            if (Convert.TryFromBase64String(text.PadRight((text.Length + 3) / 4 * 4, '='), bytes, out var length) && length == bytes.Length)
                metadata.Add(name, bytes);
        }
    }

    static bool IsMetadata(string name) =>
        !name.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase)
        && name.ToUpperInvariant() is not ("CONTENT-TYPE" or "TE" or "HOST" or "CONTENT-LENGTH" or "USER-AGENT")
        && name.All(c => char.IsAsciiLetterOrDigit(c) || c is '_' or '.' or '-');

    static Grpc.Core.Marshaller<BoxedMessage<T>> ToCore<T>(Marshaller<T> marshaller) =>
        new((message, context) => message.Write(context), context => BoxedMessage<T>.Read(marshaller, context));
}

using ProtoBench.Rpc.Marshallers;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>A message in a box. grpc-dotnet supports classes only, and some of our messages are structs.</summary>
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

    /// <summary>The calls that a generated serializer makes.</summary>
    public virtual void Write(Core.SerializationContext context)
    {
        var size = marshaller.Measure(message);
        context.SetPayloadLength(size);
        marshaller.Write(message, size, context.GetBufferWriter());
        context.Complete();
    }

    /// <summary>The call that a generated deserializer makes.</summary>
    /// <exception cref="Core.RpcException">INTERNAL: the payload is malformed.</exception>
    public static BoxedMessage<T> Read(Marshaller<T> marshaller, Core.DeserializationContext context)
    {
        BoxedMessage<T> boxed;
        try
        {
            boxed = new(marshaller, marshaller.Read(context.PayloadAsReadOnlySequence()));
        }
        catch (Exception e)
        {
            throw new Core.RpcException(new(Core.StatusCode.Internal, "malformed message: it cannot be decoded", e));
        }

        if (marshaller.Recycles)
            CallMessageOwner.Keep(boxed);
        return boxed;
    }
}

/// <summary>A request of a unary call. The caller owns it again when the call has ended, but grpc-dotnet may serialize it later than that
/// when the call is cancelled, and again when the peer refused the stream. After the end of the call, serialization fails instead of using
/// the message.</summary>
sealed class BoxedRequest<T>(Marshaller<T> marshaller, T message, Action retried) : BoxedMessage<T>(marshaller, message)
{
    readonly Lock writing = new();
    bool written;
    bool ended;

    public override void Write(Core.SerializationContext context)
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

    /// <summary>After this call the message is not used any more.</summary>
    public void End()
    {
        lock (writing)
            ended = true;
    }
}

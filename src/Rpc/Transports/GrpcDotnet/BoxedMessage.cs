using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using Core = Grpc.Core;

namespace ProtoBench.Rpc.Transports.GrpcDotnet;

/// <summary>A message as it travels through grpc-dotnet, which takes classes only: some of ours are structs.</summary>
abstract class BoxedMessage
{
    /// <summary>Ends the message's life.</summary>
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

/// <summary>A request of a unary call. It is the caller's again as soon as the call has ended, but grpc-dotnet serializes it on a thread of its own,
/// late when the call is cancelled, and again when the peer refused the stream.</summary>
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

    /// <summary>From here on nobody touches the message.</summary>
    public void End()
    {
        lock (writing)
            ended = true;
    }
}

using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>Encodes a message with its prefix, for a client to send.</summary>
static class MessageFrame
{
    /// <summary>Encodes one message. The caller disposes the buffer.</summary>
    /// <param name="marshaller">The message's marshaller.</param>
    /// <param name="message">The message, which is not used after this method has returned.</param>
    /// <param name="limit">The largest message in bytes, without the prefix.</param>
    /// <exception cref="RpcException">RESOURCE_EXHAUSTED: the message is larger than the limit. INTERNAL: it wrote another number of bytes
    /// than it measured.</exception>
    public static PayloadBuffer Encode<T>(Marshaller<T> marshaller, T message, int limit)
    {
        var size = marshaller.Measure(message);
        if (size > limit)
            throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {size} bytes is larger than the limit of {limit}");
        var buffer = PayloadBuffer.Rent(FramePrefix.Size + size);
        try
        {
            FramePrefix.Write(buffer.GetSpan(FramePrefix.Size), size);
            buffer.Advance(FramePrefix.Size);
            marshaller.Write(message, size, buffer);
            return buffer.Written == FramePrefix.Size + size
                ? buffer
                : throw new RpcException(RpcStatus.Internal,
                    $"a message measured {size} bytes and wrote {buffer.Written - FramePrefix.Size}");
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }
}

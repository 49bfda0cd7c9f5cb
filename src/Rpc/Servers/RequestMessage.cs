using System.Buffers;
using System.IO.Pipelines;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Servers;

/// <summary>Decodes a complete message from the body of a request on Kestrel.</summary>
static class RequestMessage
{
    /// <summary>Reads the message and advances the body past it. The caller releases the message.</summary>
    /// <param name="body">The request's body.</param>
    /// <param name="payload">The message's bytes.</param>
    /// <param name="end">The position after the message.</param>
    /// <param name="marshaller">The message's marshaller.</param>
    /// <exception cref="RpcException">INTERNAL: the bytes are not a valid
    /// message. CANCELLED: the caller has cancelled the call.</exception>
    public static Received<T> Take<T>(PipeReader body, in ReadOnlySequence<byte> payload, SequencePosition end, Marshaller<T> marshaller)
    {
        var message = Decode(marshaller, payload);
        try
        {
            body.AdvanceTo(end);
            return new(true, message);
        }
        catch (Exception e)
        {
            marshaller.Release(message);
            // a reset that has arrived meanwhile is thrown here: about 1 in 50 calls that are cancelled at once
            throw e is IOException ? new RpcException(RpcStatus.Cancelled, "cancelled by the caller", e) : e;
        }
    }

    static T Decode<T>(Marshaller<T> marshaller, in ReadOnlySequence<byte> payload)
    {
        try
        {
            return marshaller.Read(payload);
        }
        catch (Exception e)
        {
            throw new RpcException(RpcStatus.Internal, "malformed message: the request cannot be decoded", e);
        }
    }
}

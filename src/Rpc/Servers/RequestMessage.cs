using System.Buffers;
using System.IO.Pipelines;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Servers;

/// <summary>Takes a message that has arrived whole out of a request's body on Kestrel.</summary>
static class RequestMessage
{
    /// <summary>Reads the message, which the caller releases, and lets go of its bytes.</summary>
    /// <param name="body">The request's body.</param>
    /// <param name="payload">The message's bytes.</param>
    /// <param name="end">Where they end.</param>
    /// <param name="marshaller">How they become a message.</param>
    /// <exception cref="RpcException">INTERNAL: they are no such message. CANCELLED: the caller gave up meanwhile.</exception>
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

using System.Buffers;
using System.Runtime.CompilerServices;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Clients;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>Reads messages from the body of a reply. Trailers are available after it has read the end. Not thread-safe.</summary>
sealed class MessageReader(HttpResponseMessage reply, int limit) : IDisposable
{
    // a frame of HTTP/2 holds at most 16 KiB by default, and small replies are the common case
    const int firstBytes = 4096;

    readonly Stream body = reply.Content.ReadAsStream();
    PayloadBuffer buffer = PayloadBuffer.Rent(firstBytes);
    int start;

    /// <summary>The next message, which the caller releases, or the end.</summary>
    /// <exception cref="RpcException">The peer broke the protocol or said why it ended in the middle.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller, CancellationToken cancellationToken)
    {
        if (!await FillAsync(FramePrefix.Size, cancellationToken))
            return default;

        var length = FramePrefix.Read(Unread.Span, limit, out var compressed);
        if (compressed)
            throw FramePrefix.Compressed(ReplyStatus.Find(reply.Headers, "grpc-encoding"));
        await FillAsync(FramePrefix.Size + length, cancellationToken);
        var message = Decode(marshaller, new(Unread.Slice(FramePrefix.Size, length)));
        start += FramePrefix.Size + length;
        return new(true, message);
    }

    public void Dispose() => buffer.Dispose();

    ReadOnlyMemory<byte> Unread => buffer.WrittenMemory[start..];

    /// <summary>Reads until so many bytes are there. False when the body ended before the first of them.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    async ValueTask<bool> FillAsync(int bytes, CancellationToken cancellationToken)
    {
        while (Unread.Length < bytes)
        {
            MakeRoom(bytes);
            var read = await body.ReadAsync(buffer.Free, cancellationToken);
            buffer.Advance(read);
            if (read > 0)
                continue;
            if (Unread.IsEmpty && bytes == FramePrefix.Size)
                return false;
            // a peer that fails in the middle of a message says why in the trailers
            ReplyStatus.ThrowUnlessOk(reply, null);
            throw new RpcException(RpcStatus.Internal, "malformed message: the reply ends in the middle of it");
        }

        return true;
    }

    void MakeRoom(int bytes)
    {
        if (start == buffer.Written)
        {
            buffer.Clear();
            start = 0;
        }

        if (buffer.Free.Length >= bytes - Unread.Length)
            return;
        var larger = PayloadBuffer.Rent(Math.Max(bytes, firstBytes));
        larger.Write(Unread.Span);
        buffer.Dispose();
        buffer = larger;
        start = 0;
    }

    static T Decode<T>(Marshaller<T> marshaller, in ReadOnlySequence<byte> payload)
    {
        try
        {
            return marshaller.Read(payload);
        }
        catch (Exception e)
        {
            throw new RpcException(RpcStatus.Internal, "malformed message: the reply cannot be decoded", e);
        }
    }
}

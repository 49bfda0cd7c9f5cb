using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;

namespace ProtoBench.Rpc.Sockets;

/// <summary>One connection, as both sides see it: frames of many calls in any order. Any number of writers, who take turns; one reader.</summary>
sealed class SocketLink(Socket socket, Stream stream, RpcLimits limits) : IDisposable
{
    // A message of 64 KiB leaves and arrives in one piece.
    const int bufferSize = 128 * 1024;

    readonly PipeReader reader = PipeReader.Create(stream, new(bufferSize: bufferSize, minimumReadSize: bufferSize / 2));
    readonly PipeWriter writer = PipeWriter.Create(stream, new(minimumBufferSize: bufferSize));
    readonly SemaphoreSlim turn = new(1, 1);
    volatile bool closed;

    /// <summary>Not closed by this side, and nothing was in vain so far. The peer may be gone all the same.</summary>
    public bool IsOpen => !closed;

    /// <summary>Reads frames to the end of the connection. Each is handed on at once and is dead when <paramref name="handle"/> has ended.</summary>
    /// <exception cref="RpcException">The peer does not keep to the protocol.</exception>
    public async Task ReadAsync(Func<SocketFrame, ValueTask> handle)
    {
        while (true)
        {
            var result = await reader.ReadAsync();
            var buffer = result.Buffer;
            while (SocketFrame.TryRead(ref buffer, limits.MaxReceiveBytes, out var frame))
                await handle(frame);
            if (result.IsCompleted)
            {
                if (!buffer.IsEmpty)
                    throw new RpcException(RpcStatus.Unavailable, "the connection ended in the middle of a frame");
                return;
            }

            reader.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    /// <summary>Sends a message of a call.</summary>
    /// <param name="call">The call's number.</param>
    /// <param name="kind">Request or response.</param>
    /// <param name="path">A request's method in UTF-8, at most 255 bytes; null for a response.</param>
    /// <param name="marshaller">How the message becomes bytes.</param>
    /// <param name="message">The message; not touched after the task has ended.</param>
    public async Task WriteAsync<T>(uint call, SocketFrameKind kind, byte[]? path, Marshaller<T> marshaller, T message)
    {
        await turn.WaitAsync();
        try
        {
            WriteFrame(call, kind, path, marshaller, message);
            await FlushAsync();
        }
        finally
        {
            turn.Release();
        }
    }

    /// <summary>Sends the status of a call that failed.</summary>
    public async Task FailAsync(uint call, RpcStatus status, string text)
    {
        var bytes = Encoding.UTF8.GetBytes(text.Length > 60 ? text[..60] : text); // never more than a frame may have beside its message
        await turn.WaitAsync();
        try
        {
            var room = writer.GetSpan(SocketFrame.HeadSize + 1 + bytes.Length);
            SocketFrame.WriteHead(room, call, SocketFrameKind.Failure, 1 + bytes.Length);
            room[SocketFrame.HeadSize] = (byte)status;
            bytes.CopyTo(room[(SocketFrame.HeadSize + 1)..]);
            writer.Advance(SocketFrame.HeadSize + 1 + bytes.Length);
            await FlushAsync();
        }
        finally
        {
            turn.Release();
        }
    }

    /// <summary>Closes the connection; whoever reads or writes fails.</summary>
    public void Dispose()
    {
        closed = true;
        socket.Dispose();
    }

    async ValueTask FlushAsync()
    {
        try
        {
            await writer.FlushAsync();
        }
        catch
        {
            Dispose(); // what was not sent is still in the buffer: nothing can follow it
            throw;
        }
    }

    void WriteFrame<T>(uint call, SocketFrameKind kind, byte[]? path, Marshaller<T> marshaller, T message)
    {
        if (!IsOpen)
            throw new RpcException(RpcStatus.Unavailable, "the connection was lost while an earlier message was sent");
        var size = marshaller.Measure(message);
        if (size > limits.MaxSendBytes)
            throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");
        var beside = path is null ? 0 : 1 + path.Length;
        var room = writer.GetSpan(SocketFrame.HeadSize + beside + size);
        SocketFrame.WriteHead(room, call, kind, beside + size);
        if (path is not null)
        {
            room[SocketFrame.HeadSize] = (byte)path.Length;
            path.CopyTo(room[(SocketFrame.HeadSize + 1)..]);
        }

        writer.Advance(SocketFrame.HeadSize + beside);
        try
        {
            marshaller.Write(message, size, writer);
            if (writer.UnflushedBytes != SocketFrame.HeadSize + beside + size)
                throw new RpcException(RpcStatus.Internal, $"a message measured {size} bytes and wrote {writer.UnflushedBytes - SocketFrame.HeadSize - beside}");
        }
        catch
        {
            Dispose(); // half a frame is in the buffer: nothing can follow it
            throw;
        }
    }
}

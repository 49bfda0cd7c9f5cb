using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;
using Grpc.Core;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>Represents a connection on either side, with frames of many calls in any order. Any number of writers take turns, and there is
/// one reader.</summary>
/// <param name="socket">The connection, which this owns.</param>
/// <param name="stream">The stream to read and write, with TLS if it is used. This object owns it too.</param>
/// <param name="limits">The limits of what is accepted.</param>
/// <param name="budget">Limits the messages that have arrived in part; null for no limit.</param>
sealed class SocketLink(Socket socket, Stream stream, RpcLimits limits, PartialBudget? budget = null) : IAsyncDisposable
{
    // a message of 64 KiB is sent and received in one piece
    const int bufferSize = 128 * 1024;

    readonly PipeReader reader = PipeReader.Create(stream, new(bufferSize: bufferSize, minimumReadSize: bufferSize / 2, leaveOpen: true));
    readonly PipeWriter writer = PipeWriter.Create(stream, new(minimumBufferSize: bufferSize, leaveOpen: true));
    readonly SemaphoreSlim turn = new(1, 1);
    volatile bool closed;

    /// <summary>Gets whether this side has not closed the connection and no write has failed. The peer may have disconnected.</summary>
    public bool IsOpen => !closed;

    /// <summary>Reads frames to the end of the connection. Each frame is valid until <paramref name="handle"/> has returned.</summary>
    /// <exception cref="RpcException">Thrown when the peer violates the protocol.</exception>
    public async Task ReadAsync(Action<SocketFrame> handle)
    {
        using var frames = new SocketFrameReader(limits.MaxReceiveBytes, budget, Close);
        while (true)
        {
            var result = await reader.ReadAsync();
            var buffer = result.Buffer;
            while (frames.TryRead(ref buffer, out var frame))
                handle(frame);
            if (result.IsCompleted)
            {
                if (!buffer.IsEmpty)
                    throw RpcFailure.Of(StatusCode.Unavailable, "the connection ended in the middle of a frame");
                return;
            }

            reader.AdvanceTo(buffer.Start, buffer.End);
        }
    }

    /// <summary>Acquires the right to write one frame, if it is free. Writing the frame releases it.</summary>
    public bool TryTakeTurn() => turn.Wait(0, CancellationToken.None);

    /// <summary>Waits for the right to write one frame.</summary>
    public Task TakeTurnAsync(CancellationToken cancellationToken) => turn.WaitAsync(cancellationToken);

    /// <summary>Releases the right to write without writing.</summary>
    public void GiveTurnBack() => turn.Release();

    /// <summary>Sends a message of a call. The caller must have the right to write.</summary>
    /// <param name="call">The call's number.</param>
    /// <param name="kind">Request or response.</param>
    /// <param name="path">A request's method in UTF-8, at most 255 bytes; null for a response.</param>
    /// <param name="marshaller">The marshaller of the message.</param>
    /// <param name="message">The message. It is not used after the method has returned its task.</param>
    /// <exception cref="RpcException">Thrown when the message cannot be sent. If <see cref="IsOpen"/> is still true, no byte of it was
    /// sent.</exception>
    public async Task WriteAsync<T>(uint call, SocketFrameKind kind, byte[]? path, Marshaller<T> marshaller, T message)
    {
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
    public Task FailAsync(uint call, StatusCode status, string text)
    {
        var body = new byte[SocketFrame.MostBeside];
        body[0] = (byte)status;
        Encoding.UTF8.GetEncoder().Convert(text, body.AsSpan(1), flush: true, out _, out var bytes, out _);
        return WriteSmallAsync(call, SocketFrameKind.Failure, body.AsMemory(0, 1 + bytes));
    }

    /// <summary>Tells the server that a call is cancelled.</summary>
    public Task CancelAsync(uint call) => WriteSmallAsync(call, SocketFrameKind.Cancel, default);

    /// <summary>Ends the sending. The peer reads what was sent, and then the end of the stream.</summary>
    public void EndSending()
    {
        try
        {
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // the connection is lost, so the peer has read its end
        }
    }

    /// <summary>Closes the connection; reads and writes in progress fail.</summary>
    public void Close()
    {
        closed = true;
        socket.Dispose();
    }

    /// <summary>Closes the connection. Returns its buffers when the reader has ended and the last writer has failed.</summary>
    public async ValueTask DisposeAsync()
    {
        Close();
        await turn.WaitAsync();
        await reader.CompleteAsync();
        await writer.CompleteAsync(new ObjectDisposedException(nameof(SocketLink)));
        await stream.DisposeAsync();
        turn.Release();
    }

    async Task WriteSmallAsync(uint call, SocketFrameKind kind, ReadOnlyMemory<byte> body)
    {
        await turn.WaitAsync();
        try
        {
            ThrowIfClosed();
            var room = writer.GetSpan(SocketFrame.HeadSize + body.Length);
            SocketFrame.WriteHead(room, call, kind, body.Length);
            body.Span.CopyTo(room[SocketFrame.HeadSize..]);
            writer.Advance(SocketFrame.HeadSize + body.Length);
            await FlushAsync();
        }
        finally
        {
            turn.Release();
        }
    }

    async ValueTask FlushAsync()
    {
        try
        {
            await writer.FlushAsync();
        }
        catch
        {
            Close(); // the unsent part stays in the buffer, so no other frame can follow
            throw;
        }
    }

    void ThrowIfClosed()
    {
        if (!IsOpen)
            throw RpcFailure.Of(StatusCode.Unavailable, "the connection was lost while an earlier message was sent");
    }

    void WriteFrame<T>(uint call, SocketFrameKind kind, byte[]? path, Marshaller<T> marshaller, T message)
    {
        ThrowIfClosed();
        var size = marshaller.Measure(message);
        if (size > limits.MaxSendBytes)
            throw RpcFailure.Of(StatusCode.ResourceExhausted,
                $"a message of {size} bytes is larger than the limit of {limits.MaxSendBytes}");
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
            {
                var wrote = writer.UnflushedBytes - SocketFrame.HeadSize - beside;
                throw RpcFailure.Of(StatusCode.Internal, $"a message measured {size} bytes and wrote {wrote}");
            }
        }
        catch
        {
            Close(); // a partial frame is in the buffer, so no other frame can follow
            throw;
        }
    }
}

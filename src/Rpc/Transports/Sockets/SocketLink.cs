using System.Buffers;
using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.Sockets;
using System.Text;

namespace ProtoBench.Rpc;

/// <summary>Frames of many calls in any order. Writers take turns, and there is one reader. It owns socket and stream.</summary>
/// <param name="budget">Limits the messages that have arrived in part; null for no limit.</param>
sealed class SocketLink(Socket socket, Stream stream, RpcLimits limits, PartialBudget? budget = null) : IAsyncDisposable
{
    // a message of 64 KiB is sent and received in one piece
    const int bufferSize = 128 * 1024;

    readonly PipeReader reader = PipeReader.Create(stream, new(bufferSize: bufferSize, minimumReadSize: bufferSize / 2, leaveOpen: true));
    readonly PipeWriter writer = PipeWriter.Create(stream, new(minimumBufferSize: bufferSize, leaveOpen: true));
    readonly SemaphoreSlim turn = new(1, 1);
    volatile bool closed;

    /// <summary>Whether this side has not closed the connection and no write has failed. The peer may have disconnected.</summary>
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

    /// <summary>Waits for the right to write one frame. <see cref="WriteAsync"/> gives it back.</summary>
    public Task TakeTurnAsync(CancellationToken cancellationToken) => turn.WaitAsync(cancellationToken);

    /// <summary>Sends a message of a call. The caller must have the right to write.</summary>
    /// <param name="path">A request's method (<see cref="SocketFrame.Encode"/>); empty for a response.</param>
    /// <param name="message">The message. It is not used after the method has returned its task.</param>
    /// <exception cref="RpcException">If <see cref="IsOpen"/> is still true, no byte of the message was sent.</exception>
    public async Task WriteAsync<T>(uint call, SocketFrameKind kind, byte[] path, Marshaller<T> marshaller, T message)
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

    /// <summary>Sends a frame without a message. Does nothing if the connection is lost.</summary>
    public async Task TrySendAsync(uint call, SocketFrameKind kind, ReadOnlyMemory<byte> body)
    {
        await turn.WaitAsync();
        try
        {
            ThrowIfClosed();
            WriteHead(call, kind, body.Span, 0);
            await FlushAsync();
        }
        catch (Exception)
        {
            // the peer has disconnected, which ends the call
        }
        finally
        {
            turn.Release();
        }
    }

    public Task TryFailAsync(uint call, StatusCode status, string text)
    {
        var body = new byte[SocketFrame.MostBeside];
        body[0] = (byte)status;
        Encoding.UTF8.GetEncoder().Convert(text, body.AsSpan(1), flush: true, out _, out var bytes, out _);
        return TrySendAsync(call, SocketFrameKind.Failure, body.AsMemory(0, 1 + bytes));
    }

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

    void WriteHead(uint call, SocketFrameKind kind, ReadOnlySpan<byte> beside, int size)
    {
        var head = SocketFrame.HeadSize + beside.Length;
        var room = writer.GetSpan(head + size);
        SocketFrame.WriteHead(room, call, kind, beside.Length + size);
        beside.CopyTo(room[SocketFrame.HeadSize..]);
        writer.Advance(head);
    }

    void WriteFrame<T>(uint call, SocketFrameKind kind, ReadOnlySpan<byte> path, Marshaller<T> marshaller, T message)
    {
        ThrowIfClosed();
        var size = marshaller.Measure(message);
        WriteHead(call, kind, path, size);
        try
        {
            marshaller.Write(message, size, writer);
            var wrote = writer.UnflushedBytes - SocketFrame.HeadSize - path.Length;
            if (wrote != size)
                throw RpcFailure.Of(StatusCode.Internal, $"a message measured {size} bytes and wrote {wrote}");
        }
        catch
        {
            Close(); // a partial frame is in the buffer, so no other frame can follow
            throw;
        }
    }
}

enum SocketFrameKind : byte
{
    /// <summary>A byte with the path's length, the path, the message.</summary>
    Request = 1,

    /// <summary>The message.</summary>
    Response = 2,

    /// <summary>A byte with the status, its text in UTF-8.</summary>
    Failure = 3,

    /// <summary>Empty: the caller cancels the call.</summary>
    Cancel = 4,
}

/// <summary>A frame: the length of the rest (4 bytes, little-endian), the call's number (4), the kind (1), and the body.</summary>
/// <param name="Body">The body in the connection's buffer, valid until the next read. Empty if the message is refused.</param>
/// <param name="Refusal">Why the message was refused; null if it was not.</param>
readonly record struct SocketFrame(uint Call, SocketFrameKind Kind, ReadOnlySequence<byte> Body, RpcException? Refusal = null)
{
    public const int HeadSize = LengthSize + AfterLength;

    /// <summary>The size of the length itself.</summary>
    public const int LengthSize = sizeof(uint);

    /// <summary>The size of call number and kind, which the length includes.</summary>
    public const int AfterLength = sizeof(uint) + sizeof(byte);

    /// <summary>The largest part of a body that is not a message: a path, or a status with its text.</summary>
    public const int MostBeside = 1 + byte.MaxValue;

    public static void WriteHead(Span<byte> head, uint call, SocketFrameKind kind, int body)
    {
        BinaryPrimitives.WriteInt32LittleEndian(head, AfterLength + body);
        BinaryPrimitives.WriteUInt32LittleEndian(head[LengthSize..], call);
        head[HeadSize - 1] = (byte)kind;
    }

    /// <summary>A method's path as a request has it: its length and its bytes.</summary>
    public static byte[] Encode(string path)
    {
        var bytes = Encoding.UTF8.GetBytes(path);
        return bytes.Length <= byte.MaxValue ? [(byte)bytes.Length, .. bytes]
            : throw RpcFailure.Of(StatusCode.InvalidArgument, "a method's path has at most 255 bytes");
    }

    public RpcException ToFailure()
    {
        var reader = new SequenceReader<byte>(Body);
        return reader.TryRead(out var status) && status != 0 && Enum.IsDefined((StatusCode)status)
            ? RpcFailure.Of((StatusCode)status, Encoding.UTF8.GetString(reader.UnreadSequence))
            : RpcFailure.Of(StatusCode.Internal, "the host sent a failure without a status");
    }
}

/// <summary>A message that exceeds the limit is skipped and ends its own call only. Not thread-safe.</summary>
/// <param name="budget">Limits the messages that have arrived in part; null for no limit.</param>
/// <param name="close">Closes the connection when the rest of a message has not arrived in time.</param>
sealed class SocketFrameReader(int limit, PartialBudget? budget = null, Action? close = null) : IPartialHolder, IDisposable
{
    long toSkip;
    long held;

    /// <summary>Reads the next frame from <paramref name="buffer"/>; false if it is not complete.</summary>
    /// <exception cref="RpcException">Thrown with INTERNAL when the bytes are not a valid frame.</exception>
    public bool TryRead(ref ReadOnlySequence<byte> buffer, out SocketFrame frame)
    {
        frame = default;
        if (!Skip(ref buffer) || buffer.Length < SocketFrame.HeadSize)
            return false;
        Span<byte> head = stackalloc byte[SocketFrame.HeadSize + 1];
        var there = (int)Math.Min(buffer.Length, head.Length);
        buffer.Slice(0, there).CopyTo(head);
        var length = BinaryPrimitives.ReadUInt32LittleEndian(head);
        var call = BinaryPrimitives.ReadUInt32LittleEndian(head[SocketFrame.LengthSize..]);
        var kind = (SocketFrameKind)head[SocketFrame.HeadSize - 1];
        var body = length - (long)SocketFrame.AfterLength;
        if (!IsFrame(kind, body))
            throw RpcFailure.Of(StatusCode.Internal, "what arrives is not a frame of the socket RPC");
        if (kind == SocketFrameKind.Request && there < head.Length)
            return false;
        var beside = kind switch
        {
            SocketFrameKind.Request => 1 + head[SocketFrame.HeadSize],
            SocketFrameKind.Failure => body,
            _ => 0,
        };
        if (beside > body)
            throw RpcFailure.Of(StatusCode.Internal, "a request's path is longer than its frame");

        var whole = SocketFrame.HeadSize + body;
        var refusal = body - beside > limit
            ? RpcFailure.Of(StatusCode.ResourceExhausted, $"a message of {body - beside} bytes is larger than the limit of {limit}")
            : Hold(buffer.Length < whole ? Math.Max(0, buffer.Length - SocketFrame.HeadSize - beside) : 0);
        if (refusal is not null)
        {
            Hold(0);
            frame = new(call, kind, default, refusal);
            toSkip = whole;
            Skip(ref buffer);
            return true;
        }

        if (buffer.Length < whole)
            return false;
        frame = new(call, kind, buffer.Slice(SocketFrame.HeadSize, body));
        buffer = buffer.Slice(whole);
        return true;
    }

    public void Expire() => close?.Invoke();

    public void Dispose() => Hold(0);

    static bool IsFrame(SocketFrameKind kind, long body) => body <= int.MaxValue && kind switch
    {
        SocketFrameKind.Request => body > 0,
        SocketFrameKind.Response => body >= 0,
        SocketFrameKind.Failure => body is > 0 and <= SocketFrame.MostBeside,
        SocketFrameKind.Cancel => body == 0,
        _ => false,
    };

    /// <summary>Skips the rest of a refused frame. Returns false when a part of it has not arrived yet.</summary>
    bool Skip(ref ReadOnlySequence<byte> buffer)
    {
        var skipped = Math.Min(toSkip, buffer.Length);
        buffer = buffer.Slice(skipped);
        toSkip -= skipped;
        return toSkip == 0;
    }

    RpcException? Hold(long bytes)
    {
        try
        {
            if (bytes != held)
                budget?.Change(this, held, bytes);
            held = bytes;
            return null;
        }
        catch (RpcException e)
        {
            return e;
        }
    }
}

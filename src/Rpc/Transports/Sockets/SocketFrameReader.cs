using System.Buffers;
using System.Buffers.Binary;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>Reads frames from the bytes of a connection. A message above a limit is skipped: it ends its own call only.
/// Not thread-safe.</summary>
/// <param name="limit">The largest message in bytes.</param>
/// <param name="budget">Bounds the messages that have arrived in part; null for no bound.</param>
sealed class SocketFrameReader(int limit, PartialBudget? budget) : IDisposable
{
    long toSkip;
    long held;

    /// <summary>Reads the next frame from <paramref name="buffer"/>; false if it is not complete.</summary>
    /// <exception cref="RpcException">INTERNAL: the bytes are not a valid frame.</exception>
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
            throw new RpcException(RpcStatus.Internal, "what arrives is not a frame of the socket RPC");
        if (kind == SocketFrameKind.Request && there < head.Length)
            return false;
        var beside = kind switch
        {
            SocketFrameKind.Request => 1 + head[SocketFrame.HeadSize],
            SocketFrameKind.Failure => body,
            _ => 0,
        };
        if (beside > body)
            throw new RpcException(RpcStatus.Internal, "a request's path is longer than its frame");

        var refusal = body - beside > limit
            ? new RpcException(RpcStatus.ResourceExhausted, $"a message of {body - beside} bytes is larger than the limit of {limit}")
            : Hold(buffer.Length < SocketFrame.HeadSize + body ? Math.Max(0, buffer.Length - SocketFrame.HeadSize - beside) : 0);
        if (refusal is not null)
        {
            Hold(0);
            frame = new(call, kind, default, refusal);
            toSkip = SocketFrame.HeadSize + body;
            Skip(ref buffer);
            return true;
        }

        if (buffer.Length < SocketFrame.HeadSize + body)
            return false;
        frame = new(call, kind, buffer.Slice(SocketFrame.HeadSize, body));
        buffer = buffer.Slice(SocketFrame.HeadSize + body);
        return true;
    }

    /// <summary>Nothing more will arrive.</summary>
    public void Dispose() => Hold(0);

    static bool IsFrame(SocketFrameKind kind, long body) => body <= int.MaxValue && kind switch
    {
        SocketFrameKind.Request => body > 0,
        SocketFrameKind.Response => body >= 0,
        SocketFrameKind.Failure => body is > 0 and <= SocketFrame.MostBeside,
        SocketFrameKind.Cancel => body == 0,
        _ => false,
    };

    /// <summary>Steps over what is left of a refused frame; false where more of it is to come.</summary>
    bool Skip(ref ReadOnlySequence<byte> buffer)
    {
        var skipped = Math.Min(toSkip, buffer.Length);
        buffer = buffer.Slice(skipped);
        toSkip -= skipped;
        return toSkip == 0;
    }

    RpcException? Hold(long bytes)
    {
        if (bytes == held)
            return null;
        try
        {
            budget?.Change(held, bytes);
            held = bytes;
            return null;
        }
        catch (RpcException e)
        {
            return e;
        }
    }
}

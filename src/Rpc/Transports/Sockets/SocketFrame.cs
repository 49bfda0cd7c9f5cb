using System.Buffers;
using System.Buffers.Binary;
using Grpc.Core;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>Specifies the kind of a frame of the socket protocol.</summary>
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

/// <summary>Represents a frame: the length of the rest (4 bytes, little-endian), the call's number (4), the kind (1), and the
/// body.</summary>
/// <param name="Call">The call's number.</param>
/// <param name="Kind">The kind of the body.</param>
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
}

/// <summary>Reads frames from the bytes of a connection. A message that exceeds the limit is skipped and ends its own call only. Not
/// thread-safe.</summary>
/// <param name="limit">The largest message in bytes.</param>
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

        var refusal = body - beside > limit
            ? RpcFailure.Of(StatusCode.ResourceExhausted, $"a message of {body - beside} bytes is larger than the limit of {limit}")
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

    /// <inheritdoc/>
    public void Expire() => close?.Invoke();

    /// <summary>Returns the bytes of the connection to the budget at its end.</summary>
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
        if (bytes == held)
            return null;
        try
        {
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

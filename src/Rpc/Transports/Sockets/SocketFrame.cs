using System.Buffers;
using System.Buffers.Binary;
using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>The kind of a frame of the socket protocol.</summary>
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
/// <param name="Call">The call's number.</param>
/// <param name="Kind">The kind of the body.</param>
/// <param name="Body">In the connection's buffer, valid until the next read. Empty if the message is refused.</param>
/// <param name="Refusal">Why the message was refused; null if it was not.</param>
readonly record struct SocketFrame(uint Call, SocketFrameKind Kind, ReadOnlySequence<byte> Body, RpcException? Refusal = null)
{
    public const int HeadSize = LengthSize + AfterLength;

    /// <summary>The length itself.</summary>
    public const int LengthSize = sizeof(uint);

    /// <summary>The part of the length that is not the body.</summary>
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

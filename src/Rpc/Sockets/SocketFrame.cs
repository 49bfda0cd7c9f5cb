using System.Buffers;
using System.Buffers.Binary;

namespace ProtoBench.Rpc.Sockets;

/// <summary>What a frame of the socket RPC holds.</summary>
enum SocketFrameKind : byte
{
    /// <summary>A byte with the path's length, the path, the message.</summary>
    Request = 1,

    /// <summary>The message.</summary>
    Response = 2,

    /// <summary>A byte with the status, its text in UTF-8.</summary>
    Failure = 3,
}

/// <summary>A frame: the length of what follows (4 bytes, little-endian), the call's number (4), the kind (1), the body. Its body lies in the connection's buffer and is valid until the next read.</summary>
readonly record struct SocketFrame(uint Call, SocketFrameKind Kind, ReadOnlySequence<byte> Body)
{
    public const int HeadSize = lengthSize + afterLength;

    /// <summary>The most that a frame has beside its message: a path, or a text.</summary>
    public const int MostBeside = 1 + byte.MaxValue;

    const int lengthSize = sizeof(uint);
    const int afterLength = sizeof(uint) + sizeof(byte);

    public static void WriteHead(Span<byte> head, uint call, SocketFrameKind kind, int body)
    {
        BinaryPrimitives.WriteInt32LittleEndian(head, afterLength + body);
        BinaryPrimitives.WriteUInt32LittleEndian(head[lengthSize..], call);
        head[HeadSize - 1] = (byte)kind;
    }

    /// <summary>Takes the next frame off <paramref name="buffer"/>; false where it has not arrived as a whole.</summary>
    /// <exception cref="RpcException">INTERNAL: this is no frame. RESOURCE_EXHAUSTED: it is larger than the limit, and nothing of it is read.</exception>
    public static bool TryRead(ref ReadOnlySequence<byte> buffer, int limit, out SocketFrame frame)
    {
        frame = default;
        if (buffer.Length < HeadSize)
            return false;
        Span<byte> head = stackalloc byte[HeadSize];
        buffer.Slice(0, HeadSize).CopyTo(head);
        var length = BinaryPrimitives.ReadUInt32LittleEndian(head);
        var kind = (SocketFrameKind)head[HeadSize - 1];
        if (length < afterLength || kind is < SocketFrameKind.Request or > SocketFrameKind.Failure)
            throw new RpcException(RpcStatus.Internal, "what arrives is not a frame of the socket RPC");
        if (length - afterLength > (uint)limit + MostBeside)
            throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {length} bytes is larger than the limit of {limit}");
        if (buffer.Length < lengthSize + length)
            return false;
        frame = new(BinaryPrimitives.ReadUInt32LittleEndian(head[lengthSize..]), kind, buffer.Slice(HeadSize, length - afterLength));
        buffer = buffer.Slice(lengthSize + length);
        return true;
    }
}

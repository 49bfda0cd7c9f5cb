using System.Buffers;
using System.Buffers.Binary;
using ProtoBench.Rpc.Calls;

namespace ProtoBench.Rpc.Transports.BuiltIn;

/// <summary>The five bytes before every gRPC message: a compressed flag and
/// a big-endian length (grpc/grpc, doc/PROTOCOL-HTTP2.md).</summary>
static class FramePrefix
{
    public const int Size = 5;

    // whatever the limit: an array has to hold the message, its prefix and some slack
    static readonly int largest = Array.MaxLength - 1024;

    public static void Write(Span<byte> target, int length)
    {
        target[0] = 0;
        BinaryPrimitives.WriteInt32BigEndian(target[1..], length);
    }

    /// <summary>The length that a prefix announces.</summary>
    /// <param name="prefix">The first bytes of the message, at least five.</param>
    /// <param name="limit">The largest message that is accepted.</param>
    /// <param name="compressed">The message is flagged as compressed: an error, and <see cref="Compressed"/> says which.</param>
    /// <exception cref="RpcException">INTERNAL for a malformed flag, RESOURCE_EXHAUSTED for a message that is too large.</exception>
    public static int Read(in ReadOnlySequence<byte> prefix, int limit, out bool compressed)
    {
        Span<byte> bytes = stackalloc byte[Size];
        prefix.Slice(0, Size).CopyTo(bytes);
        return Read(bytes, limit, out compressed);
    }

    /// <inheritdoc cref="Read(in ReadOnlySequence{byte}, int, out bool)"/>
    public static int Read(ReadOnlySpan<byte> prefix, int limit, out bool compressed)
    {
        compressed = prefix[0] == 1;
        if (prefix[0] > 1)
            throw new RpcException(RpcStatus.Internal, "malformed message: the compressed flag is neither 0 nor 1");
        var length = BinaryPrimitives.ReadUInt32BigEndian(prefix[1..]);
        limit = Math.Min(limit, largest);
        if (length > (uint)limit)
            throw new RpcException(RpcStatus.ResourceExhausted, $"a message of {length} bytes is larger than the limit of {limit}");
        return (int)length;
    }

    /// <summary>What a compressed message means, given the value of grpc-encoding or null: this side supports identity only.</summary>
    public static RpcException Compressed(string? encoding) => encoding is null or "" or "identity"
        ? new(RpcStatus.Internal, "a message is flagged as compressed, but no grpc-encoding says how")
        : new(RpcStatus.Unimplemented, "the message is compressed in a way that is not supported; send identity");
}

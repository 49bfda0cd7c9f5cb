using System.IO.Compression;

namespace ProtoBench.GrpcHost;

/// <summary>A gRPC call: its requests, and the received part of its reply. The object is reused.</summary>
class Http2Call
{
    /// <summary>The headers to send. Lists are compared by reference, so calls of one kind use the same list.</summary>
    public IReadOnlyList<(string Name, string Value)> Headers { get; set; } = [];

    /// <summary>Headers that only this call has: a block that changes no table.</summary>
    public ReadOnlyMemory<byte> MoreHeaders { get; set; }

    /// <summary>The message to send, which the caller owns. Of a stream of requests it is the current one.</summary>
    public ReadOnlyMemory<byte> Request { get; set; }

    /// <summary>Whether the requests are compressed, with the encoding that the headers have.</summary>
    public bool IsCompressed { get; set; }

    /// <summary>Whether the requests come from <see cref="TryAdvance"/>, and not from <see cref="Request"/> alone.</summary>
    public bool StreamsRequests { get; set; }

    /// <summary>Whether the stream of requests ends after <see cref="Request"/>.</summary>
    public bool IsLast { get; protected set; }

    /// <summary>Whether the reply may have any number of messages.</summary>
    public bool IsStreaming { get; set; }

    public bool KeepsReply { get; set; }

    /// <summary>When the call fails with DEADLINE_EXCEEDED.</summary>
    public long Deadline { get; set; } = long.MaxValue;

    /// <summary>The name of the status of a failed call; null for success.</summary>
    public string? Failure { get; internal set; }

    public string Message { get; internal set; } = "";

    public long Messages { get; internal set; }

    /// <summary>The number of bytes of these messages, without their prefixes.</summary>
    public long ReplyBytes { get; internal set; }

    /// <summary>The concatenated messages, if they are kept. Valid until the call is reused.</summary>
    public ReadOnlyMemory<byte> Reply => kept.AsMemory(0, (int)(KeepsReply ? ReplyBytes : 0));

    /// <summary>Whether the call has failed, and the server has certainly not processed it: it may be sent again.</summary>
    public bool IsUnprocessed { get; internal set; }

    internal Http2Connection? Connection;
    internal Http2Call? Older;
    internal Http2Call? Newer;
    internal int StreamId;
    internal int Uses;
    internal int Written;
    internal bool IsBlocked;
    internal bool IsClosed;
    internal long SendWindow;
    internal long ReceiveWindow;
    internal bool HasHeaders;
    internal int HttpStatus;
    internal int GrpcStatus;
    internal string? GrpcMessage;
    internal string? Encoding;
    internal bool IsGrpc;
    internal int PrefixBytes;
    internal uint MessageLeft;
    internal bool IsMessageCompressed;
    byte[] kept = [];
    byte[] compressed = [];
    int compressedLength;

    internal int Length => Request.Length + 5;

    /// <summary>Sets <see cref="Request"/> to the next message of the stream, or <see cref="IsLast"/> without one.</summary>
    /// <returns>False if none is due now; <see cref="Http2Connection.Continue"/> asks again.</returns>
    protected internal virtual bool TryAdvance() => false;

    /// <summary>Called after each message of a stream of replies.</summary>
    /// <returns>Whether the call goes on; otherwise the client ends it, and it has succeeded.</returns>
    protected internal virtual bool Received() => true;

    internal void Begin()
    {
        Uses++;
        (IsBlocked, IsClosed, IsLast, IsUnprocessed) = (false, false, !StreamsRequests, false);
        (Failure, Message, Messages, ReplyBytes, StreamId, Written) = (null, "", 0, 0, 0, 0);
        (HasHeaders, HttpStatus, GrpcStatus, GrpcMessage, Encoding, IsGrpc) = (false, 0, Http2Connection.NoStatus, null, null, false);
        (PrefixBytes, MessageLeft, IsMessageCompressed, compressedLength) = (0, 0, false, 0);
        if (StreamsRequests)
            Written = Length;
    }

    /// <summary>Takes a part of a message that is not compressed.</summary>
    internal void Take(ReadOnlySpan<byte> bytes)
    {
        if (KeepsReply)
        {
            if (kept.Length < ReplyBytes + bytes.Length)
                Array.Resize(ref kept, (int)Math.Max(ReplyBytes + MessageLeft, 2L * kept.Length));
            bytes.CopyTo(kept.AsSpan((int)ReplyBytes));
        }

        ReplyBytes += bytes.Length;
    }

    internal void TakeCompressed(ReadOnlySpan<byte> bytes)
    {
        if (compressed.Length < compressedLength + bytes.Length)
            Array.Resize(ref compressed, (int)Math.Max(compressedLength + MessageLeft, 2L * compressed.Length));
        bytes.CopyTo(compressed.AsSpan(compressedLength));
        compressedLength += bytes.Length;
    }

    /// <summary>Decompresses the message whose bytes were taken.</summary>
    /// <returns>False if it is larger than the limit.</returns>
    /// <exception cref="InvalidDataException">Thrown for bytes that the encoding does not have.</exception>
    internal bool TryDecompress(int limit)
    {
        using var source = new MemoryStream(compressed, 0, compressedLength);
        compressedLength = 0;
        using Stream plain = Encoding == "gzip"
            ? new GZipStream(source, CompressionMode.Decompress) : new ZLibStream(source, CompressionMode.Decompress);
        Span<byte> part = stackalloc byte[4096];
        var length = 0L;
        for (int read; (read = plain.Read(part)) > 0;)
        {
            if ((length += read) > limit)
                return false;
            Take(part[..read]);
        }

        return true;
    }
}

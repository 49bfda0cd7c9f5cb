namespace ProtoBench.Buffers;

/// <summary>
/// A stream that no library can open up: bytes live in chunks of 4,096 and are handed out one chunk a call, as a network stream would.
/// A MemoryStream is another case, because a library may take the buffer out of it.
/// </summary>
/// <remarks>Write, then <see cref="Rewind"/> and read; <see cref="Clear"/> empties it
/// and keeps the chunks, so a reused one does not allocate. Not thread-safe.</remarks>
public sealed class ChunkedStream : Stream
{
    /// <summary>Bytes of a chunk.</summary>
    public const int ChunkBytes = 4_096;

    readonly List<byte[]> chunks = [];
    int length;
    int position;

    /// <summary>An empty stream.</summary>
    public ChunkedStream()
    {
    }

    /// <summary>A stream at the start of <paramref name="content"/>.</summary>
    public ChunkedStream(ReadOnlySpan<byte> content)
    {
        Write(content);
        Rewind();
    }

    public override bool CanRead => true;

    public override bool CanWrite => true;

    public override bool CanSeek => false;

    public override long Length => length;

    public override long Position { get => position; set => throw new NotSupportedException(); }

    /// <summary>The next read starts at the first byte again.</summary>
    public ChunkedStream Rewind()
    {
        position = 0;
        return this;
    }

    /// <summary>Empties the stream and keeps its memory.</summary>
    public ChunkedStream Clear()
    {
        length = 0;
        return Rewind();
    }

    public override int Read(Span<byte> buffer)
    {
        var inChunk = position % ChunkBytes;
        var count = Math.Min(Math.Min(buffer.Length, length - position), ChunkBytes - inChunk);
        if (count == 0)
            return 0;
        chunks[position / ChunkBytes].AsSpan(inChunk, count).CopyTo(buffer);
        position += count;
        return count;
    }

    public override int Read(byte[] buffer, int offset, int count) => Read(buffer.AsSpan(offset, count));

    public override int ReadByte() => position < length ? chunks[position / ChunkBytes][position++ % ChunkBytes] : -1;

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        while (!buffer.IsEmpty)
        {
            if (length == chunks.Count * ChunkBytes)
                chunks.Add(new byte[ChunkBytes]);
            var inChunk = length % ChunkBytes;
            var count = Math.Min(buffer.Length, ChunkBytes - inChunk);
            buffer[..count].CopyTo(chunks[length / ChunkBytes].AsSpan(inChunk));
            length += count;
            buffer = buffer[count..];
        }
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void WriteByte(byte value) => Write([value]);

    public override void Flush()
    {
    }

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();
}

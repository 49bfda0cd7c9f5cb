namespace ProtoBench;

/// <summary>A stream whose buffer no library can access, unlike that of a MemoryStream. Each read returns at most one chunk of 4,096 bytes,
/// like a network stream. It is written, and then read after <see cref="Rewind"/>. <see cref="Clear"/> empties it and keeps the chunks, so
/// a reused stream does not allocate. Not thread-safe.</summary>
public sealed class ChunkedStream : Stream
{
    public const int ChunkBytes = 4_096;

    readonly List<byte[]> chunks = [];
    int length;
    int position;

    public ChunkedStream()
    {
    }

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

    public ChunkedStream Rewind()
    {
        position = 0;
        return this;
    }

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

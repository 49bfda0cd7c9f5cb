using System.Buffers;
using System.IO.Pipelines;

namespace ProtoBench;

/// <summary>Each destination is presized and empty at each access, so that cells do not reset it.</summary>
public sealed class Sink
{
    readonly MemoryStream stream;
    readonly ChunkedStream chunks;
    readonly ArrayBufferWriter<byte> writer;
    Pipe? pipe;

    /// <param name="capacity">The initial size, by default larger than any hive payload, so that a cell never measures growth.</param>
    public Sink(int capacity = 1 << 20)
    {
        (stream, chunks, writer) = (new(capacity), new(new byte[capacity]), new(capacity));
        chunks.Clear();
    }

    public MemoryStream MS
    {
        get
        {
            stream.SetLength(0);
            return stream;
        }
    }

    public ChunkedStream CS => chunks.Clear();

    public ArrayBufferWriter<byte> BW
    {
        get
        {
            // Clear would fill 1 MiB with zeros in each operation
            writer.ResetWrittenCount();
            return writer;
        }
    }

    /// <summary>Its reader has consumed everything. Its blocks of 4,096 bytes come from a pool, like those of Kestrel.</summary>
    public PipeWriter PW
    {
        get
        {
            pipe ??= new(new PipeOptions(pauseWriterThreshold: 0, resumeWriterThreshold: 0, useSynchronizationContext: false));
            if (Written(pipe) is { IsEmpty: false } buffer)
                pipe.Reader.AdvanceTo(buffer.End);
            return pipe.Writer;
        }
    }

    /// <summary>Returns a copy of the output of the last cell, for tests. A sink is used for one kind of destination only.</summary>
    public byte[] ToArray()
    {
        if (pipe is not null)
        {
            var buffer = Written(pipe);
            var bytes = buffer.ToArray();
            pipe.Reader.AdvanceTo(buffer.End);
            return bytes;
        }

        if (writer.WrittenCount > 0)
            return writer.WrittenSpan.ToArray();
        if (stream.Length > 0)
            return stream.ToArray();
        var all = new byte[chunks.Length];
        chunks.Rewind().ReadExactly(all);
        return all;
    }

    // A flush never waits, because the pipe has no threshold.
    static ReadOnlySequence<byte> Written(Pipe pipe)
    {
        pipe.Writer.FlushAsync().AsTask().GetAwaiter().GetResult();
        return pipe.Reader.TryRead(out var read) ? read.Buffer : default;
    }
}

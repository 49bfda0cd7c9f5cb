using System.Buffers;
using System.IO.Pipelines;

namespace ProtoBench.Buffers;

/// <summary>Every destination that a serializer can be given, presized and empty again
/// at each access, so that no cell resets anything and none can forget to.</summary>
public sealed class Sink
{
    readonly MemoryStream stream;
    readonly ChunkedStream chunks;
    readonly ArrayBufferWriter<byte> writer;
    Pipe? pipe;

    /// <summary>Nothing written yet.</summary>
    /// <param name="capacity">Room from the start; by default more than any hive payload, so that a cell never pays for growth.</param>
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
            // not Clear, which fills everything with zeros: that would be 1 MiB of memset in each operation
            writer.ResetWrittenCount();
            return writer;
        }
    }

    /// <summary>A pipe whose reader has taken what was written before. Its blocks of
    /// 4,096 bytes come from a pool and go back to it, as Kestrel's do.</summary>
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

    /// <summary>A copy of what the last cell wrote, for tests. A sink serves one kind of destination in its life.</summary>
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

    // A flush never waits: the pipe has no threshold.
    static ReadOnlySequence<byte> Written(Pipe pipe)
    {
        pipe.Writer.FlushAsync().AsTask().GetAwaiter().GetResult();
        return pipe.Reader.TryRead(out var read) ? read.Buffer : default;
    }
}

using System.Buffers;

namespace ProtoBench.Buffers;

/// <summary>Every destination that a serializer can be given, presized and empty again at each access, so that no cell resets anything and none can forget to.</summary>
public sealed class Sink
{
    readonly MemoryStream stream;
    readonly ChunkedStream chunks;
    readonly ArrayBufferWriter<byte> writer;

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

    /// <summary>A copy of what the last cell wrote, for tests. A sink serves one kind of destination in its life.</summary>
    public byte[] ToArray()
    {
        if (writer.WrittenCount > 0)
            return writer.WrittenSpan.ToArray();
        if (stream.Length > 0)
            return stream.ToArray();
        var all = new byte[chunks.Length];
        chunks.Rewind().ReadExactly(all);
        return all;
    }
}

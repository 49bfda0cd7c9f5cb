using System.Buffers;

namespace ProtoBench;

/// <summary>Every destination that a serializer can be given, presized and empty again at each access, so that no cell resets anything and none can forget to.</summary>
public sealed class Sink
{
    // More than any hive payload: a cell never pays for growth.
    const int capacity = 1 << 20;

    readonly MemoryStream stream = new(capacity);
    readonly ChunkedStream chunks = new(new byte[capacity]);
    readonly ArrayBufferWriter<byte> writer = new(capacity);

    /// <summary>Nothing written yet.</summary>
    public Sink() => chunks.Clear();

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

using System.Buffers;

namespace ProtoBench.Buffers;

/// <summary>Cuts bytes into a sequence of segments.</summary>
public static class Segments
{
    /// <summary>What gRPC hands over: Kestrel's pool gives blocks of this many bytes.</summary>
    public const int Bytes = 4_096;

    /// <summary>A sequence over <paramref name="bytes"/> in segments of
    /// <paramref name="size"/> bytes, the last one shorter. Nothing is copied.</summary>
    public static ReadOnlySequence<byte> Of(ReadOnlyMemory<byte> bytes, int size = Bytes)
    {
        if (bytes.Length <= size)
            return new(bytes);
        var first = new Segment(bytes[..size], 0);
        var last = first;
        for (var start = size; start < bytes.Length; start += size)
            last = last.Append(bytes.Slice(start, Math.Min(size, bytes.Length - start)));
        return new(first, 0, last, last.Memory.Length);
    }

    sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        public Segment(ReadOnlyMemory<byte> memory, long index) => (Memory, RunningIndex) = (memory, index);

        public Segment Append(ReadOnlyMemory<byte> memory)
        {
            var next = new Segment(memory, RunningIndex + Memory.Length);
            Next = next;
            return next;
        }
    }
}

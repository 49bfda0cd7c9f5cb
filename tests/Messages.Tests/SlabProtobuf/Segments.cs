using System.Buffers;

namespace ProtoBench.Messages.Tests.SlabProtobuf;

/// <summary>Bytes in segments of their own memory.</summary>
sealed class Segments : ReadOnlySequenceSegment<byte>
{
    Segments(ReadOnlyMemory<byte> memory, long start) => (Memory, RunningIndex) = (memory, start);

    /// <summary>Cut at these places, in ascending order. A place that occurs twice gives an empty segment.</summary>
    public static ReadOnlySequence<byte> Cut(byte[] bytes, params IEnumerable<int> places)
    {
        var start = 0;
        Segments? first = null, last = null;
        foreach (var end in places.Append(bytes.Length))
        {
            var next = new Segments(bytes.AsSpan(start, end - start).ToArray(), start);
            first ??= next;
            if (last is not null) last.Next = next;
            last = next;
            start = end;
        }

        return new(first!, 0, last!, last!.Memory.Length);
    }
}

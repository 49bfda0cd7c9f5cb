using System.Buffers;

namespace ProtoBench.Testing;

sealed class Segments : ReadOnlySequenceSegment<byte>
{
    Segments(ReadOnlyMemory<byte> memory, long start) => (Memory, RunningIndex) = (memory, start);

    /// <summary>Cut at these places, in ascending order. A place that occurs twice gives an empty segment.</summary>
    public static ReadOnlySequence<byte> Cut(byte[] bytes, params IEnumerable<int> places)
    {
        var starts = places.Prepend(0).ToList();
        return Of(starts.Zip(starts.Skip(1).Append(bytes.Length),
            (start, end) => (ReadOnlyMemory<byte>)bytes.AsSpan(start, end - start).ToArray()));
    }

    public static ReadOnlySequence<byte> Every(byte[] bytes, int size) =>
        Cut(bytes, Enumerable.Range(1, Math.Max(0, bytes.Length - 1) / size).Select(i => i * size));

    /// <summary>Several memories, one behind the other.</summary>
    /// <param name="lie">How many bytes too far behind the last segment says that it begins.</param>
    public static ReadOnlySequence<byte> Of(IEnumerable<ReadOnlyMemory<byte>> parts, long lie = 0)
    {
        Segments? first = null, last = null;
        foreach (var part in parts)
        {
            var next = new Segments(part, last is null ? 0 : last.RunningIndex + last.Memory.Length);
            first ??= next;
            if (last is not null) last.Next = next;
            last = next;
        }

        last!.RunningIndex += lie;
        return new(first!, 0, last, last.Memory.Length);
    }
}

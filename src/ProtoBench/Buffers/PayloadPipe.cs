using System.Buffers;
using System.IO.Pipelines;

namespace ProtoBench;

/// <summary>A pipe that a sender has filled and completed, such as the body of a request on a server. It is at its start again after <see
/// cref="Rewind"/>. Nothing is copied, because writing to a real pipe would cost more than decoding.</summary>
/// <remarks>Not thread-safe. Every read completes synchronously and returns all bytes from the position on.</remarks>
public sealed class PayloadPipe(ReadOnlySequence<byte> payload) : PipeReader
{
    SequencePosition position = payload.Start;

    public PayloadPipe Rewind()
    {
        position = payload.Start;
        return this;
    }

    public override bool TryRead(out ReadResult result)
    {
        result = new(payload.Slice(position), isCanceled: false, isCompleted: true);
        return true;
    }

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        TryRead(out var result);
        return new(result);
    }

    public override void AdvanceTo(SequencePosition consumed) => position = consumed;

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => position = consumed;

    public override void CancelPendingRead()
    {
        // no read is ever pending
    }

    public override void Complete(Exception? exception = null)
    {
        // the pipe is rewound and read again
    }
}

public static class Segments
{
    /// <summary>The size of a segment from gRPC: Kestrel's pool has blocks of this number of bytes.</summary>
    public const int Bytes = 4_096;

    /// <summary>The last segment may be shorter. Nothing is copied.</summary>
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

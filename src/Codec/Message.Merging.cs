using System.Buffers;
using System.IO.Pipelines;

namespace ProtoBench.Codec;

public readonly partial struct Message<T>
{
    /// <summary>Reads more input into the message, as if it stood behind what was read before: scalars are replaced, sub-messages merged,
    /// lists continued. Views that were taken before are not valid any more.</summary>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="WireFormatException">The input is not a message. What
    /// was read before the place that is wrong is in this message.</exception>
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements.</exception>
    /// <exception cref="Allocators.SlabPoolExhaustedException">The pool is at its limit.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T MergeFrom(ReadOnlySpan<byte> input) => Core.Merge(input);

    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// <exception cref="ArgumentException">The segments of the sequence have another length than it says. The message is as it was.
    /// </exception>
    public T MergeFrom(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? MergeFrom(input.FirstSpan) : Core.Merge(input);

    /// <summary>Merges another message into this one, as <see cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// does with its bytes. It may be this one.</summary>
    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    public T MergeFrom(Message<T> other)
    {
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        return core.Merge(root, stamp, content);
    }

    /// <summary>Replaces the content by a copy of another message's.</summary>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="ArgumentException"><paramref name="other"/> is this message.</exception>
    /// <exception cref="InvalidOperationException"><paramref name="other"/> has more than 2 GiB, or is nested too deep; this message is empty
    /// then.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public T CopyFrom(Message<T> other)
    {
        if (Equals(other)) throw new ArgumentException("A message cannot be copied into itself.", nameof(other));
        var core = Core;
        var root = other.Snapshot(out var stamp, out var content);
        core.Begin();
        return core.Read(core.Memory.CopyOf(root, stamp, content));
    }

    /// <summary>Waits until a pipe has all of its input, and parses it, with a copy. The reader is advanced behind the input, and not
    /// completed: that is the caller's. The message needs exclusive access until the task ends.</summary>
    /// <param name="input">The pipe.</param>
    /// <param name="cancellation">Ends the waiting. The input stays in the pipe.</param>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="OperationCanceledException">The waiting was ended, by the token or by
    /// <see cref="PipeReader.CancelPendingRead"/>; the message is as it was.</exception>
    /// <inheritdoc cref="Parse(ReadOnlySpan{byte})" path="/exception"/>
    public async ValueTask<T> ParseAsync(PipeReader input, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(input);
        while (true)
        {
            var result = await input.ReadAsync(cancellation).ConfigureAwait(false);
            if (result.IsCanceled) throw new OperationCanceledException("The read of the pipe was canceled.");
            if (!result.IsCompleted)
            {
                input.AdvanceTo(result.Buffer.Start, result.Buffer.End);
                continue;
            }

            try
            {
                return Parse(result.Buffer);
            }
            finally
            {
                input.AdvanceTo(result.Buffer.End);
            }
        }
    }

    /// <summary>Writes the message into a pipe and flushes it. The message is written when this returns, and may be released before the
    /// flush ends. The pipe's writer is not completed.</summary>
    /// <param name="output">The pipe.</param>
    /// <param name="cancellation">Ends the waiting for the flush. The message is in the pipe by then.</param>
    /// <returns>The pipe's own answer to the flush.</returns>
    /// <inheritdoc cref="WriteTo(IBufferWriter{byte})" path="/exception"/>
    public ValueTask<FlushResult> WriteToAsync(PipeWriter output, CancellationToken cancellation = default)
    {
        WriteTo(output);
        return output.FlushAsync(cancellation);
    }
}

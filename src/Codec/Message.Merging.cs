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
    /// <exception cref="InsufficientMemoryException">The message has more than 2 GiB, or a repeated field more than 2^30 elements, or the
    /// pool is at its cap.</exception>
    /// <exception cref="ObjectDisposedException">The message was released.</exception>
    public T MergeFrom(ReadOnlySpan<byte> input) => Core.Merge(input);

    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    public T MergeFrom(in ReadOnlySequence<byte> input) => input.IsSingleSegment ? MergeFrom(input.FirstSpan) : MergeFrom(input.ToArray());

    /// <summary>Merges another message into this one, as <see cref="MergeFrom(ReadOnlySpan{byte})"/>
    /// does with its bytes. It may be this one.</summary>
    /// <inheritdoc cref="MergeFrom(ReadOnlySpan{byte})"/>
    public T MergeFrom(Message<T> other)
    {
        var core = Core;
        var (root, stamp, content) = other.Snapshot();
        return core.Merge(root, stamp, content);
    }

    /// <summary>Replaces the content by that of another message in other memory.</summary>
    /// <returns><see cref="Value"/>.</returns>
    /// <exception cref="ArgumentException"><paramref name="other"/> is this message.</exception>
    /// <exception cref="ObjectDisposedException">One of the messages was released.</exception>
    public T CopyFrom(Message<T> other)
    {
        if (Equals(other)) throw new ArgumentException("A message cannot be copied into itself.", nameof(other));
        var core = Core;
        var source = other.Snapshot();
        core.Begin();
        return core.Read(core.Memory.CopyOf(source.Root, source.Stamp, source.Content));
    }

    /// <summary>Reads a pipe to its end, then parses, copying. The pipe's reader is not completed.</summary>
    /// <returns><see cref="Value"/>.</returns>
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

    /// <summary>Writes the message into a pipe and flushes it.</summary>
    /// <inheritdoc cref="WriteTo(IBufferWriter{byte})" path="/exception"/>
    public ValueTask<FlushResult> WriteToAsync(PipeWriter output, CancellationToken cancellation = default)
    {
        WriteTo(output);
        return output.FlushAsync(cancellation);
    }
}

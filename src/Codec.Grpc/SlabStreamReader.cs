using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents the reader of a stream of messages from a peer.</summary>
/// <remarks>
/// <para>Ownership: the reader owns <see cref="Current"/>. It releases this message at the next read, when the stream ends, and when the
/// call ends. <see cref="TakeCurrent"/> makes the caller the owner.</para>
/// <para>Thread safety: one reader at a time.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
public sealed class SlabStreamReader<T> : IAsyncStreamReader<T>
    where T : struct, ISlabMessage<T>
{
    readonly IAsyncStreamReader<GrpcMessage<T>> inner;
    GrpcMessage<T>? current;
    volatile bool ended;

    internal SlabStreamReader(IAsyncStreamReader<GrpcMessage<T>> inner) => this.inner = inner;

    /// <summary>Gets a view of the message that was read last. It is valid until the next read.</summary>
    /// <exception cref="InvalidOperationException">No message was read, the stream has ended, or the message was taken.</exception>
    public T Current => (current ?? throw NoMessage()).Value;

    /// <summary>Reads the next message, and releases the previous one.</summary>
    /// <returns>Whether there is a message; false at the end of the stream.</returns>
    /// <exception cref="RpcException">The call has failed; or the message is malformed, with <see cref="StatusCode.Internal"/>.</exception>
    [SuppressMessage("Performance", "CA1849", Justification = "the task is completed")]
    public Task<bool> MoveNext(CancellationToken cancellationToken)
    {
        ReleaseCurrent();
        var read = inner.MoveNext(cancellationToken);
        if (!read.IsCompletedSuccessfully) return ReadAsync(read);
        if (read.Result) Accept();
        return read;
    }

    /// <summary>Takes the message that was read last. The caller must dispose it. It stays valid after the next read and after the
    /// call.</summary>
    /// <exception cref="InvalidOperationException">No message was read, the stream has ended, or the message was taken.</exception>
    public Message<T> TakeCurrent()
    {
        var message = Interlocked.Exchange(ref current, null) ?? throw NoMessage();
        return message.Take();
    }

    /// <summary>Releases the last message, because the call has ended.</summary>
    internal void End()
    {
        ended = true;
        ReleaseCurrent();
    }

    async Task<bool> ReadAsync(Task<bool> read)
    {
        if (!await read.ConfigureAwait(false)) return false;
        Accept();
        return true;
    }

    void Accept()
    {
        Volatile.Write(ref current, inner.Current);
        if (!ended) return;
        ReleaseCurrent();
        throw new OperationCanceledException("The call has ended.");
    }

    void ReleaseCurrent() => Interlocked.Exchange(ref current, null)?.Dispose();

    static InvalidOperationException NoMessage() => new("The stream has no current message: read one with MoveNext first.");
}

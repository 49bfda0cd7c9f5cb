using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents the writer of a stream of messages to a peer.</summary>
/// <remarks>
/// <para>Ownership: the writer owns <see cref="Next"/>, and releases it when the call ends. A message that is passed to
/// <see cref="WriteAsync(Message{T}, CancellationToken)"/> belongs to the caller.</para>
/// <para>Thread safety: one writer at a time. On a duplex call one reader may be used at the same time.</para>
/// </remarks>
/// <typeparam name="T">The message type.</typeparam>
public class SlabStreamWriter<T>
    where T : struct, ISlabMessage<T>
{
    readonly IAsyncStreamWriter<GrpcMessage<T>> inner;
    readonly Lock gate = new();
    GrpcMessage<T>? pending;
    Message<T> next;
    bool isNextPending;

    // Whether a view of it was taken since it was written.
    bool isNextTaken;
    bool ended;

    internal SlabStreamWriter(IAsyncStreamWriter<GrpcMessage<T>> inner) => this.inner = inner;

    /// <summary>Gets a view of the message that <see cref="WriteAsync(CancellationToken)"/> writes. It is empty at first, and after each
    /// write. A view that was taken before a write is not valid after it. If it has content when the method of a service returns, the call
    /// fails.</summary>
    /// <exception cref="InvalidOperationException">The message is being written.</exception>
    /// <exception cref="ObjectDisposedException">The call has ended.</exception>
    public T Next
    {
        get
        {
            lock (gate)
            {
                var view = OpenNext().Value;
                isNextTaken = true;
                return view;
            }
        }
    }

    /// <summary>Gets or sets the options of the following writes; null for the options of the call.</summary>
    public WriteOptions? WriteOptions
    {
        get => inner.WriteOptions;
        set => inner.WriteOptions = value;
    }

    /// <summary>Writes <see cref="Next"/>, and clears it.</summary>
    /// <exception cref="InvalidOperationException">A write is in progress, or grpc-dotnet has completed the call.</exception>
    /// <exception cref="ObjectDisposedException">The handler of the server has returned, or the call of the client was
    /// disposed.</exception>
    /// <exception cref="RpcException">The call of the client has failed. The exception has its status.</exception>
    /// <exception cref="OperationCanceledException">The write was canceled. The peer may have received the message.</exception>
    public async Task WriteAsync(CancellationToken cancellationToken = default)
    {
        Message<T> message;
        lock (gate)
        {
            message = OpenNext();
            (isNextPending, isNextTaken) = (true, false);
        }

        try
        {
            await WriteAsync(message, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            lock (gate)
            {
                isNextPending = false;
                if (!ended) message.Clear();
            }
        }
    }

    /// <summary>Writes a message. The caller owns it, and may change or release it after the write was awaited.</summary>
    /// <inheritdoc cref="WriteAsync(CancellationToken)" path="/exception"/>
    public Task WriteAsync(Message<T> message, CancellationToken cancellationToken = default) =>
        WriteAsync(new LentMessage<T>(message), cancellationToken);

    /// <summary>Writes a message that is serialized already, without a check. The caller may reuse the memory after the write was
    /// awaited.</summary>
    /// <inheritdoc cref="WriteAsync(CancellationToken)" path="/exception"/>
    [OverloadResolutionPriority(-1)] // "WriteAsync(default)" stays what it was
    public Task WriteAsync(ReadOnlyMemory<byte> encoded, CancellationToken cancellationToken = default) =>
        WriteAsync(new EncodedMessage<T>(encoded, null, null), cancellationToken);

    /// <summary>Does not compile: a stream writes a message and not its view.</summary>
    [Obsolete("A stream writes a message, and this is a view of one. Pass the Message<T>, or copy the view: stream.Next.CopyFrom(view); await stream.WriteAsync();", error: true)]
    [OverloadResolutionPriority(-2)]
    [EditorBrowsable(EditorBrowsableState.Never)]
    public Task WriteAsync(T view, CancellationToken cancellationToken = default) => throw new NotSupportedException();

    async Task WriteAsync(GrpcMessage<T> lent, CancellationToken cancellationToken)
    {
        lock (gate)
        {
            ThrowIfEnded();
            if (pending is not null) throw new InvalidOperationException("A write is in progress: await it first.");
            pending = lent;
        }

        try
        {
            await inner.WriteAsync(lent, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            lent.End();
            lock (gate) pending = null;
        }
    }

    /// <summary>Throws if the stream ends and <see cref="Next"/> has content.</summary>
    internal void ThrowIfNotWritten()
    {
        lock (gate)
        {
            if (!isNextTaken || ended) return;
            using var empty = MessageSource.Rent<T>();
            if (!next.Value.Equals(empty.Value))
                throw new InvalidOperationException($"Next of the stream of {T.FullName} was filled and not written: call WriteAsync().");
        }
    }

    /// <summary>Releases the writer's message, because the call has ended.</summary>
    internal void End()
    {
        GrpcMessage<T>? last;
        lock (gate) (last, ended) = (pending, true);
        last?.End();
        next.Dispose();
    }

    Message<T> OpenNext()
    {
        ThrowIfEnded();
        if (isNextPending) throw new InvalidOperationException("The message is being written: await the write first.");
        if (next == default) next = MessageSource.Rent<T>();
        return next;
    }

    void ThrowIfEnded()
    {
        if (ended) throw new ObjectDisposedException(nameof(SlabStreamWriter<>), "The call has ended.");
    }
}

/// <inheritdoc/>
/// <remarks>This writer of a client can also report to the service that all messages were written.</remarks>
public sealed class SlabClientStreamWriter<T> : SlabStreamWriter<T>
    where T : struct, ISlabMessage<T>
{
    readonly IClientStreamWriter<GrpcMessage<T>> inner;

    internal SlabClientStreamWriter(IClientStreamWriter<GrpcMessage<T>> inner)
        : base(inner) => this.inner = inner;

    /// <summary>Completes the stream, which signals to the service that no further messages follow.</summary>
    /// <exception cref="InvalidOperationException">A write is in progress, or <see cref="SlabStreamWriter{T}.Next"/> was filled and not
    /// written.</exception>
    public Task CompleteAsync()
    {
        ThrowIfNotWritten();
        return inner.CompleteAsync();
    }
}

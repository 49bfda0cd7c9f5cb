using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Grpc;

/// <summary>Awaits the reply of a call. This type is for the compiler.</summary>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
[SuppressMessage("Performance", "CA1815", Justification = "awaiters are not compared")]
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SlabReplyAwaiter<TResponse> : ICriticalNotifyCompletion
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly Task<GrpcMessage<TResponse>> reply;
    readonly CallMessage? request;
    readonly bool continueOnCapturedContext;

    internal SlabReplyAwaiter(Task<GrpcMessage<TResponse>> reply, CallMessage? request, bool continueOnCapturedContext) =>
        (this.reply, this.request, this.continueOnCapturedContext) = (reply, request, continueOnCapturedContext);

    /// <summary>Gets a value that indicates whether the call has ended.</summary>
    public bool IsCompleted => reply.IsCompleted;

    /// <summary>Gets this awaiter, which <c>ConfigureAwait</c> of a call returns.</summary>
    public SlabReplyAwaiter<TResponse> GetAwaiter() => this;

    /// <summary>Takes the reply. This is possible once.</summary>
    /// <exception cref="RpcException">The call has failed.</exception>
    /// <exception cref="ObjectDisposedException">The reply was taken before, or released with the call.</exception>
    public Message<TResponse> GetResult()
    {
        try
        {
            return reply.GetAwaiter().GetResult().Take();
        }
        finally
        {
            request?.End();
        }
    }

    /// <inheritdoc/>
    public void OnCompleted(Action continuation) => reply.ConfigureAwait(continueOnCapturedContext).GetAwaiter().OnCompleted(continuation);

    /// <inheritdoc/>
    public void UnsafeOnCompleted(Action continuation) =>
        reply.ConfigureAwait(continueOnCapturedContext).GetAwaiter().UnsafeOnCompleted(continuation);
}

/// <summary>Represents the reply of a call that has one. It is part of the object of the call.</summary>
/// <param name="received">What grpc-dotnet receives.</param>
/// <param name="request">The request, which is not used when the reply is there; null for a stream of requests.</param>
struct Reply<T>(Task<GrpcMessage<T>> received, CallMessage? request)
    where T : struct, ISlabMessage<T>
{
    bool isAskedFor;
    Task<Message<T>>? taken;

    public Task<Message<T>> TakeAsync()
    {
        isAskedFor = true;
        return taken ??= TakeAsync(received, request);
    }

    public SlabReplyAwaiter<T> GetAwaiter(bool continueOnCapturedContext)
    {
        isAskedFor = true;
        return new(received, request, continueOnCapturedContext);
    }

    /// <summary>Ends the use of the request, and releases a reply that has arrived and that nobody asked for. A reply that arrives later
    /// has no owner, and its finalizer releases it.</summary>
    public readonly void Abandon()
    {
        request?.End();
        if (!isAskedFor && received.IsCompletedSuccessfully) received.Result.Dispose();
    }

    static async Task<Message<T>> TakeAsync(Task<GrpcMessage<T>> received, CallMessage? request)
    {
        try
        {
            return (await received.ConfigureAwait(false)).Take();
        }
        finally
        {
            request?.End();
        }
    }
}

/// <summary>Ends the use of a request at the end of the first read: the request was sent, or will never be sent.</summary>
sealed class FirstRead<T>(IAsyncStreamReader<GrpcMessage<T>> inner, CallMessage? request) : IAsyncStreamReader<GrpcMessage<T>>
    where T : struct, ISlabMessage<T>
{
    bool isOver;

    public GrpcMessage<T> Current => inner.Current;

    public Task<bool> MoveNext(CancellationToken cancellationToken) =>
        isOver ? inner.MoveNext(cancellationToken) : First(cancellationToken);

    async Task<bool> First(CancellationToken cancellationToken)
    {
        try
        {
            return await inner.MoveNext(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            request?.End();
            isOver = true;
        }
    }
}

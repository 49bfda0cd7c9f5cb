using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace ProtoBench.Codec.Grpc;

/// <summary>Represents a call with one request and one reply. Await it to get the reply.</summary>
/// <remarks>
/// <para>Ownership: the reply belongs to the code that awaits the call, or <see cref="ResponseAsync"/>, and can be taken once. The caller
/// of the stub owns the request, and may change or release it when the await has ended, even with an exception. <see cref="Dispose"/>
/// releases a reply that was not requested. If the call is not disposed either, the memory of the reply goes back to its pool when the call
/// is garbage-collected.</para>
/// <para>Thread safety: as <see cref="AsyncUnaryCall{TResponse}"/>.</para>
/// </remarks>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
public sealed class SlabUnaryCall<TResponse> : IDisposable
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncUnaryCall<GrpcMessage<TResponse>> call;
    Reply<TResponse> reply;

    internal SlabUnaryCall(AsyncUnaryCall<GrpcMessage<TResponse>> call, CallMessage request) =>
        (this.call, reply) = (call, new(call.ResponseAsync, request));

    /// <summary>Gets the reply, which belongs to the reader of this property.</summary>
    public Task<Message<TResponse>> ResponseAsync => reply.TakeAsync();

    /// <summary>Gets the metadata that the service sent before its reply.</summary>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <summary>Gets an awaiter for <c>await</c>. The awaiting code gets the reply, and must dispose it.</summary>
    public SlabReplyAwaiter<TResponse> GetAwaiter() => reply.GetAwaiter();

    /// <summary>Gets the status of a call that has ended.</summary>
    /// <exception cref="InvalidOperationException">The call has not ended.</exception>
    public Status GetStatus() => call.GetStatus();

    /// <summary>Gets the metadata that the service sent after its reply.</summary>
    /// <exception cref="InvalidOperationException">The call has not ended.</exception>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended. The request is not used after that.</summary>
    public void Dispose()
    {
        call.Dispose();
        reply.Abandon();
    }
}

/// <summary>Represents a call with a stream of requests and one reply. Await it to get the reply, after the requests are
/// completed.</summary>
/// <remarks>Ownership and thread safety: as <see cref="SlabUnaryCall{TResponse}"/>. A call that is not awaited must be disposed.</remarks>
/// <typeparam name="TRequest">The type of the requests.</typeparam>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
public sealed class SlabClientStreamingCall<TRequest, TResponse> : IDisposable
    where TRequest : struct, ISlabMessage<TRequest>
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncClientStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call;
    Reply<TResponse> reply;

    internal SlabClientStreamingCall(AsyncClientStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call) =>
        (this.call, RequestStream, reply) = (call, new(call.RequestStream), new(call.ResponseAsync, null));

    /// <summary>Gets the writer of the requests.</summary>
    public SlabClientStreamWriter<TRequest> RequestStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseAsync"/>
    public Task<Message<TResponse>> ResponseAsync => reply.TakeAsync();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetAwaiter"/>
    public SlabReplyAwaiter<TResponse> GetAwaiter() => reply.GetAwaiter();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the message of <see cref="RequestStream"/>.</summary>
    public void Dispose()
    {
        call.Dispose();
        RequestStream.End();
        reply.Abandon();
    }
}

/// <summary>Represents a call with one request and a stream of replies.</summary>
/// <remarks>Ownership: the caller of the stub owns the request, and may change or release it when the first read has ended. The reader owns
/// the replies. The call must be disposed. Thread safety: one reader.</remarks>
/// <typeparam name="TResponse">The type of the replies.</typeparam>
public sealed class SlabServerStreamingCall<TResponse> : IDisposable
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncServerStreamingCall<GrpcMessage<TResponse>> call;
    readonly CallMessage request;

    internal SlabServerStreamingCall(AsyncServerStreamingCall<GrpcMessage<TResponse>> call, CallMessage request)
    {
        (this.call, this.request) = (call, request);
        ResponseStream = new(new FirstRead<TResponse>(call.ResponseStream, request));
    }

    /// <summary>Gets the reader of the replies.</summary>
    public SlabStreamReader<TResponse> ResponseStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the last reply.</summary>
    public void Dispose()
    {
        call.Dispose();
        request.End();
        ResponseStream.End();
    }
}

/// <summary>Represents a call with streams in both directions.</summary>
/// <remarks>Ownership: the reader and the writer own their messages. The call must be disposed. Thread safety: one reader and one writer
/// may be used at the same time.</remarks>
/// <typeparam name="TRequest">The type of the requests.</typeparam>
/// <typeparam name="TResponse">The type of the replies.</typeparam>
public sealed class SlabDuplexStreamingCall<TRequest, TResponse> : IDisposable
    where TRequest : struct, ISlabMessage<TRequest>
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly AsyncDuplexStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call;

    internal SlabDuplexStreamingCall(AsyncDuplexStreamingCall<GrpcMessage<TRequest>, GrpcMessage<TResponse>> call) =>
        (this.call, RequestStream, ResponseStream) = (call, new(call.RequestStream), new(call.ResponseStream));

    /// <summary>Gets the writer of the requests.</summary>
    public SlabClientStreamWriter<TRequest> RequestStream { get; }

    /// <summary>Gets the reader of the replies.</summary>
    public SlabStreamReader<TResponse> ResponseStream { get; }

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.ResponseHeadersAsync"/>
    public Task<Metadata> ResponseHeadersAsync => call.ResponseHeadersAsync;

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetStatus"/>
    public Status GetStatus() => call.GetStatus();

    /// <inheritdoc cref="SlabUnaryCall{TResponse}.GetTrailers"/>
    public Metadata GetTrailers() => call.GetTrailers();

    /// <summary>Cancels the call if it has not ended, and releases the messages of both streams.</summary>
    public void Dispose()
    {
        call.Dispose();
        RequestStream.End();
        ResponseStream.End();
    }
}

/// <summary>Awaits the reply of a call. This type is for the compiler.</summary>
/// <typeparam name="TResponse">The type of the reply.</typeparam>
[SuppressMessage("Performance", "CA1815", Justification = "awaiters are not compared")]
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct SlabReplyAwaiter<TResponse> : ICriticalNotifyCompletion
    where TResponse : struct, ISlabMessage<TResponse>
{
    readonly Task<GrpcMessage<TResponse>> reply;
    readonly CallMessage? request;

    internal SlabReplyAwaiter(Task<GrpcMessage<TResponse>> reply, CallMessage? request) => (this.reply, this.request) = (reply, request);

    /// <summary>Gets a value that indicates whether the call has ended.</summary>
    public bool IsCompleted => reply.IsCompleted;

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
    public void OnCompleted(Action continuation) => reply.GetAwaiter().OnCompleted(continuation);

    /// <inheritdoc/>
    public void UnsafeOnCompleted(Action continuation) => reply.GetAwaiter().UnsafeOnCompleted(continuation);
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

    public SlabReplyAwaiter<T> GetAwaiter()
    {
        isAskedFor = true;
        return new(received, request);
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
sealed class FirstRead<T>(IAsyncStreamReader<GrpcMessage<T>> inner, CallMessage request) : IAsyncStreamReader<GrpcMessage<T>>
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
            request.End();
            isOver = true;
        }
    }
}

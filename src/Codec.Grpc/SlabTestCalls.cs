using System.Diagnostics.CodeAnalysis;

namespace ProtoBench.Codec.Grpc;

/// <summary>Creates calls and streams without a channel and a server, for tests. A double of a generated client, whose methods are virtual,
/// returns such a call. A method of a service can be called with such streams.</summary>
/// <remarks>Ownership: a call or a reader owns the messages that it is given, and hands them on as if they had been received. A failed
/// call is a task, or a sequence, that throws an <see cref="RpcException"/>. Thread safety: as the calls and the streams.</remarks>
[SuppressMessage("Reliability", "CA2000", Justification = "the calls own what they are made of")]
public static class SlabTestCalls
{
    /// <summary>Creates a unary call that has succeeded.</summary>
    /// <param name="fill">Called once, with a view of the reply, which is empty.</param>
    /// <typeparam name="TResponse">The type of the reply.</typeparam>
    public static SlabUnaryCall<TResponse> Unary<TResponse>(Action<TResponse> fill)
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(fill);
        return Unary(Task.FromResult(Fill(fill)));
    }

    /// <summary>Creates a unary call.</summary>
    /// <param name="reply">The reply. The call has ended when this task has.</param>
    /// <param name="headers">The metadata before the reply; null for none.</param>
    /// <param name="trailers">The metadata after the reply; null for those of the exception, or for none.</param>
    /// <typeparam name="TResponse">The type of the reply.</typeparam>
    public static SlabUnaryCall<TResponse> Unary<TResponse>(Task<Message<TResponse>> reply, Metadata? headers = null,
        Metadata? trailers = null)
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(reply);
        return new(new(ReceiveAsync(reply), Headers(headers), () => StatusOf(reply), () => TrailersOf(reply, trailers), () => { }), null);
    }

    /// <summary>Creates a call with a stream of requests.</summary>
    /// <param name="onRequest">Called with a view of each request while it is written.</param>
    /// <param name="reply">The reply. The call has ended when this task has.</param>
    /// <param name="headers">The metadata before the reply; null for none.</param>
    /// <param name="trailers">The metadata after the reply; null for those of the exception, or for none.</param>
    /// <typeparam name="TRequest">The type of the requests.</typeparam>
    /// <typeparam name="TResponse">The type of the reply.</typeparam>
    public static SlabClientStreamingCall<TRequest, TResponse> ClientStreaming<TRequest, TResponse>(Action<TRequest> onRequest,
        Task<Message<TResponse>> reply, Metadata? headers = null, Metadata? trailers = null)
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(onRequest);
        ArgumentNullException.ThrowIfNull(reply);
        return new(new(new TestWriter<TRequest>(onRequest), ReceiveAsync(reply), Headers(headers), () => StatusOf(reply),
            () => TrailersOf(reply, trailers), () => { }));
    }

    /// <summary>Creates a call with a stream of replies.</summary>
    /// <param name="replies">The replies. The call has ended when the sequence has. Its token is canceled when the call is
    /// disposed.</param>
    /// <param name="headers">The metadata before the replies; null for none.</param>
    /// <param name="trailers">The metadata after the replies; null for those of the exception, or for none.</param>
    /// <typeparam name="TResponse">The type of the replies.</typeparam>
    public static SlabServerStreamingCall<TResponse> ServerStreaming<TResponse>(IAsyncEnumerable<Message<TResponse>> replies,
        Metadata? headers = null, Metadata? trailers = null)
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(replies);
        var reader = new TestReader<TResponse>(replies);
        return new(new(reader, Headers(headers), () => StatusOf(reader.Ended), () => TrailersOf(reader.Ended, trailers), reader.Dispose),
            null);
    }

    /// <summary>Creates a call with streams in both directions.</summary>
    /// <param name="onRequest">Called with a view of each request while it is written.</param>
    /// <param name="replies">The replies, as in <see cref="ServerStreaming"/>.</param>
    /// <param name="headers">The metadata before the replies; null for none.</param>
    /// <param name="trailers">The metadata after the replies; null for those of the exception, or for none.</param>
    /// <typeparam name="TRequest">The type of the requests.</typeparam>
    /// <typeparam name="TResponse">The type of the replies.</typeparam>
    public static SlabDuplexStreamingCall<TRequest, TResponse> DuplexStreaming<TRequest, TResponse>(Action<TRequest> onRequest,
        IAsyncEnumerable<Message<TResponse>> replies, Metadata? headers = null, Metadata? trailers = null)
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(onRequest);
        ArgumentNullException.ThrowIfNull(replies);
        var reader = new TestReader<TResponse>(replies);
        return new(new(new TestWriter<TRequest>(onRequest), reader, Headers(headers), () => StatusOf(reader.Ended),
            () => TrailersOf(reader.Ended, trailers), reader.Dispose));
    }

    /// <summary>Creates a reader, for a test of a method of a service with a stream of requests.</summary>
    /// <param name="messages">What is read.</param>
    /// <typeparam name="T">The message type.</typeparam>
    public static SlabStreamReader<T> Reader<T>(IAsyncEnumerable<Message<T>> messages)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(messages);
        return new(new TestReader<T>(messages));
    }

    /// <summary>Creates a writer, for a test of a method of a service with a stream of replies.</summary>
    /// <param name="onMessage">Called with a view of each message while it is written. The view is not valid afterwards.</param>
    /// <typeparam name="T">The message type.</typeparam>
    public static SlabStreamWriter<T> Writer<T>(Action<T> onMessage)
        where T : struct, ISlabMessage<T>
    {
        ArgumentNullException.ThrowIfNull(onMessage);
        return new(new TestWriter<T>(onMessage));
    }

    /// <summary>Calls a unary method of a service as a host does: with an empty reply, and with an end of the call.</summary>
    /// <param name="method">The method, as in <c>desk.Place</c>.</param>
    /// <param name="request">The request. The caller owns it.</param>
    /// <param name="context">The context that the method gets.</param>
    /// <returns>The reply, which the caller must dispose: a copy of what the method has filled or set
    /// (<see cref="EncodedReplies"/>).</returns>
    /// <typeparam name="TRequest">The type of the request.</typeparam>
    /// <typeparam name="TResponse">The type of the reply.</typeparam>
    public static async Task<Message<TResponse>> InvokeAsync<TRequest, TResponse>(
        Func<TRequest, TResponse, ServerCallContext, ValueTask> method, Message<TRequest> request, ServerCallContext context)
        where TRequest : struct, ISlabMessage<TRequest>
        where TResponse : struct, ISlabMessage<TResponse>
    {
        ArgumentNullException.ThrowIfNull(method);
        using var call = new CallMessages();
        call.Enter();
        var filled = new GrpcMessage<TResponse>(MessageSource.Rent<TResponse>());
        await method(request.Value, filled.Value, context).ConfigureAwait(false);
        var reply = MessageSource.Rent<TResponse>();
        try
        {
            reply.CopyFrom(((GrpcMessage<TResponse>?)call.Instead ?? filled).Message);
            return reply;
        }
        catch
        {
            reply.Dispose();
            throw;
        }
    }

    static Message<T> Fill<T>(Action<T> fill)
        where T : struct, ISlabMessage<T>
    {
        var message = MessageSource.Rent<T>();
        try
        {
            fill(message.Value);
            return message;
        }
        catch
        {
            message.Dispose();
            throw;
        }
    }

    static async Task<GrpcMessage<T>> ReceiveAsync<T>(Task<Message<T>> reply)
        where T : struct, ISlabMessage<T> => new ReceivedMessage<T>(await reply.ConfigureAwait(false));

    static Task<Metadata> Headers(Metadata? headers) => Task.FromResult(headers ?? []);

    static Status StatusOf(Task call) => call switch
    {
        { IsCompletedSuccessfully: true } => Status.DefaultSuccess,
        { IsCanceled: true } => Status.DefaultCancelled,
        { Exception.InnerException: RpcException e } => e.Status,
        { Exception.InnerException: { } e } => new(StatusCode.Unknown, e.Message, e),
        _ => throw new InvalidOperationException("The call has not ended."),
    };

    static Metadata TrailersOf(Task call, Metadata? trailers)
    {
        StatusOf(call);
        return trailers ?? (call.Exception?.InnerException as RpcException)?.Trailers ?? [];
    }
}

/// <summary>Reads messages of a test.</summary>
[SuppressMessage("Usage", "CA2213", Justification = "a sequence that is read cannot be disposed: its token ends it")]
sealed class TestReader<T> : IAsyncStreamReader<GrpcMessage<T>>, IDisposable
    where T : struct, ISlabMessage<T>
{
    readonly CancellationTokenSource disposed = new();
    readonly TaskCompletionSource ended = new();
    readonly IAsyncEnumerator<Message<T>> messages;
    GrpcMessage<T>? current;
    bool isDisposed;

    public TestReader(IAsyncEnumerable<Message<T>> messages) => this.messages = messages.GetAsyncEnumerator(disposed.Token);

    public GrpcMessage<T> Current => current ?? throw new InvalidOperationException("No message was read.");

    public Task Ended => ended.Task;

    public void Dispose()
    {
        if (Interlocked.Exchange(ref isDisposed, true)) return;
        disposed.Cancel();
        disposed.Dispose();
        current?.Dispose();
    }

    public async Task<bool> MoveNext(CancellationToken cancellationToken)
    {
        try
        {
            if (await messages.MoveNextAsync().AsTask().WaitAsync(cancellationToken).ConfigureAwait(false))
            {
                current = new ReceivedMessage<T>(messages.Current);
                return true;
            }

            await messages.DisposeAsync().ConfigureAwait(false);
            ended.TrySetResult();
            return false;
        }
        catch (Exception e)
        {
            ended.TrySetException(e);
            throw;
        }
    }
}

/// <summary>Hands messages to a test.</summary>
sealed class TestWriter<T>(Action<T> onMessage) : IClientStreamWriter<GrpcMessage<T>>
    where T : struct, ISlabMessage<T>
{
    bool isComplete;

    public WriteOptions? WriteOptions { get; set; }

    public Task WriteAsync(GrpcMessage<T> message) => WriteAsync(message, default);

    public Task WriteAsync(GrpcMessage<T> message, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (isComplete) throw new InvalidOperationException("The stream is complete.");
        onMessage(message.Value);
        return Task.CompletedTask;
    }

    public Task CompleteAsync()
    {
        isComplete = true;
        return Task.CompletedTask;
    }
}

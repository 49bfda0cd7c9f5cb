using System.Buffers;
using ProtoBench.Allocators;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>One call on the server: a request, and a response or a failure.</summary>
sealed class SocketServerCall : RpcMessageCall, IThreadPoolWorkItem
{
    readonly SocketConnection connection;
    readonly SocketLink link;
    readonly RpcHandler? handler;
    readonly SlabSlice payload;
    RpcMetadata? requestHeaders;
    CancellationTokenSource? cancellationToken;
    int cancelled;
    int taken;
    int answered;

    /// <param name="connection">Where the call came from.</param>
    /// <param name="link">Where its answer goes.</param>
    /// <param name="number">The call's number.</param>
    /// <param name="handler">What answers it; null where there is no such method.</param>
    /// <param name="message">The request. It is copied: the handler runs
    /// beside the connection's reader, which uses its buffer again.</param>
    public SocketServerCall(SocketConnection connection, SocketLink link, uint number, RpcHandler? handler,
        in ReadOnlySequence<byte> message)
    {
        (this.connection, this.link, Number, this.handler) = (connection, link, number, handler);
        payload = SliceAllocator.ForThread.Rent((int)message.Length);
        message.CopyTo(payload.Span);
    }

    /// <summary>The call's number on its connection.</summary>
    public uint Number { get; }

    public override RpcMetadata RequestHeaders => requestHeaders ??= new();

    // Made when a handler asks for it: most do not. Not disposed: it has neither a timer nor a parent, and a handler may keep its token.
    public override CancellationToken CancellationToken
    {
        get
        {
            if (Volatile.Read(ref cancellationToken) is { } known)
                return known.Token;
            var fresh = new CancellationTokenSource();
            var source = Interlocked.CompareExchange(ref cancellationToken, fresh, null) ?? fresh;
            if (Volatile.Read(ref cancelled) != 0)
                Cancel(source);
            return source.Token;
        }
    }

    /// <summary>Runs the handler on the thread pool.</summary>
    public void Execute() => _ = RunAsync();

    /// <summary>The caller has disconnected or cancelled: notifies the handler only.</summary>
    public void Cancel()
    {
        Interlocked.Exchange(ref answered, 1);
        Interlocked.Exchange(ref cancelled, 1);
        // on the thread pool: what a handler's callbacks do is no matter of the connection
        if (Volatile.Read(ref cancellationToken) is { } source)
            ThreadPool.UnsafeQueueUserWorkItem(static source => Cancel(source), source, preferLocal: false);
    }

    /// <summary>The server stops and does not wait longer: notifies the caller and the handler.</summary>
    public async Task GiveUpAsync()
    {
        var tells = Interlocked.Exchange(ref answered, 1) == 0;
        Cancel();
        if (tells)
            await TrySendAsync(RpcStatus.Unavailable, "the host stops");
    }

    public override ValueTask<Received<T>> ReadAsync<T>(Marshaller<T> marshaller)
    {
        if (Interlocked.Exchange(ref taken, 1) != 0)
            return default;
        try
        {
            return new(new Received<T>(true, marshaller.Read(new(payload.Memory))));
        }
        catch (Exception e)
        {
            throw new RpcException(RpcStatus.Internal, "malformed message: the request cannot be decoded", e);
        }
        finally
        {
            payload.Release();
        }
    }

    public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message, bool last = false)
    {
        if (!last)
            throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");
        if (!link.TryTakeTurn())
            await link.TakeTurnAsync(CancellationToken);
        if (Interlocked.Exchange(ref answered, 1) != 0)
        {
            link.GiveTurnBack();
            throw new OperationCanceledException("the call has ended");
        }

        try
        {
            await link.WriteAsync(Number, SocketFrameKind.Response, null, marshaller, message);
        }
        catch when (link.IsOpen)
        {
            Volatile.Write(ref answered, 0); // nothing was sent: the failure can be
            throw;
        }
    }

    static void Cancel(CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (AggregateException)
        {
            // exceptions of a handler's callbacks are ignored
        }
    }

    /// <summary>Runs the handler to its end and sends what it threw. Never fails.</summary>
    async Task RunAsync()
    {
        var failure = await HandleAsync();
        if (Interlocked.Exchange(ref taken, 1) == 0)
            payload.Release();
        if (Interlocked.Exchange(ref answered, 1) == 0)
            await TrySendAsync(failure?.Status ?? RpcStatus.Internal, failure?.Message ?? "the handler has ended without a response");
        connection.End(this);
    }

    /// <returns>The handler's failure; null for success.</returns>
    async ValueTask<RpcException?> HandleAsync()
    {
        try
        {
            if (handler is null)
                return new(RpcStatus.Unimplemented, "no such method");
            await handler.RunAsync(this);
            return null;
        }
        catch (RpcException e)
        {
            return e;
        }
        catch (Exception e)
        {
            // the message of a handler's exception is not sent to the caller
            return new(RpcStatus.Unknown, "the handler failed", e);
        }
    }

    async Task TrySendAsync(RpcStatus status, string text)
    {
        try
        {
            await link.FailAsync(Number, status, text);
        }
        catch (Exception)
        {
            // the caller has disconnected
        }
    }
}

using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using ProtoBench.Allocators;

namespace ProtoBench.Rpc;

/// <summary>A connection has many calls, each frame follows its length, and replies have any order. No streams, no metadata.</summary>
public sealed class SocketServer : IRpcServer
{
    static readonly TimeSpan handshakeLimit = TimeSpan.FromSeconds(10);

    // a process without free file descriptors cannot accept, and must not retry in a busy loop
    static readonly TimeSpan pauseAfterFailure = TimeSpan.FromMilliseconds(10);

    readonly Socket listener;
    readonly X509Certificate2? certificate;
    readonly RpcLimits limits;
    readonly PartialBudget budget;
    readonly FrozenDictionary<string, RpcHandler> handlers;
    readonly ConcurrentDictionary<SocketConnection, bool> connections = [];
    readonly CancellationTokenSource stopping = new();
    readonly Task accepting;
    int accepted;
    int disposed;

    SocketServer(Socket listener, RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits limits, X509Certificate2? certificate)
    {
        this.listener = listener;
        this.certificate = certificate;
        this.limits = limits;
        this.handlers = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal);
        budget = new(limits);
        Endpoint = endpoint;
        accepting = AcceptAsync();
    }

    public RpcEndpoint Endpoint { get; }

    public int ConnectionsAccepted => Volatile.Read(ref accepted);

    public static Task<IRpcServer> StartAsync(
        RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        const int backlog = 512;
        var listener = endpoint.UnixSocket is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp)
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            listener.Bind(endpoint.UnixSocket is { } path
                ? new UnixDomainSocketEndPoint(path) : new IPEndPoint(endpoint.ToAddress(), endpoint.Port));
            listener.Listen(backlog);
            var bound = endpoint with
            {
                Port = (listener.LocalEndPoint as IPEndPoint)?.Port ?? 0,
                Thumbprint = certificate is null ? null : SelfSignedCertificate.Thumbprint(certificate),
            };
            return Task.FromResult<IRpcServer>(new SocketServer(listener, bound, handlers, limits ?? new(), certificate));
        }
        catch (Exception e)
        {
            listener.Dispose();
            if (e is SocketException)
                throw new IOException($"cannot listen on {endpoint}: {e.Message}", e);
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref disposed, 1) != 0)
            return;
        await stopping.CancelAsync();
        listener.Dispose();
        await accepting;
        using var limit = new CancellationTokenSource(limits.ShutdownTimeout);
        await Task.WhenAll(connections.Keys.Select(connection => connection.StopAsync(limit.Token)));
        if (Endpoint.UnixSocket is { } path)
            File.Delete(path);
    }

    async Task AcceptAsync()
    {
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                var socket = await listener.AcceptAsync(stopping.Token);
                Interlocked.Increment(ref accepted);
                // on another thread, so that no peer can block this loop
                _ = Task.Run(() => ServeAsync(socket));
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException)
            {
                // the server was stopped
            }
            catch (SocketException)
            {
                await Task.Delay(pauseAfterFailure, stopping.Token).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            }
        }
    }

    async Task ServeAsync(Socket socket)
    {
        Stream stream = new NetworkStream(socket, ownsSocket: true);
        try
        {
            if (Endpoint.UnixSocket is null)
                socket.NoDelay = true;
            if (certificate is not null)
            {
                using var limit = CancellationTokenSource.CreateLinkedTokenSource(stopping.Token);
                limit.CancelAfter(handshakeLimit);
                var secure = new SslStream(stream);
                stream = secure;
                await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, limit.Token);
            }
        }
        catch (Exception)
        {
            await stream.DisposeAsync(); // the handshake failed or took too long
            return;
        }

        var link = new SocketLink(socket, stream, limits, budget);
        var connection = new SocketConnection(link, handlers, limits);
        connections[connection] = true;
        if (stopping.IsCancellationRequested)
            link.Close(); // the connection may have been accepted after the list was read
        await connection.ServeAsync();
        connections.TryRemove(connection, out _);
    }
}

/// <summary>The reader never waits for a call, so that it notices when the peer disconnects.</summary>
sealed class SocketConnection(SocketLink link, FrozenDictionary<string, RpcHandler> handlers, RpcLimits limits)
{
    // the time for cancelled handlers to end, and for the peer to read the end of the stream
    static readonly TimeSpan patience = TimeSpan.FromSeconds(1);

    readonly FrozenDictionary<string, RpcHandler>.AlternateLookup<ReadOnlySpan<char>> methods =
        handlers.GetAlternateLookup<ReadOnlySpan<char>>();
    readonly TaskCompletionSource read = new(TaskCreationOptions.RunContinuationsAsynchronously);

    // this object is the lock for itself and the two fields below
    readonly Dictionary<uint, SocketServerCall> calls = [];
    TaskCompletionSource? idle;
    bool stopping;

    /// <summary>Until its last call has ended. Never fails: a peer that sends invalid bytes ends its own connection only.</summary>
    public async Task ServeAsync()
    {
        try
        {
            await link.ReadAsync(Take);
        }
        catch (Exception)
        {
            // the peer disconnected within a frame, or violated the protocol
        }

        link.Close();
        var ending = WhenIdle();
        foreach (var call in UnderWay())
            call.Cancel();
        read.SetResult();
        await ending;
        await link.DisposeAsync();
    }

    /// <summary>Refuses new calls and waits for those in progress. Callers that have no response yet get UNAVAILABLE.</summary>
    /// <param name="limit">Cancelled when the calls in progress must be cancelled.</param>
    public async Task StopAsync(CancellationToken limit)
    {
        var ending = WhenIdle();
        await ending.WaitAsync(limit).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        foreach (var call in UnderWay())
            call.Cancel();
        await ending.WaitAsync(patience, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        link.EndSending();
        await read.Task.WaitAsync(patience, CancellationToken.None).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        link.Close();
    }

    public void End(SocketServerCall call)
    {
        lock (calls)
        {
            calls.Remove(call.Number);
            if (calls.Count == 0)
                idle?.TrySetResult();
        }
    }

    /// <summary>Accepts no more calls, and completes when the last call in progress has ended.</summary>
    Task WhenIdle()
    {
        lock (calls)
        {
            stopping = true;
            idle ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            if (calls.Count == 0)
                idle.TrySetResult();
            return idle.Task;
        }
    }

    SocketServerCall[] UnderWay()
    {
        lock (calls)
            return [.. calls.Values];
    }

    void Take(SocketFrame frame)
    {
        if (frame.Kind == SocketFrameKind.Cancel)
            Find(frame.Call)?.Cancel();
        else if (frame.Kind != SocketFrameKind.Request)
            throw RpcFailure.Of(StatusCode.Internal, "a host takes requests only");
        else if ((frame.Refusal ?? Begin(frame)) is { } refusal)
            _ = link.TryFailAsync(frame.Call, refusal.StatusCode, refusal.Message);
    }

    /// <returns>Why the call is refused; null if it has started.</returns>
    RpcException? Begin(in SocketFrame frame)
    {
        var body = new SequenceReader<byte>(frame.Body);
        if (!body.TryRead(out var pathLength) || !body.TryReadExact(pathLength, out var utf8))
            throw RpcFailure.Of(StatusCode.Internal, "a request without a path");
        Span<char> path = stackalloc char[pathLength];
        var letters = Encoding.UTF8.GetChars(utf8, path);
        methods.TryGetValue(path[..letters], out var handler);
        SocketServerCall call;
        lock (calls)
        {
            if (stopping)
                return RpcFailure.Of(StatusCode.Unavailable, "the host stops");
            if (calls.Count >= limits.MaxStreamsPerConnection)
                return RpcFailure.Of(StatusCode.ResourceExhausted, $"more than {limits.MaxStreamsPerConnection} calls at a time on one connection");
            if (calls.ContainsKey(frame.Call))
                throw RpcFailure.Of(StatusCode.Internal, "two calls with the same number");
            call = new(this, link, frame.Call, handler, body.UnreadSequence);
            calls.Add(frame.Call, call);
        }

        // Not on the reader's thread, which could not read a cancellation while a handler computes. The local queue belongs to this thread:
        // when the reader waits for more data, as after a single request, the same thread runs the handler next.
        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: true);
        return null;
    }

    SocketServerCall? Find(uint number)
    {
        lock (calls)
            return calls.GetValueOrDefault(number);
    }
}

sealed class SocketServerCall : RpcMessageCall, IThreadPoolWorkItem
{
    readonly SocketConnection connection;
    readonly SocketLink link;
    readonly RpcHandler? handler;
    readonly SlabSlice payload;
    CancellationTokenSource? cancellationToken;
    int cancelled;
    int taken;
    int answered;

    /// <param name="handler">Null if there is no such method.</param>
    /// <param name="message">It is copied, because the handler runs at the same time as the reader, which reuses its buffer.</param>
    public SocketServerCall(SocketConnection connection, SocketLink link, uint number, RpcHandler? handler,
        in ReadOnlySequence<byte> message)
    {
        (this.connection, this.link, Number, this.handler) = (connection, link, number, handler);
        payload = SliceAllocator.ForThread.Rent((int)message.Length);
        message.CopyTo(payload.Span);
    }

    public uint Number { get; }

    // Created when a handler requests it, because most do not. Not disposed: it has no timer and no parent, and a handler may keep its
    // token.
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

    public void Execute() => _ = RunAsync();

    /// <summary>Cancels the handler. The caller has disconnected or cancelled, so it is not notified.</summary>
    public void Cancel()
    {
        Interlocked.Exchange(ref answered, 1);
        Interlocked.Exchange(ref cancelled, 1);
        // on the thread pool, because callbacks of a handler must not block the connection's reader
        if (Volatile.Read(ref cancellationToken) is { } source)
            ThreadPool.UnsafeQueueUserWorkItem(static source => Cancel(source), source, preferLocal: false);
    }

    public override ValueTask<T> ReadAsync<T>(Marshaller<T> marshaller)
    {
        if (Interlocked.Exchange(ref taken, 1) != 0)
            throw new InvalidOperationException("the request was read before");
        try
        {
            return new(marshaller.Decode(new(payload.Memory), "the request"));
        }
        finally
        {
            payload.Release();
        }
    }

    public override async ValueTask WriteAsync<T>(Marshaller<T> marshaller, T message)
    {
        if (Interlocked.Exchange(ref answered, 1) != 0)
            throw new OperationCanceledException("the call has ended");
        await link.TakeTurnAsync(CancellationToken.None);
        try
        {
            await link.WriteAsync(Number, SocketFrameKind.Response, [], marshaller, message);
        }
        catch when (link.IsOpen)
        {
            Volatile.Write(ref answered, 0); // nothing was sent, so the failure can be sent
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

    /// <summary>Runs the handler and sends the status of its exception. Never throws.</summary>
    async Task RunAsync()
    {
        var failure = await HandleAsync();
        if (Interlocked.Exchange(ref taken, 1) == 0)
            payload.Release();
        if (Interlocked.Exchange(ref answered, 1) == 0)
            await link.TryFailAsync(Number, failure?.StatusCode ?? StatusCode.Internal,
                failure?.Message ?? "the handler has ended without a response");
        connection.End(this);
    }

    /// <returns>The exception of the handler; null for success.</returns>
    async ValueTask<RpcException?> HandleAsync()
    {
        try
        {
            if (handler is null)
                return RpcFailure.Of(StatusCode.Unimplemented, "no such method");
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
            return RpcFailure.Of(StatusCode.Unknown, "the handler failed", e);
        }
    }
}

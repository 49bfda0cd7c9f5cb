using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace ProtoBench.Rpc;

/// <summary>It has one connection. The first call opens it, and the first call after its loss opens it again.</summary>
public sealed class SocketClient(RpcEndpoint endpoint, RpcLimits? limits = null) : IRpcClient
{
    readonly RpcLimits limits = limits ?? new();
    readonly ConcurrentDictionary<string, byte[]> paths = new(StringComparer.Ordinal);
    readonly SemaphoreSlim opening = new(1, 1);
    SocketSession? session;
    RpcConnectionFacts facts = new();

    public RpcConnectionFacts Connection => Volatile.Read(ref facts);

    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCallOptions? call = null, CancellationToken cancellationToken = default)
    {
        if (call?.Headers is { Count: > 0 })
            throw RpcFailure.Of(StatusCode.Unimplemented, "this transport carries no metadata");
        using var deadline = CallDeadline.Start(call?.Timeout, cancellationToken);
        try
        {
            var open = session is { IsOpen: true } current ? current : await OpenAsync(deadline.Token);
            return await open.CallAsync(paths.GetOrAdd(method.Path, SocketFrame.Encode), method, request, deadline.Token);
        }
        catch (Exception e) when (e is not RpcException)
        {
            // The texts are written for HttpClient, which wraps the exceptions of socket and TLS.
            throw TransportFailure.ToRpc(e is SocketException or AuthenticationException ? new IOException(e.Message, e) : e, deadline,
                endpoint);
        }
    }

    public async ValueTask DisposeAsync()
    {
        if (session is { } open)
            await open.DisposeAsync();
        opening.Dispose();
    }

    async ValueTask<SocketSession> OpenAsync(CancellationToken cancellationToken)
    {
        await opening.WaitAsync(cancellationToken);
        try
        {
            if (session is { IsOpen: true } opened)
                return opened;
            var began = Stopwatch.GetTimestamp();
            var socket = await HttpConnection.ConnectAsync(endpoint, null, cancellationToken);
            Stream stream = new NetworkStream(socket, ownsSocket: true);
            try
            {
                if (endpoint.Tls)
                {
                    var options = new SslClientAuthenticationOptions { TargetHost = endpoint.Host };
                    HttpConnection.SetTrust(options, endpoint);
                    var handshake = new SslStream(stream);
                    stream = handshake;
                    await handshake.AuthenticateAsClientAsync(options, cancellationToken);
                }

                facts = facts with
                {
                    Protocol = "socket",
                    Opened = facts.Opened + 1,
                    ConnectTime = Stopwatch.GetElapsedTime(began),
                    Tls = stream is SslStream secure ? $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}" : null,
                };
                return session = new(new(socket, stream, limits));
            }
            catch
            {
                await stream.DisposeAsync();
                throw;
            }
        }
        finally
        {
            opening.Release();
        }
    }
}

/// <summary>The connection of a client and its calls in progress. Thread-safe.</summary>
sealed class SocketSession : IAsyncDisposable
{
    readonly ConcurrentDictionary<uint, Waiting> waiting = new();
    readonly SocketLink link;
    readonly Task reading;
    RpcException? lost;
    uint last;

    public SocketSession(SocketLink link)
    {
        this.link = link;
        reading = ReadAsync();
    }

    public bool IsOpen => link.IsOpen && Volatile.Read(ref lost) is null;

    public async ValueTask<TResponse> CallAsync<TRequest, TResponse>(
        byte[] path, RpcMethod<TRequest, TResponse> method, TRequest request, CancellationToken cancellationToken)
    {
        var number = Interlocked.Increment(ref last);
        var call = new Waiting<TResponse>(method.Response);
        waiting[number] = call;
        if (Volatile.Read(ref lost) is { } failure)
            call.Fail(failure); // the connection was lost between the caller's check and the entry above, so nothing else ends this call
        var sent = false;
        try
        {
            await link.TakeTurnAsync(cancellationToken);
            // The message is in the buffer of the connection when this method has returned. Sending it may take longer than the call, and
            // the connection completes it.
            var writing = link.WriteAsync(number, SocketFrameKind.Request, path, method.Request, request);
            sent = true;
            using var given = cancellationToken.UnsafeRegister(static (call, token) => ((Waiting<TResponse>)call!).Cancel(token), call);
            if (!writing.IsCompletedSuccessfully && await Task.WhenAny(writing, call.Answer) == writing)
                await writing;
            return await call.Answer;
        }
        catch
        {
            call.Drop();
            throw;
        }
        finally
        {
            // no response has arrived
            if (waiting.TryRemove(number, out _) && sent && IsOpen)
                _ = link.TrySendAsync(number, SocketFrameKind.Cancel, default);
        }
    }

    public async ValueTask DisposeAsync()
    {
        link.Close();
        await reading;
    }

    async Task ReadAsync()
    {
        try
        {
            await link.ReadAsync(frame =>
            {
                // a call that was given up is not in the list any more, and its late response is dropped
                if (waiting.TryRemove(frame.Call, out var call))
                    call.Take(frame);
            });
            lost = RpcFailure.Of(StatusCode.Unavailable, "the host closed the connection");
        }
        catch (Exception e)
        {
            lost = e as RpcException ?? RpcFailure.Of(StatusCode.Unavailable, "the connection is lost", e);
        }

        link.Close();
        foreach (var call in waiting.Values)
            call.Fail(lost);
        await link.DisposeAsync();
    }

    abstract class Waiting
    {
        public abstract void Take(SocketFrame frame);

        public abstract void Fail(RpcException why);
    }

    sealed class Waiting<TResponse>(Marshaller<TResponse> marshaller) : Waiting
    {
        readonly TaskCompletionSource<TResponse> answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<TResponse> Answer => answer.Task;

        public override void Take(SocketFrame frame)
        {
            if (frame.Refusal is { } refusal)
                Fail(refusal);
            else if (frame.Kind == SocketFrameKind.Failure)
                Fail(frame.ToFailure());
            else if (frame.Kind == SocketFrameKind.Response)
                Decode(frame.Body);
            else
                Fail(RpcFailure.Of(StatusCode.Internal, "the host sent what only clients send"));
        }

        public override void Fail(RpcException why) => answer.TrySetException(why);

        public void Cancel(CancellationToken token) => answer.TrySetCanceled(token);

        /// <summary>Releases the response of a failed call if it has arrived or arrives later.</summary>
        public void Drop()
        {
            if (!answer.TrySetCanceled() && answer.Task.IsCompletedSuccessfully)
                marshaller.Release(answer.Task.Result);
        }

        void Decode(in ReadOnlySequence<byte> payload)
        {
            try
            {
                var message = marshaller.Read(payload);
                if (!answer.TrySetResult(message))
                    marshaller.Release(message);
            }
            catch (Exception e)
            {
                Fail(RpcFailure.Of(StatusCode.Internal, "malformed message: the reply cannot be decoded", e));
            }
        }
    }
}

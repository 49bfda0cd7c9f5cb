using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using ProtoBench.Rpc.Inbox;

namespace ProtoBench.Rpc.Sockets;

/// <summary>The client of <see cref="SocketServer"/>: one connection, opened by the first call, and again by the first call after it was lost.</summary>
public sealed class SocketClient(RpcEndpoint endpoint, RpcLimits? limits = null) : IRpcClient
{
    readonly RpcLimits limits = limits ?? new();
    readonly ConcurrentDictionary<string, byte[]> paths = new(StringComparer.Ordinal);
    readonly SemaphoreSlim opening = new(1, 1);
    Session? session;
    RpcConnectionFacts facts = new() { Protocol = "socket" };

    /// <inheritdoc/>
    public RpcConnectionFacts Connection => Volatile.Read(ref facts);

    /// <inheritdoc/>
    public async ValueTask<TResponse> UnaryAsync<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, TRequest request, RpcCall? call = null, CancellationToken stop = default)
    {
        if (call?.Headers is { Entries: [_, ..] })
            throw new RpcException(RpcStatus.Unimplemented, "this transport carries no metadata");
        using var deadline = CallDeadline.Start(call?.Timeout, stop);
        try
        {
            var open = session is { IsOpen: true } current ? current : await OpenAsync(deadline.Token);
            return await open.CallAsync(paths.GetOrAdd(method.Path, Encode), method, request, deadline.Token);
        }
        catch (Exception e) when (e is not RpcException)
        {
            // HttpClient, for which these words were made, wraps what the socket and TLS throw
            throw TransportFailure.ToRpc(e is SocketException or AuthenticationException ? new IOException(e.Message, e) : e, deadline, endpoint);
        }
    }

    /// <inheritdoc/>
    public IRpcStream<TRequest, TResponse> Stream<TRequest, TResponse>(
        RpcMethod<TRequest, TResponse> method, RpcCall? call = null, CancellationToken stop = default) =>
        throw new RpcException(RpcStatus.Unimplemented, "this transport has no streams");

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        if (session is { } open)
            await open.DisposeAsync();
        opening.Dispose();
    }

    static byte[] Encode(string path)
    {
        var bytes = Encoding.UTF8.GetBytes(path);
        return bytes.Length <= byte.MaxValue ? bytes : throw new RpcException(RpcStatus.InvalidArgument, "a method's path has at most 255 bytes");
    }

    async ValueTask<Session> OpenAsync(CancellationToken stop)
    {
        await opening.WaitAsync(stop);
        try
        {
            if (session is { IsOpen: true } opened)
                return opened;
            var began = Stopwatch.GetTimestamp();
            var socket = endpoint.UnixSocket is null
                ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
                : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
            try
            {
                if (endpoint.UnixSocket is { } path)
                    await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), stop);
                else
                    await socket.ConnectAsync(endpoint.Host, endpoint.Port, stop);
                Stream stream = new NetworkStream(socket, ownsSocket: true);
                string? tls = null;
                if (endpoint.Thumbprint is not null)
                    (stream, tls) = await SecureAsync(stream, stop);
                facts = facts with { Opened = facts.Opened + 1, ConnectTime = Stopwatch.GetElapsedTime(began), Tls = tls };
                return session = new(new(socket, stream, limits));
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        }
        finally
        {
            opening.Release();
        }
    }

    async Task<(Stream Stream, string Tls)> SecureAsync(Stream stream, CancellationToken stop)
    {
        var secure = new SslStream(stream);
        await secure.AuthenticateAsClientAsync(
            new SslClientAuthenticationOptions
            {
                TargetHost = endpoint.Host,
                // neither chain nor name is asked: the certificate is this one, or it is refused
                RemoteCertificateValidationCallback = (_, certificate, _, _) =>
                    certificate is not null && string.Equals(SelfSignedCertificate.Thumbprint(certificate), endpoint.Thumbprint, StringComparison.OrdinalIgnoreCase),
            },
            stop);
        return (secure, $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}");
    }

    /// <summary>A connection and the calls that wait on it.</summary>
    sealed class Session : IAsyncDisposable
    {
        readonly ConcurrentDictionary<uint, Waiting> waiting = new();
        readonly SocketLink link;
        readonly Task reading;
        RpcException? lost;
        uint last;

        public Session(SocketLink link)
        {
            this.link = link;
            reading = ReadAsync();
        }

        public bool IsOpen => link.IsOpen && Volatile.Read(ref lost) is null;

        public async ValueTask<TResponse> CallAsync<TRequest, TResponse>(byte[] path, RpcMethod<TRequest, TResponse> method, TRequest request, CancellationToken stop)
        {
            var number = Interlocked.Increment(ref last);
            var call = new Waiting<TResponse>(method.Response);
            waiting[number] = call;
            if (Volatile.Read(ref lost) is { } failure)
                call.Fail(failure); // lost between the caller's look and the entry above: nobody else would end this call
            await using var given = stop.UnsafeRegister(static (call, token) => ((Waiting<TResponse>)call!).Cancel(token), call);
            try
            {
                var writing = link.WriteAsync(number, SocketFrameKind.Request, path, method.Request, request);
                try
                {
                    await Task.WhenAny(writing, call.Answer);
                    if (writing.IsFaulted)
                        await writing;
                    await ((Task)call.Answer).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    // an answer may be faster than the end of its own request's write: no reason to close the connection
                    if (!call.Answer.IsCanceled)
                        await writing.WaitAsync(stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    return await call.Answer;
                }
                finally
                {
                    if (!writing.IsCompleted)
                    {
                        // given up in the middle of a request: the message must not be touched any more, and the rest of its frame cannot come
                        link.Dispose();
                        await writing.ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
                    }
                }
            }
            finally
            {
                waiting.TryRemove(number, out _);
            }
        }

        public async ValueTask DisposeAsync()
        {
            link.Dispose();
            await reading;
        }

        async Task ReadAsync()
        {
            try
            {
                await link.ReadAsync(frame =>
                {
                    // a call that was given up is not there any more: its late answer is dropped
                    if (waiting.TryRemove(frame.Call, out var call))
                        call.Take(frame);
                    return default;
                });
                lost = new(RpcStatus.Unavailable, "the host closed the connection");
            }
            catch (RpcException e)
            {
                lost = e;
            }
            catch (Exception e)
            {
                lost = new(RpcStatus.Unavailable, "the connection is lost", e);
            }

            link.Dispose();
            foreach (var call in waiting.Values)
                call.Fail(lost);
        }
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
            if (frame.Kind == SocketFrameKind.Failure)
                Fail(FailureOf(frame.Body));
            else if (frame.Kind == SocketFrameKind.Response)
                Decode(frame.Body);
            else
                Fail(new(RpcStatus.Internal, "the host sent a request"));
        }

        public override void Fail(RpcException why) => answer.TrySetException(why);

        public void Cancel(CancellationToken token) => answer.TrySetCanceled(token);

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
                Fail(new(RpcStatus.Internal, "malformed message: the reply cannot be decoded", e));
            }
        }

        static RpcException FailureOf(in ReadOnlySequence<byte> body)
        {
            var reader = new SequenceReader<byte>(body);
            return reader.TryRead(out var status) && status != 0 && Enum.IsDefined((RpcStatus)status)
                ? new((RpcStatus)status, Encoding.UTF8.GetString(reader.UnreadSequence))
                : new(RpcStatus.Internal, "the host sent a failure without a status");
        }
    }
}

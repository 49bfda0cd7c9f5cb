using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace ProtoBench.Rpc.Sockets;

/// <summary>A plain RPC over a socket: many calls on one connection, a length before each frame, the answers in any order. No streams, no metadata.</summary>
public sealed class SocketServer : IRpcServer
{
    static readonly TimeSpan handshakeLimit = TimeSpan.FromSeconds(10);

    readonly Socket listener;
    readonly X509Certificate2? certificate;
    readonly RpcLimits limits;
    readonly FrozenDictionary<string, RpcHandler>.AlternateLookup<ReadOnlySpan<char>> methods;
    readonly ConcurrentDictionary<Socket, Task> connections = [];
    readonly CancellationTokenSource stopping = new();
    readonly Task accepting;
    int accepted;

    SocketServer(Socket listener, RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits limits, X509Certificate2? certificate)
    {
        this.listener = listener;
        this.certificate = certificate;
        this.limits = limits;
        methods = handlers.ToFrozenDictionary(handler => handler.Path, StringComparer.Ordinal).GetAlternateLookup<ReadOnlySpan<char>>();
        Endpoint = endpoint;
        accepting = AcceptAsync();
    }

    /// <inheritdoc/>
    public RpcEndpoint Endpoint { get; }

    /// <inheritdoc/>
    public int ConnectionsAccepted => Volatile.Read(ref accepted);

    /// <summary>Starts to listen.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
    public static Task<IRpcServer> StartAsync(RpcEndpoint endpoint, IEnumerable<RpcHandler> handlers, RpcLimits? limits = null, X509Certificate2? certificate = null)
    {
        const int backlog = 512;
        var listener = endpoint.UnixSocket is null ? new Socket(SocketType.Stream, ProtocolType.Tcp) : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            listener.Bind(endpoint.UnixSocket is { } path ? new UnixDomainSocketEndPoint(path) : new IPEndPoint(endpoint.ToAddress(), endpoint.Port));
            listener.Listen(backlog);
            var bound = endpoint with
            {
                Port = (listener.LocalEndPoint as IPEndPoint)?.Port ?? 0,
                Thumbprint = certificate is null ? null : SelfSignedCertificate.Thumbprint(certificate),
            };
            return Task.FromResult<IRpcServer>(new SocketServer(listener, bound, handlers, limits ?? new(), certificate));
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await stopping.CancelAsync();
        listener.Dispose();
        await accepting;
        foreach (var socket in connections.Keys)
            socket.Dispose();
        await Task.WhenAll(connections.Values);
        stopping.Dispose();
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
                var serving = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
                connections[socket] = serving.Task;
                _ = ServeAsync(socket, serving);
            }
            catch (Exception e) when (e is OperationCanceledException or ObjectDisposedException or SocketException)
            {
                // stopped, or a caller that was gone before it was accepted
            }
        }
    }

    async Task ServeAsync(Socket socket, TaskCompletionSource served)
    {
        using var closed = CancellationTokenSource.CreateLinkedTokenSource(stopping.Token);
        try
        {
            if (Endpoint.UnixSocket is null)
                socket.NoDelay = true;
            using var link = new SocketLink(socket, await OpenAsync(socket), limits);
            var slots = new SemaphoreSlim(limits.MaxStreamsPerConnection);
            await link.ReadAsync(async frame =>
            {
                await slots.WaitAsync(closed.Token);
                Begin(link, frame, slots, closed.Token);
            });
        }
        catch (Exception)
        {
            // a peer that leaves, sends garbage or fails the handshake ends its own connection and nothing else
        }
        finally
        {
            await closed.CancelAsync();
            socket.Dispose();
            connections.TryRemove(socket, out _);
            served.SetResult();
        }
    }

    async Task<Stream> OpenAsync(Socket socket)
    {
        var network = new NetworkStream(socket, ownsSocket: true);
        if (certificate is null)
            return network;
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stopping.Token);
        limit.CancelAfter(handshakeLimit);
        var secure = new SslStream(network);
        await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = certificate }, limit.Token);
        return secure;
    }

    /// <summary>Runs the handler on the reader's thread up to its first wait: a call that waits for nothing costs no switch of threads.</summary>
    void Begin(SocketLink link, SocketFrame frame, SemaphoreSlim slots, CancellationToken closed)
    {
        var body = new SequenceReader<byte>(frame.Body);
        if (frame.Kind != SocketFrameKind.Request || !body.TryRead(out var pathLength) || !body.TryReadExact(pathLength, out var utf8))
            throw new RpcException(RpcStatus.Internal, "a host takes requests only");
        var call = new SocketServerCall(link, frame.Call, body.UnreadSequence, closed);
        Span<char> path = stackalloc char[pathLength];
        var letters = Encoding.UTF8.GetChars(utf8, path);
        var handling = call.RunAsync(methods.TryGetValue(path[..letters], out var handler) ? handler : null, slots);
        if (!handling.IsCompleted)
            call.KeepPayload();
    }
}

using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Connections;
using ProtoBench.Rpc.Servers;

namespace ProtoBench.Rpc.Transports.Sockets;

/// <summary>A simple RPC protocol on a socket: many calls on one connection, a length before each frame, replies in any order. No streams
/// and no metadata.</summary>
public sealed class SocketServer : IRpcServer
{
    static readonly TimeSpan handshakeLimit = TimeSpan.FromSeconds(10);

    // a process without free file descriptors cannot accept, and should not retry in a busy loop
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
        budget = new(limits.MaxPartialBytes);
        Endpoint = endpoint;
        accepting = AcceptAsync();
    }

    /// <inheritdoc/>
    public RpcEndpoint Endpoint { get; }

    /// <inheritdoc/>
    public int ConnectionsAccepted => Volatile.Read(ref accepted);

    /// <summary>Starts to listen.</summary>
    /// <inheritdoc cref="KestrelHost.StartAsync"/>
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

    /// <inheritdoc/>
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
                // stopped
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
                stream = await SecureAsync(stream, certificate);
        }
        catch (Exception)
        {
            await stream.DisposeAsync(); // not TLS, or not in time
            return;
        }

        var link = new SocketLink(socket, stream, limits, budget);
        var connection = new SocketConnection(link, handlers, limits);
        connections[connection] = true;
        if (stopping.IsCancellationRequested)
            link.Close(); // it may be too late for the list of those that are stopped
        await connection.ServeAsync();
        connections.TryRemove(connection, out _);
    }

    async Task<Stream> SecureAsync(Stream network, X509Certificate2 own)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(stopping.Token);
        limit.CancelAfter(handshakeLimit);
        var secure = new SslStream(network);
        try
        {
            await secure.AuthenticateAsServerAsync(new SslServerAuthenticationOptions { ServerCertificate = own }, limit.Token);
            return secure;
        }
        catch
        {
            await secure.DisposeAsync();
            throw;
        }
    }
}

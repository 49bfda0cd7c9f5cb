using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc;

/// <summary>SocketsHttpHandler as one connection to one host, with nothing that a measurement does not ask for. It counts what it opens.</summary>
public sealed class HttpConnection : IDisposable
{
    readonly RpcEndpoint endpoint;
    int opened;

    /// <summary>Prepares a connection; it is opened by the first call.</summary>
    public HttpConnection(RpcEndpoint endpoint)
    {
        this.endpoint = endpoint;
        Handler = new()
        {
            ConnectCallback = (_, stop) => ConnectAsync(stop),
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            ActivityHeadersPropagator = null,
            // true opened 3 connections for the first 300 calls
            EnableMultipleHttp2Connections = false,
            // an idle connection must outlive the pause between two rounds
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
            MaxConnectionsPerServer = 1,
            InitialHttp2StreamWindowSize = 1024 * 1024,
            ConnectTimeout = TimeSpan.FromSeconds(10),
        };
        if (endpoint.Thumbprint is { } thumbprint)
        {
            Handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) => IsPinned(certificate, thumbprint);
        }
    }

    /// <summary>The handler to send with.</summary>
    public SocketsHttpHandler Handler { get; }

    /// <summary>Connections opened so far.</summary>
    public int Opened => Volatile.Read(ref opened);

    /// <inheritdoc/>
    public void Dispose() => Handler.Dispose();

    async ValueTask<Stream> ConnectAsync(CancellationToken stop)
    {
        var unix = endpoint.UnixSocket;
        var socket = unix is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (unix is null)
                await socket.ConnectAsync(endpoint.Host, endpoint.Port, stop);
            else
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(unix), stop);
            Interlocked.Increment(ref opened);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>Neither chain nor name is asked: the certificate is this one, or it is refused.</summary>
    static bool IsPinned(X509Certificate? certificate, string thumbprint) =>
        certificate is not null && string.Equals(SelfSignedCertificate.Thumbprint(certificate), thumbprint, StringComparison.OrdinalIgnoreCase);
}

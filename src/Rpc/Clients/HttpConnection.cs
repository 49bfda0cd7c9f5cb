using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using ProtoBench.Rpc.Connections;

namespace ProtoBench.Rpc.Clients;

/// <summary>SocketsHttpHandler to one host, by default as one connection, with nothing that a measurement does not ask for. It counts what it opens.</summary>
public sealed class HttpConnection : IDisposable
{
    const int streamWindow = 1024 * 1024;

    readonly RpcEndpoint endpoint;
    int opened;
    long began;
    TimeSpan? connectTime;
    string? tls;

    /// <summary>Prepares a connection; it is opened by the first call.</summary>
    /// <param name="endpoint">The host.</param>
    /// <param name="most">Connections at most: more than one for HTTP/1.1, which carries one call at a time on each.</param>
    public HttpConnection(RpcEndpoint endpoint, int most = 1)
    {
        this.endpoint = endpoint;
        Handler = new()
        {
            ConnectCallback = (_, cancellationToken) => ConnectAsync(cancellationToken),
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            ActivityHeadersPropagator = null,
            // true opened 3 connections for the first 300 calls
            EnableMultipleHttp2Connections = false,
            // an idle connection must outlive the pause between two rounds
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
            MaxConnectionsPerServer = most,
            InitialHttp2StreamWindowSize = streamWindow,
            ConnectTimeout = TimeSpan.FromSeconds(10),
            PlaintextStreamFilter = (context, _) => Ready(context),
        };
        if (endpoint.Thumbprint is { } thumbprint)
        {
            Handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) => IsPinned(certificate, thumbprint);
        }
        else if (endpoint.Trust is { AcceptAny: true })
        {
#pragma warning disable CA5359 // asked for by name
            Handler.SslOptions.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        }
        else if (endpoint.Trust?.Roots is { } roots)
        {
            // the certificates of one's own authority have no revocation lists as a rule
            Handler.SslOptions.CertificateChainPolicy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
            Handler.SslOptions.CertificateChainPolicy.CustomTrustStore.AddRange(roots);
        }
    }

    /// <summary>The handler to send with.</summary>
    public SocketsHttpHandler Handler { get; }

    /// <summary>What the connection turned out to be, as far as HTTP does not decide it.</summary>
    public RpcConnectionFacts Facts => new()
    {
        Opened = Volatile.Read(ref opened),
        Tls = tls,
        ConnectTime = connectTime,
        Http2 = new Dictionary<string, long> { ["clientStreamWindowBytes"] = streamWindow },
    };

    /// <summary>The version of HTTP that is spoken on it; null before it is open. In the clear nobody has confirmed it before the first reply.</summary>
    public Version? Negotiated { get; private set; }

    /// <inheritdoc/>
    public void Dispose() => Handler.Dispose();

    async ValueTask<Stream> ConnectAsync(CancellationToken cancellationToken)
    {
        began = Stopwatch.GetTimestamp();
        var unix = endpoint.UnixSocket;
        var socket = unix is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (unix is null)
                await socket.ConnectAsync(endpoint.Host, endpoint.Port, cancellationToken);
            else
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(unix), cancellationToken);
            Interlocked.Increment(ref opened);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>The connection is open, TLS included, and nothing was sent yet.</summary>
    ValueTask<Stream> Ready(SocketsHttpPlaintextStreamFilterContext context)
    {
        connectTime = Stopwatch.GetElapsedTime(began);
        Negotiated = context.NegotiatedHttpVersion;
        if (context.PlaintextStream is SslStream secure)
            tls = $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}";
        return new(context.PlaintextStream);
    }

    /// <summary>Neither chain nor name is asked: the certificate is this one, or it is refused.</summary>
    static bool IsPinned(X509Certificate? certificate, string thumbprint) =>
        certificate is not null && string.Equals(SelfSignedCertificate.Thumbprint(certificate), thumbprint, StringComparison.OrdinalIgnoreCase);
}

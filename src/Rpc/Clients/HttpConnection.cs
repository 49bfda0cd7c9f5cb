using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc;

/// <summary>One server, one connection by default, without features that a measurement does not need. Counts its connections.</summary>
public sealed class HttpConnection : IDisposable
{
    const int streamWindow = 1024 * 1024;
    static readonly TimeSpan patience = TimeSpan.FromSeconds(10);

    readonly RpcEndpoint endpoint;
    readonly int window;
    int opened;
    long began;
    TimeSpan? connectTime;
    string? tls;
    IPEndPoint? address;

    /// <param name="most">The maximum number of connections. An HTTP/1.1 connection has one call at a time.</param>
    /// <param name="limits">With library defaults, the settings of a GrpcChannel's own handler; null for this project's.</param>
    public HttpConnection(RpcEndpoint endpoint, int most = 1, RpcLimits? limits = null)
    {
        this.endpoint = endpoint;
        Handler = limits is { AreLibraryDefaults: true } ? new() { EnableMultipleHttp2Connections = true } : new()
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            UseProxy = false,
            ActivityHeadersPropagator = null,
            // true opened 3 connections for the first 300 calls
            EnableMultipleHttp2Connections = false,
            // an idle connection must stay open between two rounds
            PooledConnectionIdleTimeout = Timeout.InfiniteTimeSpan,
            PooledConnectionLifetime = Timeout.InfiniteTimeSpan,
            MaxConnectionsPerServer = most,
            InitialHttp2StreamWindowSize = streamWindow,
            ConnectTimeout = Math.Max(1, endpoint.Addresses?.Count ?? 1) * patience,
        };
        var tuning = limits?.Tuning ?? new();
        Handler.InitialHttp2StreamWindowSize = tuning.ClientWindow ?? Handler.InitialHttp2StreamWindowSize;
        if (tuning.MultipleConnections is { } several)
        {
            Handler.EnableMultipleHttp2Connections = several;
            Handler.MaxConnectionsPerServer = several ? int.MaxValue : most;
        }

        if (tuning.KeepAlive is { } silence)
        {
            (Handler.KeepAlivePingDelay, Handler.KeepAlivePingTimeout) = (silence, silence);
            Handler.KeepAlivePingPolicy = HttpKeepAlivePingPolicy.WithActiveRequests;
        }

        window = Handler.InitialHttp2StreamWindowSize;
        Handler.ConnectCallback = (_, cancellationToken) => ConnectAsync(cancellationToken);
        Handler.PlaintextStreamFilter = (context, _) => Ready(context);
        SetTrust(Handler.SslOptions, endpoint);
    }

    public static string Settings =>
        $"one connection, windows of {streamWindow / (1024 * 1024)} MiB instead of 64 KiB, no proxy, cookies, redirects and tracing headers";

    public SocketsHttpHandler Handler { get; }

    public RpcConnectionFacts Facts => new()
    {
        Opened = Volatile.Read(ref opened),
        Tls = tls,
        Address = address,
        ConnectTime = connectTime,
        Http2 = new Dictionary<string, long> { ["clientStreamWindowBytes"] = window },
    };

    /// <summary>The HTTP version of the connection; null before it is open. Without TLS, the first reply confirms it.</summary>
    public Version? Negotiated { get; private set; }

    public static void SetTrust(SslClientAuthenticationOptions options, RpcEndpoint endpoint)
    {
        options.TargetHost = endpoint.ServerName;
        options.ClientCertificateContext = endpoint.ClientCertificate;
        if (endpoint.Thumbprint is { } thumbprint)
        {
            options.RemoteCertificateValidationCallback = (_, certificate, _, _) => IsPinned(certificate, thumbprint)
                ? true : throw new CertificateException("the certificate is not the one with the thumbprint that was given");
        }
        else if (endpoint.Trust is { AcceptAny: true })
        {
#pragma warning disable CA5359 // the caller asked for it explicitly
            options.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        }
        else if (endpoint.Trust is { } trust)
        {
            options.RemoteCertificateValidationCallback = (_, _, chain, errors) => IsTrusted(endpoint, chain, errors);
            if (trust.Roots is { } roots)
            {
                // private certificate authorities usually publish no revocation lists
                options.CertificateChainPolicy =
                    new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
                options.CertificateChainPolicy.CustomTrustStore.AddRange(roots);
            }
        }
    }

    public void Dispose() => Handler.Dispose();

    /// <param name="address">One of the endpoint's; null for its host.</param>
    internal static async ValueTask<Socket> ConnectAsync(RpcEndpoint endpoint, IPEndPoint? address, CancellationToken cancellationToken)
    {
        var unix = endpoint.UnixSocket;
        var socket = unix is null
            ? new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true }
            : new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            if (address is not null)
                await socket.ConnectAsync(address, cancellationToken);
            else if (unix is null)
                await socket.ConnectAsync(endpoint.Host, endpoint.Port, cancellationToken);
            else
                await socket.ConnectAsync(new UnixDomainSocketEndPoint(unix), cancellationToken);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    async ValueTask<Stream> ConnectAsync(CancellationToken cancellationToken)
    {
        if (endpoint.Addresses is not { } addresses)
            return await OpenAsync(null, cancellationToken);
        foreach (var one in addresses.SkipLast(1))
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(patience);
            try
            {
                return await OpenAsync(one, limit.Token);
            }
            catch (Exception e) when (e is SocketException or IOException or AuthenticationException or OperationCanceledException
                && !cancellationToken.IsCancellationRequested)
            {
                // the next address may answer
            }
        }

        return await OpenAsync(addresses[^1], cancellationToken);
    }

    async ValueTask<Stream> OpenAsync(IPEndPoint? target, CancellationToken cancellationToken)
    {
        began = Stopwatch.GetTimestamp();
        var socket = await ConnectAsync(endpoint, target, cancellationToken);
        var stream = new NetworkStream(socket, ownsSocket: true);
        if (!endpoint.Tls || endpoint is { TlsName: null, Authority: null, Addresses: null })
            return Opened(stream);
        // the handler would replace the name by that of the authority, and not try the next address
        var options = new SslClientAuthenticationOptions { ApplicationProtocols = [SslApplicationProtocol.Http2] };
        SetTrust(options, endpoint);
        var secure = new SslStream(stream);
        try
        {
            await secure.AuthenticateAsClientAsync(options, cancellationToken);
            return Opened(secure);
        }
        catch
        {
            await secure.DisposeAsync();
            throw;
        }

        Stream Opened(Stream open)
        {
            address = target;
            Interlocked.Increment(ref opened);
            return open;
        }
    }

    /// <summary>Called when the connection is open, including TLS, before anything is sent.</summary>
    ValueTask<Stream> Ready(SocketsHttpPlaintextStreamFilterContext context)
    {
        connectTime = Stopwatch.GetElapsedTime(began);
        Negotiated = context.NegotiatedHttpVersion;
        if (context.PlaintextStream is SslStream secure)
            tls = $"{secure.SslProtocol} {secure.NegotiatedCipherSuite}";
        return new(context.PlaintextStream);
    }

    /// <summary>Throws the reason for a certificate that is not trusted.</summary>
    static bool IsTrusted(RpcEndpoint endpoint, X509Chain? chain, SslPolicyErrors errors) => errors switch
    {
        SslPolicyErrors.None => true,
        _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => throw new CertificateException("the server has no certificate"),
        _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch) =>
            throw new CertificateException($"the certificate is for another name than {endpoint.TlsName ?? endpoint.Host}"),
        _ => throw new CertificateException("no trusted root has issued the certificate: "
            + string.Join(", ", chain?.ChainStatus.Select(status => status.Status.ToString()).Distinct() ?? [])),
    };

    /// <summary>Compares the certificate with the pinned one. Chain and name are not checked.</summary>
    static bool IsPinned(X509Certificate? certificate, string thumbprint) =>
        certificate is not null
        && string.Equals(SelfSignedCertificate.Thumbprint(certificate), thumbprint, StringComparison.OrdinalIgnoreCase);
}

sealed class CertificateException(string message) : AuthenticationException(message);

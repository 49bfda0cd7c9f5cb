using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc;

/// <summary>The endpoint of a server: an address and port, or a Unix domain socket, with or without TLS.</summary>
public sealed record RpcEndpoint
{
    /// <summary>Brackets around an IPv6 address are removed. A server binds to it: 0.0.0.0 or :: are all interfaces.</summary>
    public string Host
    {
        get;
        init => field = value is ['[', .. var address, ']'] ? address : value;
    } = "127.0.0.1";

    /// <summary>The TCP port; 0 lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>The path of a Unix domain socket; then host and port only name the server in headers.</summary>
    public string? UnixSocket { get; init; }

    /// <summary>Where a client connects: to the first that answers. Null for the addresses of <see cref="Host"/>.</summary>
    public IReadOnlyList<IPEndPoint>? Addresses { get; init; }

    /// <summary>Whether each connection begins with the next of <see cref="Addresses"/>.</summary>
    public bool InTurn { get; init; }

    /// <summary>SHA-256 of the server's certificate in hex: the only certificate that a client accepts. Null for no TLS.</summary>
    public string? Thumbprint { get; init; }

    /// <summary>How a client checks a certificate that is not pinned; null for a pinned certificate and without TLS.</summary>
    public ServerTrust? Trust { get; init; }

    /// <summary>The certificate with which a client authenticates itself; null for none.</summary>
    public SslStreamCertificateContext? ClientCertificate { get; init; }

    /// <summary>The name that a client expects in the certificate, and sends in the TLS handshake; null for that of the host.</summary>
    public string? TlsName { get; init; }

    /// <summary>What a client sends as <c>:authority</c>; null for host and port.</summary>
    public string? Authority { get; init; }

    public bool Tls => Thumbprint is not null || Trust is not null;

    public bool IsLoopback => Addresses?.All(one => IPAddress.IsLoopback(one.Address))
        ?? (Host == "localhost" || (IPAddress.TryParse(Host, out var address) && IPAddress.IsLoopback(address)));

    public Uri Url => Authority is { } other ? new($"{Scheme}://{other}") : Address;

    /// <summary>Returns the endpoint of a client's connection, whose addresses begin with its own.</summary>
    /// <param name="number">The number of the connection, from 0.</param>
    public RpcEndpoint OfConnection(int number) => InTurn && Addresses is { Count: > 0 } all
        ? this with { Addresses = [.. all.Skip(number % all.Count), .. all.Take(number % all.Count)] } : this;

    /// <exception cref="FormatException">Thrown when the host is neither an IP address nor localhost.</exception>
    public IPAddress ToAddress() => Host switch
    {
        "localhost" => IPAddress.Loopback,
        _ when IPAddress.TryParse(Host, out var address) => address,
        _ => throw new FormatException($"'{Host}' is not an IP address to bind"),
    };

    public override string ToString() => UnixSocket is { } path ? $"unix:{path}" : ToUrl(Host, Port);

    internal string ServerName => TlsName ?? Address.IdnHost;

    Uri Address => new(ToUrl(UnixSocket is null ? Host : "localhost", Port == 0 ? 1 : Port));

    string Scheme => Tls ? "https" : "http";

    string ToUrl(string host, int port) => $"{Scheme}://{(host.Contains(':', StringComparison.Ordinal) ? $"[{host}]" : host)}:{port}";
}

/// <summary>For a certificate that is not pinned by its thumbprint.</summary>
public sealed record ServerTrust
{
    /// <summary>The trusted root certificates; null for those of the system.</summary>
    public X509Certificate2Collection? Roots { get; init; }

    /// <summary>Whether any certificate is accepted. The connection is encrypted, but the peer is not authenticated.</summary>
    public bool AcceptAny { get; init; }
}

/// <summary>Creates a certificate for one run. It exists in memory only, and a client trusts it by its thumbprint.</summary>
public static class SelfSignedCertificate
{
    /// <summary>Creates a new key (ECDSA P-256) and certificate, valid for one day. The caller disposes it.</summary>
    public static X509Certificate2 Create()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=ProtoBench", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = DateTimeOffset.UtcNow;
        using var certificate = request.CreateSelfSigned(now.AddHours(-1), now.AddDays(1));
        return WithStoredKey(certificate);
    }

    // SslStream on Windows cannot use a key that is in memory only. A round trip through PKCS#12 is the documented solution.
    public static X509Certificate2 WithStoredKey(X509Certificate2 certificate) =>
        X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);

    public static string Thumbprint(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256);
}

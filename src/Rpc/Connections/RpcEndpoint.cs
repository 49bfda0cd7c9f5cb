using System.Globalization;
using System.Net;

namespace ProtoBench.Rpc.Connections;

/// <summary>The endpoint of a server: an address and port, or a Unix domain socket, with or without TLS.</summary>
public sealed record RpcEndpoint
{
    /// <summary>A name or an IP address. A server binds to it: loopback by default, 0.0.0.0 or [::] for all interfaces.</summary>
    public string Host { get; init; } = "127.0.0.1";

    /// <summary>The TCP port; 0 lets the system choose.</summary>
    public int Port { get; init; }

    /// <summary>The path of a Unix domain socket; then host and port only name the server in headers.</summary>
    public string? UnixSocket { get; init; }

    /// <summary>SHA-256 of the server's certificate in hex: the only certificate that a client accepts. Null for no TLS.</summary>
    public string? Thumbprint { get; init; }

    /// <summary>How a client checks a certificate that is not pinned; null where it is, or for no TLS. The transport <c>socket</c> supports
    /// pinned certificates only.</summary>
    public ServerTrust? Trust { get; init; }

    /// <summary>Whether the endpoint uses TLS.</summary>
    public bool Tls => Thumbprint is not null || Trust is not null;

    /// <summary>The address as a URL.</summary>
    public Uri Url =>
        new($"{(Tls ? "https" : "http")}://{(UnixSocket is null ? Host : "localhost")}:{(Port == 0 ? 1 : Port).ToString(CultureInfo.InvariantCulture)}");

    /// <summary>The interfaces that a server binds.</summary>
    /// <exception cref="FormatException">The host is neither an IP address nor localhost.</exception>
    public IPAddress ToAddress() => Host switch
    {
        "localhost" => IPAddress.Loopback,
        _ when IPAddress.TryParse(Host, out var address) => address,
        _ => throw new FormatException($"'{Host}' is not an IP address to bind"),
    };

    /// <summary>The address as text.</summary>
    public override string ToString() =>
        UnixSocket is { } path ? $"unix:{path}" : $"{(Tls ? "https" : "http")}://{Host}:{Port.ToString(CultureInfo.InvariantCulture)}";
}

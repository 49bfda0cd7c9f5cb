using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc.Connections;

/// <summary>How a client checks the certificate of a server that is not pinned by its thumbprint.</summary>
public sealed record ServerTrust
{
    /// <summary>The roots that a chain may end in; null for those of the system.</summary>
    public X509Certificate2Collection? Roots { get; init; }

    /// <summary>Accept any certificate. The connection is encrypted, but the peer is not authenticated.</summary>
    public bool AcceptAny { get; init; }
}

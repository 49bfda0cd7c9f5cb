using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.Rpc.Connections;

/// <summary>A certificate for one run. It exists in memory only, and a client trusts it by its thumbprint.</summary>
public static class SelfSignedCertificate
{
    /// <summary>A new key (ECDSA P-256) and certificate, valid for a day. The caller disposes it.</summary>
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
        // SslStream on Windows cannot use a key that lives in memory only; a round trip through PKCS#12 is the documented way
        return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    /// <summary>SHA-256 of a certificate, in hex: what <see cref="RpcEndpoint.Thumbprint"/> holds.</summary>
    public static string Thumbprint(X509Certificate certificate) => certificate.GetCertHashString(HashAlgorithmName.SHA256);
}

using System.CommandLine;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ProtoBench.GrpcHost;

/// <summary>How the connections to a target are secured. Names and meaning are those of ghz, but plain text is the default.</summary>
/// <param name="hostTls">The option of the same name of a command that starts hosts too; null for none.</param>
sealed class TlsOptions(Option<bool>? hostTls)
{
    readonly Option<bool> tls = hostTls ?? Arguments.Option<bool>("--tls", "TLS to the target, with the system's root certificates");

    readonly Option<bool> insecure = Arguments.Option<bool>(
        "--insecure", "no TLS to the target: the default, but not of --config");

    readonly Option<string?> cacert = Arguments.Option<string?>(
        "--cacert", "TLS to the target, with the root certificates of this PEM file");

    readonly Option<bool> skipVerify = Arguments.Option<bool>(
        "--skip-tls-verify --skipTLS", "TLS to the target without checking its certificate");

    readonly Option<string?> cname = Arguments.Option<string?>(
        "--cname", "TLS to the target, whose certificate is for this name (that of --target)");

    readonly Option<string?> cert = Arguments.Option<string?>(
        "--cert", "TLS to the target, with a client certificate: a PEM file, which may also have its issuers");

    readonly Option<string?> key = Arguments.Option<string?>("--key", "the private key of --cert: a PEM file (that of --cert)");

    public IEnumerable<Option> All => [tls, insecure, cacert, skipVerify, cname, cert, key];

    public RpcEndpoint Of(ParseResult parsed, RpcEndpoint endpoint)
    {
        var secure = endpoint with
        {
            Trust = Trust(parsed),
            TlsName = parsed.GetValue(cname),
            ClientCertificate = ClientCertificate(parsed),
        };
        if (secure.Trust is not null && parsed.GetValue(insecure))
            throw new UsageException("--insecure is without TLS, which another option needs");
        return secure;
    }

    ServerTrust? Trust(ParseResult parsed)
    {
        if (parsed.GetValue(skipVerify))
            return new() { AcceptAny = true };
        if (parsed.GetValue(cacert) is { } file)
            return new() { Roots = Certificates(file) };
        return parsed.GetValue(tls) || parsed.GetValue(cname) is not null || parsed.GetValue(cert) is not null ? new() : null;
    }

    SslStreamCertificateContext? ClientCertificate(ParseResult parsed)
    {
        if (parsed.GetValue(cert) is not { } file)
            return parsed.GetValue(key) is null ? null : throw new UsageException("--key is the key of --cert, which is missing");
        var chain = Certificates(file);
        var keyFile = parsed.GetValue(key) ?? file;
        var pem = Read(keyFile, File.ReadAllText);
        if (pem.Contains("ENCRYPTED", StringComparison.Ordinal))
            throw new UsageException($"{keyFile}: the private key is encrypted; 'openssl pkey -in {keyFile}' decrypts it");
        if (!pem.Contains("PRIVATE KEY-----", StringComparison.Ordinal))
            throw new UsageException($"{keyFile} has no private key in PEM form{(keyFile == file ? ": name it with --key" : "")}");
        var (from, to) = (chain[0].NotBefore.ToUniversalTime(), chain[0].NotAfter.ToUniversalTime());
        if (DateTime.UtcNow < from || DateTime.UtcNow > to)
            throw new UsageException(DateTime.UtcNow > to
                ? $"{file}: the client certificate has expired on {to:u}" : $"{file}: the client certificate is not valid before {from:u}");
        try
        {
            using var own = X509Certificate2.CreateFromPem(File.ReadAllText(file), pem);
            return SslStreamCertificateContext.Create(SelfSignedCertificate.WithStoredKey(own), [.. chain.Skip(1)], offline: true);
        }
        catch (Exception e) when (e is CryptographicException or ArgumentException)
        {
            throw new UsageException($"{keyFile}: this is not the private key of the certificate in {file}", e);
        }
    }

    static X509Certificate2Collection Certificates(string file)
    {
        var certificates = new X509Certificate2Collection();
        Read(file, path =>
        {
            certificates.ImportFromPemFile(path);
            return "";
        });
        return certificates.Count > 0 ? certificates : throw new UsageException($"{file} has no certificate in PEM form");
    }

    static string Read(string file, Func<string, string> read)
    {
        try
        {
            return read(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new UsageException($"{file}: {e.Message}", e);
        }
    }
}

using System.CommandLine;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;
using ProtoBench.GrpcHost.Target;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>The options of a load on any gRPC server.</summary>
sealed class TargetOptions
{
    readonly MethodOptions method = new();

    readonly Option<string?> target = new("--target") { Description = "any gRPC server: host:port, or unix:path" };

    readonly Option<string[]> metadata =
        new("--metadata", "-m")
        {
            Description = "metadata to send with each call: key=value; values of keys that end in -bin are base64",
            AllowMultipleArgumentsPerToken = true
        };

    readonly Option<bool> tls = new("--tls") { Description = "TLS to the target, with the system's root certificates" };

    readonly Option<string?> cacert = new("--cacert") { Description = "TLS to the target, with the root certificates of this PEM file" };

    readonly Option<bool> skipVerify =
        new("--skip-tls-verify", "--skipTLS") { Description = "TLS to the target without checking its certificate" };

    readonly Option<string> order = new Option<string>("--order")
    {
        Description = "requests are sent in turn, or drawn at random by --seed",
        DefaultValueFactory = _ => "turn",
    }.AcceptOnlyFromAmong("turn", "draw");

    public IEnumerable<Option> All => [target, .. method.All, metadata, tls, cacert, skipVerify, order];

    /// <summary>Whether the command is about a target, or about the methods of .proto files.</summary>
    public bool IsUsed(ParseResult parsed) =>
        parsed.GetValue(target) is not null || method.HasProtos(parsed) || parsed.GetValue(method.Method) is not null;

    /// <summary>What is to be loaded; null after the methods were listed instead.</summary>
    /// <param name="parsed">The command line.</param>
    /// <param name="payloads">The captured requests.</param>
    /// <param name="seed">Of the draw.</param>
    /// <param name="output">Takes the list of methods.</param>
    /// <param name="cancellationToken">Stops reading.</param>
    /// <exception cref="RunException">Something is missing or cannot be read.</exception>
    public async Task<TargetSubject?> ReadAsync(ParseResult parsed, IReadOnlyList<string> payloads, int seed, TextWriter output,
        CancellationToken cancellationToken)
    {
        if (method.HasProtos(parsed) && parsed.GetValue(method.Method) is null)
        {
            await method.ListAsync(parsed, output, cancellationToken);
            return null;
        }

        var address = parsed.GetValue(target) ?? throw new RunException(ExitCode.Usage, "--target is missing: the server's host:port");
        var (schema, called, described) = await method.ReadAsync(parsed, cancellationToken);
        if (payloads.Count == 0)
            throw new RunException(ExitCode.Usage, "--payload is missing: files or folders of captured requests");
        var requests = await MethodSchema.ReadAsync(schema, described?.Request, payloads, cancellationToken);
        return new(Endpoint(parsed, address), called, new(requests, parsed.GetValue(order) == "draw" ? seed : null), Metadata(parsed));
    }

    RpcEndpoint Endpoint(ParseResult parsed, string address)
    {
        var trust = Trust(parsed);
        if (address.StartsWith("unix:", StringComparison.Ordinal))
            return new() { UnixSocket = address["unix:".Length..], Trust = trust };
        return Uri.TryCreate("http://" + address, UriKind.Absolute, out var url) && url is { Port: > 0, PathAndQuery: "/" }
            && address.Contains(':', StringComparison.Ordinal)
            ? new() { Host = url.Host.Trim('[', ']'), Port = url.Port, Trust = trust }
            : throw new RunException(ExitCode.Usage, $"'{address}' is not a target: host:port or unix:path, without http://");
    }

    ServerTrust? Trust(ParseResult parsed)
    {
        if (parsed.GetValue(skipVerify))
            return new() { AcceptAny = true };
        if (parsed.GetValue(cacert) is not { } file)
            return parsed.GetValue(tls) ? new() : null;
        try
        {
            var roots = new X509Certificate2Collection();
            roots.ImportFromPemFile(file);
            return roots.Count > 0
                ? new() { Roots = roots } : throw new RunException(ExitCode.Usage, $"{file} has no certificate in PEM form");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new RunException(ExitCode.Usage, $"{file}: {e.Message}", e);
        }
    }

    Metadata? Metadata(ParseResult parsed)
    {
        if (parsed.GetValue(metadata) is not { Length: > 0 } entries)
            return null;
        var result = new Metadata();
        foreach (var entry in entries)
        {
            if (entry.IndexOf('=', StringComparison.Ordinal) is not (> 0 and var at))
                throw new RunException(ExitCode.Usage, $"'{entry}' is not metadata: key=value");
            var (key, value) = (entry[..at], entry[(at + 1)..]);
            try
            {
                if (key.StartsWith("grpc-", StringComparison.OrdinalIgnoreCase))
                    throw new FormatException("such keys belong to the protocol");
                if (key.EndsWith(Grpc.Core.Metadata.BinaryHeaderSuffix, StringComparison.Ordinal))
                    result.Add(key, Convert.FromBase64String(value));
                else if (value.AsSpan().ContainsAnyExceptInRange(' ', '~'))
                    throw new FormatException("the value is not printable ASCII; a key that ends in -bin takes base64");
                else
                    result.Add(key, value);
            }
            catch (Exception e) when (e is ArgumentException or FormatException)
            {
                throw new RunException(ExitCode.Usage, $"'{entry}' is not metadata: {e.Message}", e);
            }
        }

        return result;
    }
}

using System.Net;
using System.Net.Sockets;

namespace ProtoBench.GrpcHost;

/// <summary>Reads the name of a target: host and port, or a name of gRPC (grpc/grpc, doc/naming.md). Names are resolved once.</summary>
/// <param name="resolve">Returns the addresses of a name; null for those that the system knows.</param>
sealed class TargetName(Func<string, CancellationToken, Task<IPAddress[]>>? resolve = null)
{
    readonly Func<string, CancellationToken, Task<IPAddress[]>> resolve = resolve ?? Dns.GetHostAddressesAsync;

    /// <param name="target">The name.</param>
    /// <param name="options">What the endpoint has in addition.</param>
    /// <param name="inTurn">Whether each connection uses the next of the addresses.</param>
    /// <param name="cancellationToken">Ends the resolution.</param>
    public async Task<RpcEndpoint> ReadAsync(string target, RpcEndpoint options, bool inTurn, CancellationToken cancellationToken)
    {
        var (scheme, rest) = SchemeOf(target);
        // in ghz a plain name with round_robin is one server, and a file of it may have both
        if (inTurn && scheme.Length == 0)
            scheme = "dns";
        if (inTurn && scheme is not ("dns" or "ipv4" or "ipv6"))
            throw new UsageException(
                $"--lb-strategy round_robin: '{target}' has no addresses to use in turn: dns:///name:port or ipv4:address:port,address:port");
        switch (scheme)
        {
            case "unix":
                return options with { UnixSocket = rest };
            case "dns":
                var named = HostAndPort(rest, target, options);
                return named with { Addresses = await ResolveAsync(named.Host, named.Port, cancellationToken), InTurn = inTurn };
            case "ipv4" or "ipv6":
                var family = scheme == "ipv4" ? AddressFamily.InterNetwork : AddressFamily.InterNetworkV6;
                IPEndPoint[] addresses = [.. rest.Split(',').Select(one => IPEndPoint.TryParse(one, out var address) && address.Port > 0
                    && address.AddressFamily == family ? address : throw Wrong(target)).Distinct()];
                return options with
                {
                    Host = addresses[0].Address.ToString(),
                    Port = addresses[0].Port,
                    Addresses = addresses,
                    InTurn = inTurn,
                };
            default:
                return HostAndPort(rest, target, options);
        }
    }

    static (string Scheme, string Address) SchemeOf(string target)
    {
        // a host may have the name dns
        if (target.Split(':', 2) is not [var scheme and ("unix" or "dns" or "passthrough" or "ipv4" or "ipv6"), var rest]
            || ushort.TryParse(rest, out _))
            return ("", target);
        if (scheme == "unix" || !rest.StartsWith("//", StringComparison.Ordinal))
            return (scheme, rest);
        var end = rest.IndexOf('/', 2);
        return end == 2 ? (scheme, rest[3..]) : throw new UsageException(
            $"'{target}' names the authority '{(end < 0 ? rest[2..] : rest[2..end])}', which this client does not ask: "
                + $"{scheme}:///{(end < 0 ? rest[2..] : rest[(end + 1)..])}");
    }

    static RpcEndpoint HostAndPort(string address, string target, RpcEndpoint options) =>
        Uri.TryCreate("http://" + address, UriKind.Absolute, out var url) && url is { Port: > 0, PathAndQuery: "/" }
            && address.Contains(':', StringComparison.Ordinal)
            ? options with { Host = url.Host.Trim('[', ']'), Port = url.Port } : throw Wrong(target);

    static UsageException Wrong(string target) =>
        new($"'{target}' is not a target: host:port, unix:path, dns:///name:port or ipv4:address:port,address:port, without http://");

    async Task<IPEndPoint[]> ResolveAsync(string host, int port, CancellationToken cancellationToken)
    {
        try
        {
            if (await resolve(host, cancellationToken) is { Length: > 0 } addresses)
                return [.. addresses.Distinct().Select(address => new IPEndPoint(address, port))];
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            throw new RunException(ExitCode.Failed, $"the name '{host}' does not resolve: {e.Message}", e);
        }

        throw new RunException(ExitCode.Failed, $"the name '{host}' has no addresses");
    }
}

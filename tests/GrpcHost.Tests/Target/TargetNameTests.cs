using System.Net;
using System.Net.Sockets;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

public sealed class TargetNameTests : IDisposable
{
    readonly string payload = Path.GetTempFileName();

    public TargetNameTests() => File.WriteAllBytes(payload, [1, 2, 3]);

    public void Dispose() => File.Delete(payload);

    public static TheoryData<string> Clients => [StackClient.Name, EventLoopClient.Name];

    [Theory]
    [InlineData("orders:5006", "orders", 5006, null)]
    [InlineData("dns:5006", "dns", 5006, null)]
    [InlineData("[::1]:5006", "::1", 5006, null)]
    [InlineData("passthrough:///orders:5006", "orders", 5006, null)]
    [InlineData("dns:///orders:5006", "orders", 5006, "10.0.0.1:5006 [::7]:5006")]
    [InlineData("dns:orders:5006", "orders", 5006, "10.0.0.1:5006 [::7]:5006")]
    [InlineData("dns:///[::1]:5006", "::1", 5006, "[::1]:5006")]
    [InlineData("ipv4:10.0.0.3:80,10.0.0.4:81", "10.0.0.3", 80, "10.0.0.3:80 10.0.0.4:81")]
    [InlineData("ipv6:[::3]:80,[::4]:81", "::3", 80, "[::3]:80 [::4]:81")]
    public async Task A_name_of_gRPC_has_addresses(string target, string host, int port, string? addresses)
    {
        var endpoint = await ReadAsync(target, new() { TlsName = "other" });
        Assert.Equal((host, port, "other", addresses), (endpoint.Host, endpoint.Port, endpoint.TlsName,
            endpoint.Addresses is null ? null : string.Join(' ', endpoint.Addresses)));
    }

    /// <summary>A file of ghz may have round_robin and a plain name.</summary>
    [Theory]
    [InlineData("orders:5006", "orders", "10.0.0.1:5006 [::7]:5006")]
    [InlineData("10.0.0.9:5006", "10.0.0.9", "10.0.0.9:5006")]
    public async Task A_plain_name_is_resolved_if_its_addresses_are_used_in_turn(string target, string host, string addresses)
    {
        var endpoint = await ReadAsync(target, new(), inTurn: true);
        Assert.Equal((host, 5006, addresses, true), (endpoint.Host, endpoint.Port, string.Join(' ', endpoint.Addresses!), endpoint.InTurn));
    }

    [Theory]
    [InlineData("unix:/run/a.sock", "/run/a.sock")]
    [InlineData("unix:a.sock", "a.sock")]
    public async Task A_path_is_a_socket(string target, string path) => Assert.Equal(path, (await ReadAsync(target, new())).UnixSocket);

    [Theory]
    [InlineData("dns://8.8.8.8/orders:5006", "'dns://8.8.8.8/orders:5006' names the authority '8.8.8.8', which this client does not ask: "
        + "dns:///orders:5006")]
    [InlineData("dns://orders:5006", "'dns://orders:5006' names the authority 'orders:5006', which this client does not ask: dns:///orders:5006")]
    [InlineData("dns:///orders", "'dns:///orders' is not a target")]
    [InlineData("ipv4:10.0.0.1", "'ipv4:10.0.0.1' is not a target")]
    [InlineData("ipv4:10.0.0.1:1,[::1]:1", "'ipv4:10.0.0.1:1,[::1]:1' is not a target")]
    [InlineData("ipv4:", "'ipv4:' is not a target")]
    [InlineData("http://orders:1", "'http://orders:1' is not a target")]
    public async Task What_is_no_name_is_refused(string target, string message)
    {
        var failure = await Assert.ThrowsAsync<UsageException>(() => ReadAsync(target, new()));
        Assert.StartsWith(message, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_name_that_does_not_resolve_is_said()
    {
        var none = new SocketException((int)SocketError.HostNotFound);
        var failure = await Assert.ThrowsAsync<RunException>(() => new TargetName((_, _) => throw none)
            .ReadAsync("dns:///orders:1", new(), inTurn: false, default));
        Assert.StartsWith("the name 'orders' does not resolve: ", failure.Message, StringComparison.Ordinal);
        failure = await Assert.ThrowsAsync<RunException>(() => new TargetName((_, _) => Task.FromResult(Array.Empty<IPAddress>()))
            .ReadAsync("dns:///orders:1", new(), inTurn: false, default));
        Assert.Equal("the name 'orders' has no addresses", failure.Message);
    }

    [Theory]
    [InlineData("passthrough:///orders:1 --lb-strategy round_robin", "--lb-strategy round_robin: 'passthrough:///orders:1' has no addresses")]
    [InlineData("unix:/run/a.sock --lb-strategy round_robin", "--lb-strategy round_robin: 'unix:/run/a.sock' has no addresses to use in turn")]
    [InlineData("localhost:1 --keepalive 500ms", "--keepalive is from 1s to 24h, not 500ms")]
    [InlineData("localhost:1 --keepalive 25h", "--keepalive is from 1s to 24h, not 25h")]
    [InlineData("localhost:1 --keepalive soon", "'soon' is not a duration for --keepalive")]
    public async Task Options_of_connections_are_checked(string arguments, string message)
    {
        foreach (var client in new[] { StackClient.Name, EventLoopClient.Name })
        {
            var (exit, _, error) = await TheProgram.RunAsync(["load", "--target", .. arguments.Split(' '), "--method", "a.B/C",
                "--payload", payload, "--client", client]);
            Assert.Equal(2, exit);
            Assert.StartsWith(message, error, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData(StackClient.Name, "")]
    [InlineData(EventLoopClient.Name, "")]
    [InlineData(EventLoopClient.Name, "--processes 2")]
    public async Task Connections_use_the_addresses_in_turn(string client, string processes)
    {
        await using var one = Server();
        await using var two = Server();
        var (a, b) = (Address(one), Address(two));
        var output = await LoadAsync($"ipv4:{a},{b}", client, $"--lb-strategy round_robin --connections 4 -c 4 {processes}");
        Assert.Contains($"addresses of http://{a}: {a} (2 connections), {b} (2 connections)", output, StringComparison.Ordinal);
        Assert.Equal((2, 2), (one.Connections, two.Connections));
        Assert.DoesNotContain("--lb-strategy", output, StringComparison.Ordinal);
    }

    /// <summary>Each has one connection, and begins with the next address.</summary>
    [Fact]
    public async Task Processes_use_the_addresses_in_turn()
    {
        await using var one = Server();
        await using var two = Server();
        await LoadAsync($"ipv4:{Address(one)},{Address(two)}", EventLoopClient.Name, "--lb-strategy round_robin --connections 2 -c 2 --processes 2");
        Assert.Equal((1, 1), (one.Connections, two.Connections));
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task The_first_address_that_answers_has_all_connections_by_default(string client)
    {
        await using var one = Server();
        await using var two = Server();
        var (closed, a, b) = (ClosedPort(), Address(one), Address(two));
        var output = await LoadAsync($"ipv4:{closed},{a},{b}", client, "--connections 2 -c 2");
        Assert.Contains($"addresses of http://{closed}: {closed} (0 connections), {a} (2 connections), {b} (0 connections)", output,
            StringComparison.Ordinal);
        Assert.Contains($"note: http://{closed} has 3 addresses, and each connection uses the first that answers: --lb-strategy round_robin",
            output, StringComparison.Ordinal);
        Assert.Equal((2, 0), (one.Connections, two.Connections));
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task Addresses_without_a_connection_are_noted(string client)
    {
        await using var one = Server();
        var (closed, a) = (ClosedPort(), Address(one));
        Assert.Contains("note: 1 connection for 2 addresses: each address needs one (--connections 2)",
            await LoadAsync($"ipv4:{a},{closed}", client, "--lb-strategy round_robin"), StringComparison.Ordinal);
        Assert.Contains($"note: no connection is to {closed}, which did not answer: the next address has its connections",
            await LoadAsync($"ipv4:{a},{closed}", client, "--lb-strategy round_robin --connections 2 -c 2"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task The_system_resolves_a_name(string client)
    {
        await using var server = Server();
        var output = await LoadAsync($"dns:///localhost:{server.Endpoint.Port}", client, "--keepalive 30s");
        Assert.Contains("; a PING after 30 s without a byte", output, StringComparison.Ordinal);
        Assert.Contains($"addresses of http://localhost:{server.Endpoint.Port}: ", output, StringComparison.Ordinal);
        Assert.Contains($"127.0.0.1:{server.Endpoint.Port} (1 connection)", output, StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task A_lost_connection_is_opened_to_its_own_address_and_else_to_the_next(string client)
    {
        await using var one = Server();
        await using var two = Server();
        var endpoint = await new TargetName().ReadAsync($"ipv4:{Address(one)},{Address(two)}", new(), inTurn: true, default);
        var subject = new TargetSubject(endpoint, new("acme.Orders/Place", IsServerStreaming: false), new([new Payload("one", new byte[3])], null), null);
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Client = client, Requests = 10, Connections = 2, Concurrency = 2 };
        await using var session = new LoadSession(subject, plan);
        await OneRound.RunOnAsync(session, plan);
        Assert.Equal((1, 1), (one.Connections, two.Connections));

        await two.CloseAllAsync();
        await RoundAsync();
        Assert.Equal((1, 2), (one.Connections, two.Connections));

        await two.DisposeAsync();
        await RoundAsync();
        Assert.Equal((2, 2), (one.Connections, two.Connections));
        Assert.All(session.Connections, connection => Assert.Equal(endpoint.Addresses![0], connection.Address));

        async Task RoundAsync()
        {
            using var cancellation = new RunCancellation(default);
            await session.RunAsync(plan, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
        }
    }

    static Task<RpcEndpoint> ReadAsync(string target, RpcEndpoint options, bool inTurn = false)
    {
        return new TargetName(Resolve).ReadAsync(target, options, inTurn, default);

        static Task<IPAddress[]> Resolve(string host, CancellationToken token) => Task.FromResult(host switch
        {
            "orders" => [IPAddress.Parse("10.0.0.1"), IPAddress.Parse("::7"), IPAddress.Parse("10.0.0.1")],
            _ => new[] { IPAddress.Parse(host) },
        });
    }

    static FrameServer Server() => new((peer, stream, _) => peer.ReplyAsync(stream));

    static string Address(FrameServer server) => $"127.0.0.1:{server.Endpoint.Port}";

    static string ClosedPort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return $"{listener.LocalEndpoint}";
    }

    async Task<string> LoadAsync(string target, string client, string options)
    {
        var (exit, output, error) = await TheProgram.RunAsync(["load", "--target", target, "--client", client, "--method", "acme.Orders/Place",
            "--payload", payload, "-n", "8", "--rounds", "1", "--warmup", "0", .. options.Split(' ', StringSplitOptions.RemoveEmptyEntries)]);
        Verdict.AssertFollows(exit, output, error);
        Assert.Contains("successful rate 1 = 8/8", output, StringComparison.Ordinal);
        return output;
    }
}

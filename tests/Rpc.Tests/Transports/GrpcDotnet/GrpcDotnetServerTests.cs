using System.Net.Sockets;
using System.Text;
using static ProtoBench.Rpc.Tests.EchoService;

namespace ProtoBench.Rpc.Tests;

public sealed class GrpcDotnetServerTests(GrpcDotnetPeer peer) : IClassFixture<GrpcDotnetPeer>, IDisposable
{
    readonly RawRequest raw = new(peer.Endpoint);

    public void Dispose() => raw.Dispose();

    public static TheoryData<string, byte[], StatusCode> Malformed => new()
    {
        { "a length beyond the limit", [0, 0x7F, 0xFF, 0xFF, 0, 1], StatusCode.ResourceExhausted },
        { "a length that no array has", [0, 0xFF, 0xFF, 0xFF, 0xFF, 1], StatusCode.ResourceExhausted },
        { "the end in the middle of a message", [0, 0, 0, 0, 9, 1], StatusCode.Internal },
        { "the end in the middle of a prefix", [0, 0, 0], StatusCode.Internal },
        { "a flag that is neither 0 nor 1", [2, 0, 0, 0, 1, 1], StatusCode.Unknown },
        { "compressed, and no encoding", [1, 0, 0, 0, 1, 1], StatusCode.Internal },
        { "no message", [], StatusCode.Internal },
        { "two messages", [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1], StatusCode.Internal },
    };

    [Theory]
    [MemberData(nameof(Malformed))]
    public async Task A_malformed_request_has_a_status(string why, byte[] body, StatusCode status)
    {
        var (http, grpc, _) = await raw.SendAsync(body);
        Assert.True((200, status) == (http, grpc), $"{why}: {http}, {grpc}");
    }

    /// <summary>As if there were none: the caller has its own clock.</summary>
    [Theory]
    [InlineData("1")]
    [InlineData("S")]
    [InlineData("123456789S")]
    [InlineData("-1S")]
    [InlineData("1x")]
    public async Task A_malformed_timeout_is_ignored(string timeout)
    {
        var (_, grpc, _) =
            await raw.SendAsync([0, 0, 0, 0, 0], request => request.Headers.TryAddWithoutValidation("grpc-timeout", timeout));
        Assert.Equal(StatusCode.OK, grpc);
    }

    [Theory]
    [InlineData("application/json", 415)]
    [InlineData("application/grpc-web", 415)]
    [InlineData("application/grpc+proto", 200)]
    [InlineData("application/grpc; charset=utf-8", 200)]
    public async Task Only_gRPC_is_served(string contentType, int status) =>
        Assert.Equal(status, (await raw.SendAsync([0, 0, 0, 0, 0], contentType: contentType)).Http);

    [Fact]
    public async Task Only_POST_is_served() =>
        Assert.Equal(405, (await raw.SendAsync([0, 0, 0, 0, 0], request => request.Method = HttpMethod.Put)).Http);

    /// <summary>Routing alone decodes a path, and ignores its case and its query.</summary>
    [Theory]
    [InlineData("/test.Echo/Echo", StatusCode.OK)]
    [InlineData("/test.Echo/Echo?x=1", StatusCode.Unimplemented)]
    [InlineData("/test.Echo/Echo?", StatusCode.Unimplemented)]
    [InlineData("/%74est.Echo/Echo", StatusCode.Unimplemented)]
    [InlineData("/test.Echo/Echo/", StatusCode.Unimplemented)]
    [InlineData("//test.Echo/Echo", StatusCode.Unimplemented)]
    [InlineData("/test.Echo/echo", StatusCode.Unimplemented)]
    [InlineData("/test.Echo/Other", StatusCode.Unimplemented)]
    [InlineData("/test.Echo/{unimplementedMethod}", StatusCode.Unimplemented)]
    [InlineData("/other", StatusCode.Unimplemented)]
    [InlineData("/", StatusCode.Unimplemented)]
    public async Task A_path_is_matched_exactly(string path, StatusCode status)
    {
        var (http, grpc, _) = await raw.SendAsync([0, 0, 0, 0, 0], path: path);
        Assert.Equal((200, status), (http, grpc));
    }

    /// <summary>Without TLS, and with the preface of HTTP/2 or without it.</summary>
    [Theory]
    [InlineData("")]
    [InlineData("PRI * HT")]
    [InlineData("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0")]
    public async Task A_connection_that_says_nothing_is_closed(string sent)
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers,
            new() { IdleTimeout = TimeSpan.FromMilliseconds(500) });
        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync("127.0.0.1", server.Endpoint.Port);
        await socket.SendAsync(Encoding.Latin1.GetBytes(sent));
        using var limit = new CancellationTokenSource(TransportFixture.Patience);
        var bytes = new byte[4096];
        while (await socket.ReceiveAsync(bytes, limit.Token) > 0)
        {
            // the host's settings, and why it closes the connection
        }
    }

    [Fact]
    public async Task A_failure_before_any_message_is_in_the_headers()
    {
        var (_, _, reply) = await raw.SendAsync([0, 0, 0, 0, 0], path: "/test.Echo/Nothing");
        Assert.True(reply.Headers.Contains("grpc-status"));
        Assert.Empty(reply.TrailingHeaders);
    }

    [Fact]
    public async Task An_exception_in_a_handler_is_unknown_and_leaks_no_text()
    {
        await using var client = new GrpcDotnetClient(peer.Endpoint);
        var failure = await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(Throw, Message("")).AsTask());
        Assert.Equal(StatusCode.Unknown, failure.StatusCode);
        Assert.DoesNotContain("secret", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_deadline_ends_the_call_of_a_handler_that_ignores_it()
    {
        var (_, grpc, _) = await raw.SendAsync([0, 0, 0, 0, 0], request => request.Headers.Add("grpc-timeout", "50m"), "/test.Echo/Ignore");
        Assert.Equal(StatusCode.DeadlineExceeded, grpc);
    }

    [Theory]
    [InlineData("grpc-dotnet", 1)]
    [InlineData("grpc-dotnet-defaults", 2)]
    public async Task The_libraries_defaults_put_100_calls_on_a_connection(string stack, int connections)
    {
        const int calls = 101;
        var service = new EchoService();
        // which the stack with the libraries' defaults does not apply
        await using var fixture = await TransportFixture.StartAsync(stack, service.Handlers, new() { MaxStreamsPerConnection = calls });
        await fixture.Client.UnaryAsync(Echo, Message("first"));
        var waiting = Enumerable.Range(0, calls).Select(_ => fixture.Client.UnaryAsync(Ignore, Message("")).AsTask()).ToArray();
        await TransportFixture.UntilAsync(() => service.Ignored == calls);
        Assert.Equal(connections, fixture.Client.Connection.Opened);
        service.Released.SetResult();
        await Task.WhenAll(waiting);
    }

    [Fact]
    public async Task A_socket_that_is_in_use_is_not_taken_away()
    {
        var endpoint = new RpcEndpoint { UnixSocket = Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock") };
        await using (var first = await GrpcDotnetServer.StartAsync(endpoint, new EchoService().Handlers))
        {
            await Assert.ThrowsAsync<IOException>(() => GrpcDotnetServer.StartAsync(endpoint, []));
            await using var client = new GrpcDotnetClient(endpoint);
            Assert.Equal("there", Text(await client.UnaryAsync(Echo, Message("there"))));
        }

        Assert.False(File.Exists(endpoint.UnixSocket));
    }

    [Fact]
    public async Task A_certificate_that_is_not_the_pinned_one_is_refused()
    {
        using var certificate = SelfSignedCertificate.Create();
        using var other = SelfSignedCertificate.Create();
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, certificate: certificate);
        await using var right = new GrpcDotnetClient(server.Endpoint);
        await right.UnaryAsync(Echo, Message(""));
        await using var wrong = new GrpcDotnetClient(server.Endpoint with { Thumbprint = SelfSignedCertificate.Thumbprint(other) });
        var failure = await Assert.ThrowsAsync<RpcException>(() => wrong.UnaryAsync(Echo, Message("")).AsTask());
        Assert.Equal(StatusCode.Unavailable, failure.StatusCode);
    }
}

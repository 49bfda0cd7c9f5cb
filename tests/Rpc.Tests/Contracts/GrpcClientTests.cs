using static ProtoBench.Rpc.Tests.EchoService;

namespace ProtoBench.Rpc.Tests;

public abstract class GrpcClientTests(Peer peer) : IAsyncDisposable
{
    readonly GrpcDotnetClient client = new(peer.Endpoint);

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(16 * 1024)]
    [InlineData(290_699)]
    [InlineData(4 * 1024 * 1024)]
    public async Task A_message_comes_back_as_it_was(int size)
    {
        var bytes = new byte[size];
        new Random(size).NextBytes(bytes);
        var reply = await client.UnaryAsync(Echo, Message(bytes));
        Assert.True(reply.Bytes.Span.SequenceEqual(bytes));
    }

    [Fact]
    public async Task One_connection_carries_300_calls_at_once()
    {
        var calls = Enumerable.Range(0, 300).Select(i => client.UnaryAsync(Echo, Message(i.ToString("D4"))).AsTask()).ToArray();
        var replies = await Task.WhenAll(calls);
        Assert.Equal(Enumerable.Range(0, 300).Select(i => i.ToString("D4")), replies.Select(Text));
        Assert.Equal((1, "HTTP/2", 0L), (client.Connection.Opened, client.Connection.Protocol, client.Connection.HiddenRetries));
    }

    [Fact]
    public async Task Metadata_goes_and_comes_back_twice()
    {
        var all = Enumerable.Range(0, 256).Select(i => (byte)i).ToArray();
        var call = new RpcCallOptions { Headers = new(), ResponseHeaders = new(), Trailers = new() };
        call.Headers.Add("x-text", "a, b ~");
        call.Headers.Add("x-some-bin", all);
        call.Headers.Add("x-some-bin", all[..1]);
        await client.UnaryAsync(Echo, Message("m"), call);
        foreach (var metadata in new[] { call.ResponseHeaders, call.Trailers })
        {
            Assert.Equal("a, b ~", metadata.GetValue("x-text"));
            Assert.Equal([all, [0]], metadata.GetAll("x-some-bin").Select(entry => entry.ValueBytes));
        }
    }

    [Theory]
    [InlineData(StatusCode.Cancelled)]
    [InlineData(StatusCode.InvalidArgument)]
    [InlineData(StatusCode.NotFound)]
    [InlineData(StatusCode.Unimplemented)]
    [InlineData(StatusCode.Unavailable)]
    [InlineData(StatusCode.Unauthenticated)]
    public async Task A_failure_arrives_with_its_status_text_and_metadata(StatusCode status)
    {
        const string text = "100 % Zürich\n東京 \U0001F5FB";
        var failure = await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(Fail, Message($"{status:D}:{text}")).AsTask());
        Assert.Equal((status, text), (failure.StatusCode, failure.Message));
        Assert.Equal("asked to", failure.Trailers.GetValue("x-reason"));
    }

    [Fact]
    public async Task An_unknown_method_is_unimplemented()
    {
        var failure =
            await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(Echo with { Path = "/test.Echo/Nothing" }, Message(""))
                .AsTask());
        Assert.Equal(StatusCode.Unimplemented, failure.StatusCode);
    }

    [Fact]
    public async Task An_exception_in_a_handler_is_unknown() =>
        Assert.Equal(StatusCode.Unknown,
            (await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(Throw, Message("")).AsTask())).StatusCode);

    [Fact]
    public async Task A_deadline_ends_the_call()
    {
        var failure = await Assert.ThrowsAsync<RpcException>(
            () => client.UnaryAsync(Wait, Message(""), new() { Timeout = TimeSpan.FromMilliseconds(50) }).AsTask());
        Assert.Equal(StatusCode.DeadlineExceeded, failure.StatusCode);
    }

    [Fact]
    public async Task A_deadline_that_is_over_never_sends()
    {
        var failure =
            await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(Wait, Message(""), new() { Timeout = TimeSpan.Zero }).AsTask());
        Assert.Equal((StatusCode.DeadlineExceeded, 0), (failure.StatusCode, client.Connection.Opened));
    }

    [Fact]
    public async Task The_caller_can_cancel()
    {
        await client.UnaryAsync(Echo, Message(""));
        using var cancellation = new CancellationTokenSource();
        var call = client.UnaryAsync(Wait, Message(""), cancellationToken: cancellation.Token).AsTask();
        await cancellation.CancelAsync();
        Assert.Equal(StatusCode.Cancelled, (await Assert.ThrowsAsync<RpcException>(() => call)).StatusCode);
    }

    [Fact]
    public async Task A_message_over_the_limit_is_refused()
    {
        await using var small = new GrpcDotnetClient(peer.Endpoint, new() { MaxReceiveBytes = 1000 });
        await small.UnaryAsync(Echo, Message(new byte[1000]));
        var failure = await Assert.ThrowsAsync<RpcException>(() => small.UnaryAsync(Echo, Message(new byte[1001])).AsTask());
        Assert.Equal(StatusCode.ResourceExhausted, failure.StatusCode);
    }

    [Fact]
    public async Task Ping_pong_on_one_stream()
    {
        await using var stream = client.Stream(Duplex);
        for (var i = 0; i < 1000; i++)
        {
            Assert.True(await stream.WriteAsync(Message(i.ToString("D4"))));
            Assert.Equal(i.ToString("D4"), Text((await stream.ReadAsync()).Message));
        }

        await stream.CompleteAsync();
        Assert.False((await stream.ReadAsync()).HasMessage);
    }

    [Fact]
    public async Task Five_messages_of_4_MiB_are_written_while_they_are_read()
    {
        await using var stream = client.Stream(Duplex);
        var sending = Send();
        for (var i = 0; i < 5; i++)
            Assert.Equal(4 * 1024 * 1024, (await stream.ReadAsync()).Message.Bytes.Length);
        Assert.False((await stream.ReadAsync()).HasMessage);
        await sending;

        async Task Send()
        {
            for (var i = 0; i < 5; i++)
                await stream.WriteAsync(Message(new byte[4 * 1024 * 1024]));
            await stream.CompleteAsync();
        }
    }

    [Fact]
    public async Task A_stream_without_messages_ends_well()
    {
        await using var stream = client.Stream(Duplex);
        await stream.CompleteAsync();
        Assert.False((await stream.ReadAsync()).HasMessage);
    }

    [Fact]
    public async Task Client_streaming_collects()
    {
        await using var stream = client.Stream(Collect);
        for (var i = 0; i < 1000; i++)
            await stream.WriteAsync(Message(new byte[10]));
        await stream.CompleteAsync();
        Assert.Equal("1000 10000", Text((await stream.ReadAsync()).Message));
        Assert.False((await stream.ReadAsync()).HasMessage);
    }

    [Fact]
    public async Task Server_streaming_expands()
    {
        await using var stream = client.Stream(Expand);
        await stream.WriteAsync(Message("1000 100"));
        await stream.CompleteAsync();
        var count = 0;
        while (await stream.ReadAsync() is { HasMessage: true } next)
        {
            Assert.Equal(100, next.Message.Bytes.Length);
            count++;
        }

        Assert.Equal(1000, count);
    }

    [Fact]
    public async Task A_stream_can_fail_after_a_message()
    {
        await using var stream = client.Stream(FailAfter);
        await stream.WriteAsync(Message("first"));
        Assert.Equal("first", Text((await stream.ReadAsync()).Message));
        var failure = await Assert.ThrowsAsync<RpcException>(() => stream.ReadAsync().AsTask());
        Assert.Equal((StatusCode.Aborted, "after one message"), (failure.StatusCode, failure.Message));
        // the peer has ended: writing says so, at the latest when the reset has arrived
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (await stream.WriteAsync(Message("more")))
            limit.Token.ThrowIfCancellationRequested();
    }

    [Fact]
    public async Task A_stream_has_a_deadline_too()
    {
        await using var stream = client.Stream(Duplex, new() { Timeout = TimeSpan.FromMilliseconds(50) });
        Assert.Equal(StatusCode.DeadlineExceeded, (await Assert.ThrowsAsync<RpcException>(() => stream.ReadAsync().AsTask())).StatusCode);
    }

    [Fact]
    public async Task A_stream_can_be_left_in_the_middle()
    {
        for (var i = 0; i < 20; i++)
        {
            await using var stream = client.Stream(Duplex);
            await stream.WriteAsync(Message("one"));
            if (i % 2 == 0)
                await stream.ReadAsync();
        }

        Assert.Equal("still here", Text(await client.UnaryAsync(Echo, Message("still here"))));
        Assert.Equal(1, client.Connection.Opened);
    }
}

public sealed class DotnetToDotnet(GrpcDotnetPeer peer) : GrpcClientTests(peer), IClassFixture<GrpcDotnetPeer>;

public sealed class DotnetToDotnetTls(GrpcDotnetTlsPeer peer) : GrpcClientTests(peer), IClassFixture<GrpcDotnetTlsPeer>;

public sealed class DotnetToDotnetUnix(GrpcDotnetUnixPeer peer) : GrpcClientTests(peer), IClassFixture<GrpcDotnetUnixPeer>;

public sealed class DotnetToNode(NodePeer peer) : GrpcClientTests(peer), IClassFixture<NodePeer>;

public sealed class DotnetToNodeTls(NodeTlsPeer peer) : GrpcClientTests(peer), IClassFixture<NodeTlsPeer>;

/// <summary>What a server must do for any gRPC client: the cases are in tests/node/client.mjs.</summary>
public class NodeClientTests
{
    public static TheoryData<string, bool> Servers =>
        [.. RpcTransports.All.Where(stack => stack is { SpeaksGrpc: true, OnlyCodecs: null })
            .SelectMany(stack => new (string, bool)[] { (stack.Name, false), (stack.Name, true) })];

    [Theory]
    [MemberData(nameof(Servers))]
    public async Task All_cases_pass(string stack, bool tls)
    {
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        var service = new EchoService();
        await using var server = await RpcTransports.Named(stack).StartAsync(new(), service.Handlers, null, certificate);
        await using var node =
            await Node.StartAsync("client.mjs",
                [$"127.0.0.1:{server.Endpoint.Port}",
                    .. certificate is null ? Array.Empty<string>() : [certificate.ExportCertificatePem()]]);
        var (exitCode, output) = await node.EndAsync(TimeSpan.FromMinutes(10));
        // with the libraries' defaults, routing takes a method in any case
        Assert.True(exitCode == 0 || (stack == "grpc-dotnet-defaults" && output.Split("FAILED another method").Length == 2), output);
        Assert.Equal(exitCode == 0 ? 26 : 25, output.Split('\n').Count(line => line.StartsWith("ok ", StringComparison.Ordinal)));
        // the call that is cancelled and those that run out of time: their handlers have seen it, or see it soon
        var limit = Task.Delay(TimeSpan.FromMinutes(2));
        while (service.Cancelled < service.Waiting && !limit.IsCompleted)
            await Task.Delay(1);
        Assert.True(service.Waiting >= 2);
        Assert.Equal(service.Waiting, service.Cancelled);
    }
}

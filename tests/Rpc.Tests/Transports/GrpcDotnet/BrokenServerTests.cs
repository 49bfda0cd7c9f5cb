using static ProtoBench.Rpc.Tests.EchoService;

namespace ProtoBench.Rpc.Tests;

/// <summary>What grpc-dotnet's client makes of a server that breaks the protocol: tests/node/broken.mjs.</summary>
public abstract class BrokenServerTests(NodePeer peer) : IAsyncDisposable
{
    readonly GrpcDotnetClient client = new(peer.Endpoint);

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData("another-content-type", StatusCode.Cancelled)]
    [InlineData("http-401", StatusCode.Unauthenticated)]
    [InlineData("http-404", StatusCode.Unimplemented)]
    [InlineData("http-503", StatusCode.Unavailable)]
    [InlineData("compressed-without-encoding", StatusCode.Internal)]
    [InlineData("compressed-with-br", StatusCode.Unimplemented)]
    [InlineData("flag-2", StatusCode.Internal)]
    [InlineData("length-of-4-gib", StatusCode.Internal)]
    [InlineData("half-a-prefix", StatusCode.Internal)]
    [InlineData("half-a-message", StatusCode.Internal)]
    [InlineData("half-a-message-and-why", StatusCode.Internal)]
    [InlineData("no-message", StatusCode.Internal)]
    [InlineData("two-messages", StatusCode.Internal)]
    [InlineData("no-status", StatusCode.Cancelled)]
    [InlineData("status-in-the-first-headers", StatusCode.Internal)]
    [InlineData("status-99", (StatusCode)99)]
    [InlineData("status-text", StatusCode.Cancelled)]
    [InlineData("reset-8", StatusCode.Cancelled)]
    [InlineData("reset-11", StatusCode.ResourceExhausted)]
    [InlineData("reset-2-after-a-message", StatusCode.Internal)]
    [InlineData("gone-after-a-message", StatusCode.Internal)]
    public async Task A_broken_reply_has_a_status(string how, StatusCode status)
    {
        var method = Echo with { Path = "/broken/" + how };
        var failure = await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(method, Message("x"), limit).AsTask());
        Check();

        // the same on a stream, which may have any number of messages
        if (how is "no-message" or "two-messages" or "status-in-the-first-headers")
            return;
        await using var stream = client.Stream(method, limit);
        failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            await stream.WriteAsync(Message("x"));
            while (await stream.ReadAsync() is { HasMessage: true })
            {
            }
        });
        Check();

        // a connection that ends under the client's own write is a failed write, which is UNAVAILABLE
        void Check() => Assert.True(
            status == failure.StatusCode || (how == "gone-after-a-message" && failure.StatusCode == StatusCode.Unavailable), failure.ToString());
    }

    [Fact]
    public async Task A_reply_that_arrives_byte_by_byte_is_a_reply() =>
        Assert.Equal([7], (await client.UnaryAsync(Echo with { Path = "/broken/byte-by-byte" }, Message("x"), limit)).Bytes.ToArray());

    static readonly RpcCallOptions limit = new() { Timeout = TimeSpan.FromMinutes(3) };
}

public sealed class BrokenPeer : NodePeer
{
    protected override string Script => "broken.mjs";
}

public sealed class BrokenTlsPeer : NodeTlsPeer
{
    protected override string Script => "broken.mjs";
}

public sealed class DotnetToBroken(BrokenPeer peer) : BrokenServerTests(peer), IClassFixture<BrokenPeer>;

public sealed class DotnetToBrokenTls(BrokenTlsPeer peer) : BrokenServerTests(peer), IClassFixture<BrokenTlsPeer>;

using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Tests.Peers;
using ProtoBench.Rpc.Transports.BuiltIn;
using static ProtoBench.Rpc.Tests.Peers.EchoService;

namespace ProtoBench.Rpc.Tests.Transports.BuiltIn;

/// <summary>What the client makes of a server that breaks the protocol: tests/node/broken.mjs.</summary>
public abstract class BrokenServerTests(NodePeer peer) : IAsyncDisposable
{
    readonly BuiltInClient client = new(peer.Endpoint);

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Theory]
    [InlineData("another-content-type", RpcStatus.Unknown)]
    [InlineData("http-401", RpcStatus.Unauthenticated)]
    [InlineData("http-404", RpcStatus.Unimplemented)]
    [InlineData("http-503", RpcStatus.Unavailable)]
    [InlineData("compressed-without-encoding", RpcStatus.Internal)]
    [InlineData("compressed-with-gzip", RpcStatus.Unimplemented)]
    [InlineData("flag-2", RpcStatus.Internal)]
    [InlineData("length-of-4-gib", RpcStatus.ResourceExhausted)]
    [InlineData("half-a-prefix", RpcStatus.Internal)]
    [InlineData("half-a-message", RpcStatus.Internal)]
    [InlineData("half-a-message-and-why", RpcStatus.Aborted)]
    [InlineData("no-message", RpcStatus.Internal)]
    [InlineData("two-messages", RpcStatus.Internal)]
    [InlineData("no-status", RpcStatus.Unknown)]
    [InlineData("status-99", RpcStatus.Unknown)]
    [InlineData("status-text", RpcStatus.Unknown)]
    [InlineData("reset-8", RpcStatus.Cancelled)]
    [InlineData("reset-11", RpcStatus.ResourceExhausted)]
    [InlineData("reset-2-after-a-message", RpcStatus.Internal)]
    [InlineData("gone-after-a-message", RpcStatus.Unavailable)]
    public async Task A_broken_reply_has_a_status(string how, RpcStatus status)
    {
        var method = Echo with { Path = "/broken/" + how };
        var failure = await Assert.ThrowsAsync<RpcException>(() => client.UnaryAsync(method, Message("x"), limit).AsTask());
        Assert.True(status == failure.Status, failure.ToString());

        // the same on a stream, which may have any number of messages
        if (how is "no-message" or "two-messages")
            return;
        await using var stream = client.Stream(method, limit);
        await stream.WriteAsync(Message("x"));
        failure = await Assert.ThrowsAsync<RpcException>(async () =>
        {
            while (await stream.ReadAsync() is { HasMessage: true })
            {
            }
        });
        Assert.True(status == failure.Status, failure.ToString());
    }

    [Fact]
    public async Task A_reply_that_arrives_byte_by_byte_is_a_reply() =>
        Assert.Equal([7], (await client.UnaryAsync(Echo with { Path = "/broken/byte-by-byte" }, Message("x"), limit)).Bytes.ToArray());

    static readonly RpcCallOptions limit = new() { Timeout = TimeSpan.FromMinutes(3) };
}

/// <summary>tests/node/broken.mjs, in the clear.</summary>
public sealed class BrokenPeer : NodePeer
{
    protected override string Script => "broken.mjs";
}

/// <summary>The same under TLS.</summary>
public sealed class BrokenTlsPeer : NodeTlsPeer
{
    protected override string Script => "broken.mjs";
}

public sealed class BuiltInToBroken(BrokenPeer peer) : BrokenServerTests(peer), IClassFixture<BrokenPeer>;

public sealed class BuiltInToBrokenTls(BrokenTlsPeer peer) : BrokenServerTests(peer), IClassFixture<BrokenTlsPeer>;

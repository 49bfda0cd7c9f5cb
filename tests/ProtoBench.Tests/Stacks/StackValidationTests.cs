using ProtoBench.Rpc;
using ProtoBench.Stacks;

namespace ProtoBench.Tests.Stacks;

public class StackValidationTests
{
    [Fact]
    public async Task All_stacks_carry_the_same_bytes()
    {
        await StackValidation.CheckAsync();
        Assert.StartsWith("Tls1", StackValidation.Tls, StringComparison.Ordinal);
        Assert.Contains("; settings of the stacks over HTTP, without GRPCDefaults: server: blocks of 32 KiB", StackValidation.Facts,
            StringComparison.Ordinal);
    }

    /// <summary>A stack that says it is another one is found out before it is timed.</summary>
    [Fact]
    public async Task A_protocol_that_was_not_asked_for_is_refused()
    {
        var liar = RpcTransports.Named("http1") with { Protocol = "HTTP/2" };
        var thrown = await Assert.ThrowsAsync<InvalidOperationException>(() =>
            EchoFixture.StartAsync(liar, EchoCodecs.Google, 10, tls: false, concurrency: 1));
        Assert.Contains("over HTTP/1.1", thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_wrong_echo_is_refused()
    {
        var forger = EchoCodecs.Google with { Reply = _ => new() };
        await Assert.ThrowsAsync<InvalidOperationException>(() =>
            EchoFixture.StartAsync(RpcTransports.Named("socket"), forger, 10, tls: false, concurrency: 1));
    }
}

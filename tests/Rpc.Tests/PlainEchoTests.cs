using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests;

/// <summary>What the transports without streams have in common.</summary>
public class PlainEchoTests
{
    public static TheoryData<string, bool> Stacks { get; } = new() { { "socket", false }, { "socket", true }, { "HTTP/1.1", false }, { "HTTP/1.1", true }, { "HTTP/2", false }, { "HTTP/2", true } };

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task Calls_are_answered_many_at_a_time(string stack, bool tls)
    {
        const int callers = 8;
        await using var rig = await PlainRig.StartAsync(stack, tls);
        await Task.WhenAll(Enumerable.Range(0, callers).Select(async caller =>
        {
            for (var size = 0; size < 300_000; size = (size * 3) + caller + 1)
            {
                var body = Enumerable.Range(0, size).Select(i => (byte)(i + caller)).ToArray();
                var reply = await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message(body));
                Assert.Equal(body, reply.Bytes.ToArray());
                EchoService.Echo.Response.Release(reply);
            }
        }));
        Assert.Equal(stack, rig.Client.Connection.Protocol);
        Assert.Equal(tls, rig.Client.Connection.Tls is not null);
        Assert.Equal(rig.Client.Connection.Opened, rig.Server.ConnectionsAccepted);
        Assert.InRange(rig.Client.Connection.Opened, 1, stack == "HTTP/1.1" ? callers : 1);
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_failure_arrives_with_its_status_and_the_next_call_succeeds(string stack, bool tls)
    {
        await using var rig = await PlainRig.StartAsync(stack, tls);
        await FailsAsync(RpcStatus.NotFound, "nothing here", rig.CallAsync(EchoService.Fail, "5:nothing here"));
        await FailsAsync(RpcStatus.Unknown, "the handler failed", rig.CallAsync(EchoService.Throw, "x"));
        await FailsAsync(RpcStatus.Unimplemented, "no such method", rig.CallAsync(EchoService.Echo with { Path = "/test.Echo/None" }, "x"));
        Assert.Equal("after", EchoService.Text(await rig.CallAsync(EchoService.Echo, "after")));
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_host_that_never_answers_costs_the_deadline_and_no_more(string stack, bool tls)
    {
        await using var rig = await PlainRig.StartAsync(stack, tls);
        await FailsAsync(RpcStatus.DeadlineExceeded, "deadline", rig.CallAsync(EchoService.Ignore, "x", new RpcCall { Timeout = TimeSpan.FromMilliseconds(100) }));
        rig.Service.Released.SetResult();
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_message_over_the_limit_is_refused_on_either_side(string stack, bool tls)
    {
        await using var rig = await PlainRig.StartAsync(stack, tls, new() { MaxReceiveBytes = 10_000 });
        var tooLarge = await Assert.ThrowsAsync<RpcException>(async () => await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[20_000])));
        Assert.True(tooLarge.Status is RpcStatus.ResourceExhausted or RpcStatus.Unavailable, tooLarge.ToString()); // a host that does not read on may cut the connection before its answer is read
        Assert.Equal("after", EchoService.Text(await rig.CallAsync(EchoService.Echo, "after")));
    }

    static async Task FailsAsync(RpcStatus status, string text, Task<RawMessage> call)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call);
        Assert.Equal(status, failure.Status);
        Assert.Contains(text, failure.Message, StringComparison.Ordinal);
    }
}

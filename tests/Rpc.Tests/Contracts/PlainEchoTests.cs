using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What the transports without streams have in common.</summary>
public class PlainEchoTests
{
    public static TheoryData<string, bool> Stacks { get; } =
        [.. RpcTransports.Plain.SelectMany(transport => new[] { false, true }.Select(tls => (transport.Name, tls)))];

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task Calls_are_answered_many_at_a_time(string stack, bool tls)
    {
        const int callers = 8;
        await using var fixture = await PlainFixture.StartAsync(stack, tls);
        await Task.WhenAll(Enumerable.Range(0, callers).Select(async caller =>
        {
            for (var size = 0; size < 300_000; size = (size * 3) + caller + 1)
            {
                var body = Enumerable.Range(0, size).Select(i => (byte)(i + caller)).ToArray();
                var reply = await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message(body));
                Assert.Equal(body, reply.Bytes.ToArray());
                EchoService.Echo.Response.Release(reply);
            }
        }));
        Assert.Equal(RpcTransports.Named(stack).Protocol, fixture.Client.Connection.Protocol);
        Assert.Equal(tls, fixture.Client.Connection.Tls is not null);
        Assert.Equal(fixture.Client.Connection.Opened, fixture.Server.ConnectionsAccepted);
        Assert.InRange(fixture.Client.Connection.Opened, 1, RpcTransports.Named(stack).Multiplexed ? 1 : callers);
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_failure_arrives_with_its_status_and_the_next_call_succeeds(string stack, bool tls)
    {
        await using var fixture = await PlainFixture.StartAsync(stack, tls);
        await FailsAsync(RpcStatus.NotFound, "nothing here", fixture.CallAsync(EchoService.Fail, "5:nothing here"));
        await FailsAsync(RpcStatus.Unknown, "the handler failed", fixture.CallAsync(EchoService.Throw, "x"));
        await FailsAsync(RpcStatus.Unimplemented, "no such method",
            fixture.CallAsync(EchoService.Echo with { Path = "/test.Echo/None" }, "x"));
        Assert.Equal("after", EchoService.Text(await fixture.CallAsync(EchoService.Echo, "after")));
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_host_that_never_answers_costs_the_deadline_and_no_more(string stack, bool tls)
    {
        await using var fixture = await PlainFixture.StartAsync(stack, tls);
        await FailsAsync(RpcStatus.DeadlineExceeded, "deadline",
            fixture.CallAsync(EchoService.Ignore, "x", new RpcCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }));
        fixture.Service.Released.SetResult();
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_message_over_the_limit_is_refused_on_either_side(string stack, bool tls)
    {
        await using var fixture = await PlainFixture.StartAsync(stack, tls, new() { MaxReceiveBytes = 10_000 });
        var tooLarge =
            await Assert.ThrowsAsync<RpcException>(async () =>
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[20_000])));
        // a host that does not read on may cut the connection before its answer is read
        Assert.True(tooLarge.Status is RpcStatus.ResourceExhausted or RpcStatus.Unavailable, tooLarge.ToString());
        Assert.Equal("after", EchoService.Text(await fixture.CallAsync(EchoService.Echo, "after")));
    }

    static async Task FailsAsync(RpcStatus status, string text, Task<RawMessage> call)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call);
        Assert.Equal(status, failure.Status);
        Assert.Contains(text, failure.Message, StringComparison.Ordinal);
    }
}

namespace ProtoBench.Rpc.Tests;

public class PlainEchoTests
{
    public static TheoryData<string, bool> Stacks { get; } =
        [.. TransportFixture.PlainStacks.SelectMany(stack => new[] { (stack.Data, false), (stack.Data, true) })];

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task Calls_are_answered_many_at_a_time(string stack, bool tls)
    {
        const int callers = 8;
        await using var fixture = await StartAsync(stack, tls);
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
        await using var fixture = await StartAsync(stack, tls);
        await FailsAsync(StatusCode.NotFound, "nothing here", CallAsync(fixture, EchoService.Fail, "5:nothing here"));
        await FailsAsync(StatusCode.Unknown, "the handler failed", CallAsync(fixture, EchoService.Throw, "x"));
        await FailsAsync(StatusCode.Unimplemented, "no such method",
            CallAsync(fixture, EchoService.Echo with { Path = "/test.Echo/None" }, "x"));
        Assert.Equal("after", EchoService.Text(await CallAsync(fixture, EchoService.Echo, "after")));
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_host_that_never_answers_costs_the_deadline_and_no_more(string stack, bool tls)
    {
        var service = new EchoService();
        await using var fixture = await StartAsync(stack, tls, service: service);
        await FailsAsync(StatusCode.DeadlineExceeded, "deadline",
            CallAsync(fixture, EchoService.Ignore, "x", new RpcCallOptions { Timeout = TimeSpan.FromMilliseconds(100) }));
        service.Released.SetResult();
    }

    [Theory]
    [MemberData(nameof(Stacks))]
    public async Task A_message_over_the_limit_is_refused_on_either_side(string stack, bool tls)
    {
        await using var fixture = await StartAsync(stack, tls, new() { MaxReceiveBytes = 10_000 });
        var tooLarge =
            await Assert.ThrowsAsync<RpcException>(async () =>
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[20_000])));
        // a host that does not read on may cut the connection before its answer is read
        Assert.True(tooLarge.StatusCode is StatusCode.ResourceExhausted or StatusCode.Unavailable, tooLarge.ToString());
        Assert.Equal("after", EchoService.Text(await CallAsync(fixture, EchoService.Echo, "after")));
    }

    static Task<TransportFixture> StartAsync(string stack, bool tls, RpcLimits? limits = null, EchoService? service = null) =>
        TransportFixture.StartAsync(stack, (service ?? new()).Handlers, limits, null, tls, connections: 8);

    static async Task<RawMessage> CallAsync(TransportFixture fixture, RpcMethod<RawMessage, RawMessage> method, string text,
        RpcCallOptions? call = null) =>
        await fixture.Client.UnaryAsync(method, EchoService.Message(text), call).AsTask().WaitAsync(TransportFixture.Patience);

    static async Task FailsAsync(StatusCode status, string text, Task<RawMessage> call) =>
        Assert.Contains(text, (await TransportFixture.FailsAsync(status, call)).Message, StringComparison.Ordinal);
}

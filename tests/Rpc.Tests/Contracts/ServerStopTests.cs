namespace ProtoBench.Rpc.Tests;

public class ServerStopTests
{
    static readonly RpcMethod<RawMessage, RawMessage> wait = EchoService.Echo with { Path = "/test.Contract/Wait" };

    [Theory, Stacks]
    public async Task Calls_under_way_finish_and_new_ones_are_refused(string stack)
    {
        var (begun, go) = (Signal(), Signal());
        await using var fixture = await TransportFixture.StartAsync(
            stack,
            [.. new EchoService().Handlers, RpcHandler.Unary(wait, async (request, _) =>
            {
                begun.SetResult();
                await go.Task;
                return EchoService.Message(request.Bytes.ToArray());
            })],
            new() { ShutdownTimeout = TransportFixture.Patience });
        var call = fixture.Client.UnaryAsync(wait, EchoService.Message("under way")).AsTask();
        await begun.Task.WaitAsync(TransportFixture.Patience);
        var stopping = fixture.Server.DisposeAsync().AsTask();

        await using var other = fixture.Connect();
        await RefusedAsync(other);
        if (fixture.Stack.Multiplexed)
            await RefusedAsync(fixture.Client);
        Assert.False(stopping.IsCompleted);
        go.SetResult();
        Assert.Equal("under way", EchoService.Text(await call.WaitAsync(TransportFixture.Patience)));
        await stopping.WaitAsync(TransportFixture.Patience);
    }

    [Theory, Stacks]
    public async Task After_the_limit_the_handler_and_the_caller_are_told(string stack)
    {
        var (begun, stopped) = (Signal(), Signal());
        await using var fixture = await TransportFixture.StartAsync(
            stack,
            [RpcHandler.Unary<RawMessage, RawMessage>(wait, async (_, call) =>
            {
                begun.SetResult();
                await Task.Delay(Timeout.Infinite, call.CancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                stopped.SetResult();
                throw new OperationCanceledException(call.CancellationToken);
            })],
            new() { ShutdownTimeout = TimeSpan.FromMilliseconds(100) });
        var call = fixture.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask();
        await begun.Task.WaitAsync(TransportFixture.Patience);
        await fixture.Server.DisposeAsync().AsTask().WaitAsync(TransportFixture.Patience);
        await stopped.Task.WaitAsync(TransportFixture.Patience);
        await TransportFixture.FailsAsync(StatusCode.Unavailable, call);
    }

    [Theory, Stacks]
    public async Task A_handler_that_hears_nothing_does_not_hold_the_host_up(string stack)
    {
        var (begun, go) = (Signal(), Signal());
        await using var fixture = await TransportFixture.StartAsync(
            stack,
            [RpcHandler.Unary(wait, async (request, _) =>
            {
                begun.SetResult();
                await go.Task;
                return EchoService.Message(request.Bytes.ToArray());
            })],
            new() { ShutdownTimeout = TimeSpan.FromMilliseconds(100) });
        var call = fixture.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask();
        await begun.Task.WaitAsync(TransportFixture.Patience);
        await fixture.Server.DisposeAsync().AsTask().WaitAsync(TransportFixture.Patience);
        await fixture.Server.DisposeAsync().AsTask().WaitAsync(TransportFixture.Patience);
        await TransportFixture.FailsAsync(StatusCode.Unavailable, call);
        go.SetResult();
    }

    [Theory, Stacks]
    public async Task An_idle_connection_does_not_hold_the_host_up(string stack)
    {
        await using var fixture =
            await TransportFixture.StartAsync(stack, new EchoService().Handlers, new() { ShutdownTimeout = TimeSpan.FromHours(1) });
        await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"));
        await fixture.Server.DisposeAsync().AsTask().WaitAsync(TransportFixture.Patience);
    }

    static TaskCompletionSource Signal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The host may see the first of these calls before it sees that it is to stop.</summary>
    static async Task RefusedAsync(IRpcClient client)
    {
        var limit = Task.Delay(TransportFixture.Patience);
        while (true)
        {
            try
            {
                await client.UnaryAsync(EchoService.Echo, EchoService.Message("late")).AsTask().WaitAsync(TransportFixture.Patience);
                Assert.False(limit.IsCompleted, "calls are still answered");
            }
            catch (RpcException e)
            {
                Assert.True(e.StatusCode == StatusCode.Unavailable, e.ToString());
                return;
            }
        }
    }
}

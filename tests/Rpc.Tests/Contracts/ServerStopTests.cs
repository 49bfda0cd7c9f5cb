using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What disposing a host does to calls that are under way, and to those that come later.</summary>
public class ServerStopTests
{
    static readonly RpcMethod<RawMessage, RawMessage> wait = EchoService.Echo with { Path = "/test.Contract/Wait" };

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task Calls_under_way_finish_and_new_ones_are_refused(string stack)
    {
        var (begun, go) = (Signal(), Signal());
        await using var rig = await StackRig.StartAsync(
            stack,
            [.. new EchoService().Handlers, RpcHandler.Unary(wait, async (request, _) =>
            {
                begun.SetResult();
                await go.Task;
                return EchoService.Message(request.Bytes.ToArray());
            })],
            new() { StopTimeout = StackRig.Patience });
        var call = rig.Client.UnaryAsync(wait, EchoService.Message("under way")).AsTask();
        await begun.Task.WaitAsync(StackRig.Patience);
        var stopping = rig.Server.DisposeAsync().AsTask();

        await using var other = rig.Connect();
        await RefusedAsync(other);
        if (rig.Stack.Multiplexed)
            await RefusedAsync(rig.Client);
        Assert.False(stopping.IsCompleted);
        go.SetResult();
        Assert.Equal("under way", EchoService.Text(await call.WaitAsync(StackRig.Patience)));
        await stopping.WaitAsync(StackRig.Patience);
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task After_the_limit_the_handler_and_the_caller_are_told(string stack)
    {
        var (begun, stopped) = (Signal(), Signal());
        await using var rig = await StackRig.StartAsync(
            stack,
            [RpcHandler.Unary<RawMessage, RawMessage>(wait, async (_, call) =>
            {
                begun.SetResult();
                await Task.Delay(Timeout.Infinite, call.Stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                stopped.SetResult();
                throw new OperationCanceledException(call.Stop);
            })],
            new() { StopTimeout = TimeSpan.FromMilliseconds(100) });
        var call = rig.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask();
        await begun.Task.WaitAsync(StackRig.Patience);
        await rig.Server.DisposeAsync().AsTask().WaitAsync(StackRig.Patience);
        await stopped.Task.WaitAsync(StackRig.Patience);
        await StackRig.FailsAsync(RpcStatus.Unavailable, call);
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_handler_that_hears_nothing_does_not_hold_the_host_up(string stack)
    {
        var (begun, go) = (Signal(), Signal());
        await using var rig = await StackRig.StartAsync(
            stack,
            [RpcHandler.Unary(wait, async (request, _) =>
            {
                begun.SetResult();
                await go.Task;
                return EchoService.Message(request.Bytes.ToArray());
            })],
            new() { StopTimeout = TimeSpan.FromMilliseconds(100) });
        var call = rig.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask();
        await begun.Task.WaitAsync(StackRig.Patience);
        await rig.Server.DisposeAsync().AsTask().WaitAsync(StackRig.Patience);
        await rig.Server.DisposeAsync().AsTask().WaitAsync(StackRig.Patience);
        await StackRig.FailsAsync(RpcStatus.Unavailable, call);
        go.SetResult();
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task An_idle_connection_does_not_hold_the_host_up(string stack)
    {
        await using var rig = await StackRig.StartAsync(stack, new EchoService().Handlers, new() { StopTimeout = TimeSpan.FromHours(1) });
        await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"));
        await rig.Server.DisposeAsync().AsTask().WaitAsync(StackRig.Patience);
    }

    static TaskCompletionSource Signal() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The host may see the first of these calls before it sees that it is to stop.</summary>
    static async Task RefusedAsync(IRpcClient client)
    {
        var limit = Task.Delay(StackRig.Patience);
        while (true)
        {
            try
            {
                await client.UnaryAsync(EchoService.Echo, EchoService.Message("late")).AsTask().WaitAsync(StackRig.Patience);
                Assert.False(limit.IsCompleted, "calls are still answered");
            }
            catch (RpcException e)
            {
                Assert.True(e.Status == RpcStatus.Unavailable, e.ToString());
                return;
            }
        }
    }
}

using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>A message of the limit passes, one byte more does not, and the call after it does.</summary>
public class LimitTests
{
    const int limit = 100_000;

    static readonly RpcMethod<RawMessage, RawMessage> grow = EchoService.Echo with { Path = "/test.Contract/Grow" };

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_host_reads_requests_up_to_MaxReceiveBytes(string stack)
    {
        await using var rig = await StartAsync(stack, host: new() { MaxReceiveBytes = limit });
        await AssertLimitAsync(rig, bytes => rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[bytes])));
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_client_reads_responses_up_to_MaxReceiveBytes(string stack)
    {
        await using var rig = await StartAsync(stack, client: new() { MaxReceiveBytes = limit });
        await AssertLimitAsync(rig, bytes => rig.Client.UnaryAsync(grow, EchoService.Message(BitConverter.GetBytes(bytes))));
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_host_sends_responses_up_to_MaxSendBytes(string stack)
    {
        await using var rig = await StartAsync(stack, host: new() { MaxSendBytes = limit });
        await AssertLimitAsync(rig, bytes => rig.Client.UnaryAsync(grow, EchoService.Message(BitConverter.GetBytes(bytes))));
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_client_sends_requests_up_to_MaxSendBytes(string stack)
    {
        await using var rig = await StartAsync(stack, client: new() { MaxSendBytes = limit });
        await AssertLimitAsync(rig, bytes => rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[bytes])));
    }

    static Task<StackRig> StartAsync(string stack, RpcLimits? host = null, RpcLimits? client = null) => StackRig.StartAsync(
        stack,
        [.. new EchoService().Handlers, RpcHandler.Unary(grow, (request, _) => new(EchoService.Message(new byte[BitConverter.ToInt32(request.Bytes.Span)])))],
        host,
        client);

    static async Task AssertLimitAsync(StackRig rig, Func<int, ValueTask<RawMessage>> call)
    {
        foreach (var bytes in new[] { limit - 1, limit })
            Assert.Equal(bytes, (await call(bytes).AsTask().WaitAsync(StackRig.Patience)).Bytes.Length);
        foreach (var bytes in new[] { limit + 1, limit + 240, 10 * limit })
        {
            await StackRig.FailsAsync(RpcStatus.ResourceExhausted, call(bytes).AsTask());
            Assert.Equal(limit, (await call(limit).AsTask().WaitAsync(StackRig.Patience)).Bytes.Length);
        }

        if (rig.Stack.Multiplexed)
            Assert.Equal(1, rig.Client.Connection.Opened);
    }
}

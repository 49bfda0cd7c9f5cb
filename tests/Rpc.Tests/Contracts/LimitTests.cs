namespace ProtoBench.Rpc.Tests;

/// <summary>A message of the limit passes, one byte more does not, and the call after it does.</summary>
public class LimitTests
{
    const int limit = 100_000;

    static readonly RpcMethod<RawMessage, RawMessage> grow = EchoService.Echo with { Path = "/test.Contract/Grow" };

    [Theory, Stacks]
    public async Task A_host_reads_requests_up_to_MaxReceiveBytes(string stack)
    {
        await using var fixture = await StartAsync(stack, host: new() { MaxReceiveBytes = limit });
        await AssertLimitAsync(fixture, bytes => fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message(new byte[bytes])));
    }

    [Theory, Stacks]
    public async Task A_client_reads_responses_up_to_MaxReceiveBytes(string stack)
    {
        await using var fixture = await StartAsync(stack, client: new() { MaxReceiveBytes = limit });
        await AssertLimitAsync(fixture, bytes => fixture.Client.UnaryAsync(grow, EchoService.Message(BitConverter.GetBytes(bytes))));
    }

    static Task<TransportFixture> StartAsync(string stack, RpcLimits? host = null, RpcLimits? client = null) => TransportFixture.StartAsync(
        stack,
        [.. new EchoService().Handlers,
            RpcHandler.Unary(grow, (request, _) => new(EchoService.Message(new byte[BitConverter.ToInt32(request.Bytes.Span)])))],
        host,
        client);

    static async Task AssertLimitAsync(TransportFixture fixture, Func<int, ValueTask<RawMessage>> call)
    {
        foreach (var bytes in new[] { limit - 1, limit })
            Assert.Equal(bytes, (await call(bytes).AsTask().WaitAsync(TransportFixture.Patience)).Bytes.Length);
        foreach (var bytes in new[] { limit + 1, limit + 240, 10 * limit })
        {
            await TransportFixture.FailsAsync(StatusCode.ResourceExhausted, call(bytes).AsTask());
            Assert.Equal(limit, (await call(limit).AsTask().WaitAsync(TransportFixture.Patience)).Bytes.Length);
        }

        if (fixture.Stack.Multiplexed)
            Assert.Equal(1, fixture.Client.Connection.Opened);
    }
}

using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using ProtoBench.Rpc.Tests.Peers;
using static ProtoBench.Rpc.Tests.Peers.PooledService;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>However a call of a transport without streams ends, its memory goes back on both sides. As many calls as
/// <see cref="SliceCount.Calls"/> says.</summary>
[Collection("alone")]
public sealed class StormTests
{
    static readonly byte[] bytes = new byte[100_000];
    readonly SliceCount slices = new();

    public static TheoryData<string> Stacks { get; } = [.. RpcTransports.Plain.Select(transport => transport.Name)];

    [Theory]
    [MemberData(nameof(Stacks))]
    public Task Cancelled_calls(string stack) => StormAsync(stack, RpcStatus.Cancelled, givenUp: true, async (client, message, i) =>
    {
        using var cancellation = new CancellationTokenSource();
        var call = client.UnaryAsync(Wait, message, cancellationToken: cancellation.Token).AsTask();
        for (var turns = i % 40; turns > 0; turns--)
            await Task.Yield();
        await cancellation.CancelAsync();
        await call;
    });

    [Theory]
    [MemberData(nameof(Stacks))]
    public Task Calls_past_their_deadline(string stack) =>
        StormAsync(stack, RpcStatus.DeadlineExceeded, givenUp: true, (client, message, i) =>
        client.UnaryAsync(Wait, message, new() { Timeout = TimeSpan.FromMilliseconds(1 + (i % 20)) }).AsTask());

    [Theory]
    [MemberData(nameof(Stacks))]
    public Task Handlers_that_throw(string stack) =>
        StormAsync(stack, RpcStatus.Unknown, givenUp: false, (client, message, _) => client.UnaryAsync(Throw, message).AsTask());

    async Task StormAsync(string stack, RpcStatus status, bool givenUp, Func<IRpcClient, RawMessage, int, Task> call)
    {
        var ended = 0;
        await using (var fixture = await PlainFixture.StartAsync(stack, tls: false, handlers: Handlers))
        {
            await Parallel.ForEachAsync(Enumerable.Range(0, SliceCount.Calls), new ParallelOptions { MaxDegreeOfParallelism = 20 },
                async (i, _) =>
            {
                var message = new RawMessage(bytes.AsMemory(0, i * 97 % bytes.Length));
                var failure =
                    await Assert.ThrowsAsync<RpcException>(() => call(fixture.Client, message, i).WaitAsync(TimeSpan.FromMinutes(10)));
                // on a bare socket a request that is given up in its middle takes the connection with it, and the calls that share it
                Assert.True(failure.Status == status || (givenUp && stack == "socket" && failure.Status == RpcStatus.Unavailable),
                    failure.ToString());
                if (failure.Status == status)
                    Interlocked.Increment(ref ended);
            });
            Assert.NotEqual(0, ended);
            Echo.Response.Release(await fixture.Client.UnaryAsync(Echo, new RawMessage(bytes)));
        }

        await slices.AssertAllBackAsync();
    }
}

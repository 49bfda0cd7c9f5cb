using static ProtoBench.Rpc.Tests.PooledService;

namespace ProtoBench.Rpc.Tests;

/// <summary>However a call ends, its memory goes back on both sides, and the host answers the next one. A storm has 1,000 calls, or 10,000
/// where the environment variable PROTOBENCH_LONG is 1. Counts slices of the whole process, so nothing else may run meanwhile.</summary>
[Collection("alone")]
public sealed class PooledLifetimeTests
{
    const int atOnce = 50;
    const int largest = 100_000;
    static readonly byte[] bytes = new byte[largest];
    static readonly RawMarshaller raw = new();

    readonly SliceCount slices = new();

    [Theory, Stacks]
    public Task Calls_that_are_cancelled_and_that_expire(string stack) => StormAsync(stack, async (client, i) =>
    {
        if (i % 2 == 0)
        {
            await AssertGivenUpAsync(stack, client.UnaryAsync(Wait, Message(i), Within(i / 2)).AsTask(), StatusCode.DeadlineExceeded);
            return;
        }

        using var cancellation = new CancellationTokenSource();
        var call = client.UnaryAsync(Wait, Message(i), cancellationToken: cancellation.Token).AsTask();
        await TurnsAsync(i / 2);
        await cancellation.CancelAsync();
        await AssertGivenUpAsync(stack, call, StatusCode.Cancelled);
    });

    [Theory, Stacks]
    public Task Handlers_that_throw(string stack) => StormAsync(stack, (client, i) =>
        AssertFailsAsync(client.UnaryAsync(Throw, Message(i)).AsTask(), StatusCode.Unknown));

    [Fact]
    public Task Streams_that_are_cancelled_that_are_left_that_expire_and_whose_handler_throws() => StreamStormAsync(async (client, i) =>
    {
        using var cancellation = new CancellationTokenSource();
        await using var stream = (i % 4) switch
        {
            2 => client.Stream(EchoStream, Within(i / 4)),
            3 => client.Stream(EchoThenThrow),
            _ => client.Stream(EchoStream, cancellationToken: cancellation.Token),
        };
        switch (i % 4)
        {
            case 0:
                var talking = TalkAsync(stream, i);
                await TurnsAsync(i / 4);
                await cancellation.CancelAsync();
                await AssertFailsAsync(talking, StatusCode.Cancelled);
                break;
            case 1:
                await stream.WriteAsync(Message(i));
                if (i / 4 % 3 == 0)
                    raw.Release((await stream.ReadAsync()).Message);
                break;
            case 2:
                // the host resets the call, and the client may hear of it in the middle of a read
                await AssertFailsAsync(TalkAsync(stream, i), StatusCode.DeadlineExceeded, StatusCode.Cancelled, StatusCode.Unavailable);
                break;
            default:
                await AssertFailsAsync(TalkAsync(stream, i), StatusCode.Unknown);
                break;
        }
    });

    [Fact]
    public Task Connections_cut_in_the_middle_of_a_message() => CutAsync(async client =>
        await AssertFailsAsync(client.UnaryAsync(Echo, new RawMessage(bytes)).AsTask(), StatusCode.Unavailable));

    [Fact]
    public Task Connections_cut_in_the_middle_of_a_stream() => CutAsync(async client =>
    {
        await using var stream = client.Stream(EchoStream);
        await AssertFailsAsync(TalkAsync(stream, largest / 4), StatusCode.Unavailable);
    });

    /// <summary>A message of one of many sizes, from nothing to several frames of HTTP/2.</summary>
    static RawMessage Message(int i) => new(bytes.AsMemory(0, i * 97 % largest));

    static RpcCallOptions Within(int i) => new() { Timeout = TimeSpan.FromMilliseconds(1 + (i % 20)) };

    /// <summary>Lets others go on for a while, longer or shorter, so that what follows meets the call at another point each time.</summary>
    static async Task TurnsAsync(int i)
    {
        for (var turns = i % 40; turns > 0; turns--)
            await Task.Yield();
    }

    static async Task TalkAsync(GrpcDotnetStream<RawMessage, RawMessage> stream, int i)
    {
        var message = Message(i);
        while (true)
        {
            await stream.WriteAsync(message);
            var reply = await stream.ReadAsync();
            Assert.True(reply.HasMessage, "the call has succeeded");
            var length = reply.Message.Bytes.Length;
            raw.Release(reply.Message);
            Assert.Equal(message.Bytes.Length, length);
        }
    }

    static async Task AssertFailsAsync(Task call, params StatusCode[] statuses)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TimeSpan.FromMinutes(10)));
        Assert.True(statuses.Contains(failure.StatusCode), failure.ToString());
    }

    /// <summary>On a bare socket a request that is given up in its middle takes the connection with it, and the calls that share it.
    /// grpc-dotnet's host resets a call whose deadline has passed, and the reset may be there before the client's own clock.</summary>
    static Task AssertGivenUpAsync(string stack, Task call, StatusCode status) =>
        AssertFailsAsync(call, status, stack == "socket" ? StatusCode.Unavailable : StatusCode.Cancelled);

    Task StreamStormAsync(Func<GrpcDotnetClient, int, Task> call) =>
        StormAsync("grpc-dotnet", (client, i) => call((GrpcDotnetClient)client, i));

    async Task StormAsync(string stack, Func<IRpcClient, int, Task> call)
    {
        // so many calls end early that a host with fewer streams takes it for an attack
        var limits = new RpcLimits { MaxStreamsPerConnection = 16_384 };
        await using (var fixture = await TransportFixture.StartAsync(stack, Handlers, limits, connections: 8))
        {
            await ForEachAsync(i => call(fixture.Client, i));
            if (fixture.Stack.SpeaksGrpc)
                Assert.Equal(1, fixture.Client.Connection.Opened);
            raw.Release(await fixture.Client.UnaryAsync(Echo, Message(1)));
        }

        await slices.AssertAllBackAsync();
    }

    /// <summary>Each on a connection of its own, which is reset before the echo of a message can have arrived whole.</summary>
    async Task CutAsync(Func<GrpcDotnetClient, Task> call)
    {
        var random = new Random(1);
        await using (var server = await GrpcDotnetServer.StartAsync(new(), Handlers))
        await using (var relay = new CuttingRelay(server.Endpoint, () => random.Next(2 * largest)))
        {
            await ForEachAsync(async _ =>
            {
                await using var client = new GrpcDotnetClient(relay.Endpoint);
                await call(client);
            });
            await using var after = new GrpcDotnetClient(server.Endpoint);
            raw.Release(await after.UnaryAsync(Echo, Message(1)));
        }

        await slices.AssertAllBackAsync();
    }

    static Task ForEachAsync(Func<int, Task> call) =>
        Parallel.ForEachAsync(Enumerable.Range(0, SliceCount.Calls), new ParallelOptions { MaxDegreeOfParallelism = atOnce },
            async (i, _) => await call(i));
}

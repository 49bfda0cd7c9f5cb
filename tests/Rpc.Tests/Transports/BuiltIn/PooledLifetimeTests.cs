using ProtoBench.Rpc.Calls;
using ProtoBench.Rpc.Marshallers;
using ProtoBench.Rpc.Tests.Peers;
using ProtoBench.Rpc.Transports.BuiltIn;
using static ProtoBench.Rpc.Tests.Peers.PooledService;

namespace ProtoBench.Rpc.Tests.Transports.BuiltIn;

/// <summary>However a call ends, its memory goes back on both sides, and the host answers the next one. 1,000 calls of each kind; 10,000
/// where the environment variable PROTOBENCH_LONG is 1. Counts slices of the whole process, so nothing else may run meanwhile.</summary>
[Collection("alone")]
public sealed class PooledLifetimeTests : IAsyncLifetime
{
    const int atOnce = 50;
    const int largest = 100_000;
    static readonly byte[] bytes = new byte[largest];
    static readonly RawMarshaller raw = new();

    readonly SliceCount slices = new();
    IRpcServer? server;

    public async ValueTask InitializeAsync() => server = await BuiltInServer.StartAsync(new(), Handlers);

    public async ValueTask DisposeAsync() => await server!.DisposeAsync();

    [Fact]
    public Task Cancelled_calls() => StormAsync(async (client, i) =>
    {
        using var cancellation = new CancellationTokenSource();
        var call = client.UnaryAsync(Wait, Message(i), cancellationToken: cancellation.Token).AsTask();
        await TurnsAsync(i);
        await cancellation.CancelAsync();
        await AssertFailsAsync(RpcStatus.Cancelled, call);
    });

    [Fact]
    public Task Cancelled_streams() => StormAsync(async (client, i) =>
    {
        using var cancellation = new CancellationTokenSource();
        await using var stream = client.Stream(EchoStream, cancellationToken: cancellation.Token);
        var talking = TalkAsync(stream, i);
        await TurnsAsync(i);
        await cancellation.CancelAsync();
        await AssertFailsAsync(RpcStatus.Cancelled, talking);
    });

    [Fact]
    public Task Streams_that_their_client_leaves() => StormAsync(async (client, i) =>
    {
        await using var stream = client.Stream(EchoStream);
        await stream.WriteAsync(Message(i));
        if (i % 3 == 0)
            raw.Release((await stream.ReadAsync()).Message);
    });

    [Fact]
    public Task Calls_past_their_deadline() => StormAsync((client, i) =>
        AssertFailsAsync(RpcStatus.DeadlineExceeded, client.UnaryAsync(Wait, Message(i), Within(i)).AsTask()));

    [Fact]
    public Task Streams_past_their_deadline() => StormAsync(async (client, i) =>
    {
        await using var stream = client.Stream(EchoStream, Within(i));
        await AssertFailsAsync(RpcStatus.DeadlineExceeded, TalkAsync(stream, i));
    });

    [Fact]
    public Task Handlers_that_throw() => StormAsync((client, i) =>
        AssertFailsAsync(RpcStatus.Unknown, client.UnaryAsync(Throw, Message(i)).AsTask()));

    [Fact]
    public Task Streams_whose_handler_throws() => StormAsync(async (client, i) =>
    {
        await using var stream = client.Stream(EchoThenThrow);
        await AssertFailsAsync(RpcStatus.Unknown, TalkAsync(stream, i));
    });

    [Fact]
    public Task Connections_cut_in_the_middle_of_a_message() => CutAsync(async client =>
        await AssertFailsAsync(RpcStatus.Unavailable, client.UnaryAsync(Echo, new RawMessage(bytes)).AsTask()));

    [Fact]
    public Task Connections_cut_in_the_middle_of_a_stream() => CutAsync(async client =>
    {
        await using var stream = client.Stream(EchoStream);
        await AssertFailsAsync(RpcStatus.Unavailable, TalkAsync(stream, largest / 4));
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

    /// <summary>Writes and reads by turns until the call ends.</summary>
    static async Task TalkAsync(IRpcStream<RawMessage, RawMessage> stream, int i)
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

    static async Task AssertFailsAsync(RpcStatus status, Task call)
    {
        var failure = await Assert.ThrowsAsync<RpcException>(() => call.WaitAsync(TimeSpan.FromMinutes(10)));
        Assert.True(status == failure.Status, failure.ToString());
    }

    /// <summary>All on one connection, many at a time.</summary>
    async Task StormAsync(Func<BuiltInClient, int, Task> call)
    {
        await using (var client = new BuiltInClient(server!.Endpoint))
        {
            await ForEachAsync(i => call(client, i));
            Assert.Equal(1, client.Connection.Opened);
        }

        await AssertIdleAsync();
    }

    /// <summary>Each on a connection of its own, which is reset before the echo of a message can have arrived whole.</summary>
    async Task CutAsync(Func<BuiltInClient, Task> call)
    {
        var random = new Random(1);
        await using (var relay = new CuttingRelay(server!.Endpoint, () => random.Next(2 * largest)))
        {
            await ForEachAsync(async _ =>
            {
                await using var client = new BuiltInClient(relay.Endpoint);
                await call(client);
            });
        }

        await AssertIdleAsync();
    }

    static Task ForEachAsync(Func<int, Task> call) =>
        Parallel.ForEachAsync(Enumerable.Range(0, SliceCount.Calls), new ParallelOptions { MaxDegreeOfParallelism = atOnce },
            async (i, _) => await call(i));

    async Task AssertIdleAsync()
    {
        await using (var client = new BuiltInClient(server!.Endpoint))
            raw.Release(await client.UnaryAsync(Echo, Message(1)));
        await slices.AssertAllBackAsync();
    }
}

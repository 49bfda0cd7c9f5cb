using System.Diagnostics;

namespace ProtoBench.Rpc.Tests;

/// <summary>What a caller's time limit may do to a host: end that call, and nothing else.</summary>
public class DeadlineTests
{
    [Theory, Stacks]
    public async Task A_deadline_meets_a_handler_that_adds_metadata_and_the_host_lives(string stack)
    {
        const int atOnce = 20;
        var before = Unhandled.Seen.Count;
        await using var fixture = await TransportFixture.StartAsync(stack, [RpcHandler.Unary(EchoService.Echo, async (request, call) =>
        {
            // for longer than the callers wait, and deaf to the end of the call
            for (var i = 0; i < 300; i++)
            {
                call.Trailers.Add("x-trailer", "value");
                call.ResponseHeaders.Add("x-header", "value");
                if (i % 50 == 0)
                    await Task.Yield();
            }

            return EchoService.Message(request.Bytes.ToArray());
        })],
            // a call that its caller has given up counts until its handler has ended
            new() { MaxStreamsPerConnection = SliceCount.Calls });
        await Parallel.ForEachAsync(Enumerable.Range(0, SliceCount.Calls), new ParallelOptions { MaxDegreeOfParallelism = atOnce },
            async (i, _) =>
        {
            try
            {
                var within = new RpcCallOptions { Timeout = TimeSpan.FromMicroseconds(100 + (i % 100 * 70)) };
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"), within, CancellationToken.None);
            }
            catch (RpcException e)
            {
                // grpc-dotnet's host resets the call, and the reset may be there before the client's own clock
                Assert.True(e.StatusCode is StatusCode.DeadlineExceeded or StatusCode.Cancelled, e.ToString());
            }
        });
        Assert.Equal("after", EchoService.Text(await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("after"))));
        Assert.Equal(before, Unhandled.Seen.Count);
    }

    [Theory, Stacks]
    public async Task A_deadline_that_passes_while_the_reply_arrives_is_reported_as_such(string stack)
    {
        var reply = new byte[3 << 20];
        await using var fixture = await TransportFixture.StartAsync(stack,
            [RpcHandler.Unary(EchoService.Echo, (_, _) => new(EchoService.Message(reply)))]);
        var whole = TimeSpan.MaxValue;
        for (var i = 0; i < 20; i++)
        {
            var began = Stopwatch.GetTimestamp();
            await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"));
            var took = Stopwatch.GetElapsedTime(began);
            if (took < whole) whole = took;
        }

        await Parallel.ForEachAsync(Enumerable.Range(1, 200), new ParallelOptions { MaxDegreeOfParallelism = 8 }, async (i, _) =>
        {
            try
            {
                // up to twice the time in which eight replies arrive at once
                var within = new RpcCallOptions { Timeout = whole * i / 12 };
                await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"), within, CancellationToken.None);
            }
            catch (RpcException e)
            {
                Assert.True(e.StatusCode is StatusCode.DeadlineExceeded or StatusCode.Cancelled, e.ToString());
            }
        });
    }

    [Theory, Stacks]
    public async Task A_callback_of_a_handler_that_throws_ends_nothing(string stack)
    {
        var throws = EchoService.Echo with { Path = "/test.Contract/Throws" };
        var before = Unhandled.Seen.Count;
        var (begun, called) = (0, 0);
        await using var fixture =
            await TransportFixture.StartAsync(stack, [.. new EchoService().Handlers, RpcHandler.Unary(throws, async (_, call) =>
        {
            await using var first = call.CancellationToken.Register(() => throw new InvalidOperationException("as the test asked"));
            await using var second = call.CancellationToken.Register(() => Interlocked.Increment(ref called));
            Interlocked.Increment(ref begun);
            await Task.Delay(Timeout.Infinite, call.CancellationToken);
            return default;
        })]);
        var timed = fixture.Client.UnaryAsync(throws, EchoService.Message("x"), new() { Timeout = TimeSpan.FromSeconds(1) }).AsTask();
        await TransportFixture.FailsAsync(StatusCode.DeadlineExceeded, timed);
        using (var cancellation = new CancellationTokenSource())
        {
            var call = fixture.Client.UnaryAsync(throws, EchoService.Message("x"), cancellationToken: cancellation.Token).AsTask();
            await TransportFixture.UntilAsync(() => Volatile.Read(ref begun) == 2);
            await cancellation.CancelAsync();
            await TransportFixture.FailsAsync(StatusCode.Cancelled, call);
        }

        await using (var relay = new CuttingRelay(fixture.Server.Endpoint, () => int.MaxValue))
        {
            await using var other = fixture.Stack.Connect(relay.Endpoint, null);
            var call = other.UnaryAsync(throws, EchoService.Message("x")).AsTask();
            await TransportFixture.UntilAsync(() => Volatile.Read(ref begun) == 3);
            relay.Cut();
            await TransportFixture.FailsAsync(StatusCode.Unavailable, call);
        }

        await TransportFixture.UntilAsync(() => Volatile.Read(ref called) == 3);
        Assert.Equal("after", EchoService.Text(await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("after"))));
        Assert.Equal(before, Unhandled.Seen.Count);
    }
}

using ProtoBench.Rpc.Tests.Peers;

namespace ProtoBench.Rpc.Tests.Contracts;

/// <summary>What a caller's time limit may do to a host: end that call, and nothing else.</summary>
public class DeadlineTests
{
    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_deadline_meets_a_handler_that_adds_metadata_and_the_host_lives(string stack)
    {
        const int atOnce = 20;
        var before = Unhandled.Seen.Count;
        await using var rig = await StackRig.StartAsync(stack, [RpcHandler.Unary(EchoService.Echo, async (request, call) =>
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
        })]);
        await Parallel.ForEachAsync(Enumerable.Range(0, SliceCount.Calls), new ParallelOptions { MaxDegreeOfParallelism = atOnce }, async (i, _) =>
        {
            try
            {
                var within = new RpcCall { Timeout = TimeSpan.FromMicroseconds(100 + (i % 100 * 70)) };
                await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message("x"), within, CancellationToken.None);
            }
            catch (RpcException e)
            {
                // grpc-dotnet's host resets the call, and the reset may be there before the client's own clock
                Assert.True(e.Status is RpcStatus.DeadlineExceeded || (e.Status is RpcStatus.Cancelled && stack != "inbox"), e.ToString());
            }
        });
        Assert.Equal("after", EchoService.Text(await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message("after"))));
        Assert.Equal(before, Unhandled.Seen.Count);
    }

    [Theory]
    [MemberData(nameof(StackRig.Stacks), MemberType = typeof(StackRig))]
    public async Task A_callback_of_a_handler_that_throws_ends_nothing(string stack)
    {
        var throws = EchoService.Echo with { Path = "/test.Contract/Throws" };
        var before = Unhandled.Seen.Count;
        var (begun, called) = (0, 0);
        await using var rig = await StackRig.StartAsync(stack, [.. new EchoService().Handlers, RpcHandler.Unary(throws, async (_, call) =>
        {
            await using var first = call.Stop.Register(() => throw new InvalidOperationException("as the test asked"));
            await using var second = call.Stop.Register(() => Interlocked.Increment(ref called));
            Interlocked.Increment(ref begun);
            await Task.Delay(Timeout.Infinite, call.Stop);
            return default;
        })]);
        var timed = rig.Client.UnaryAsync(throws, EchoService.Message("x"), new() { Timeout = TimeSpan.FromSeconds(1) }).AsTask();
        await StackRig.FailsAsync(RpcStatus.DeadlineExceeded, timed);
        using (var stop = new CancellationTokenSource())
        {
            var call = rig.Client.UnaryAsync(throws, EchoService.Message("x"), stop: stop.Token).AsTask();
            await StackRig.UntilAsync(() => Volatile.Read(ref begun) == 2);
            await stop.CancelAsync();
            await StackRig.FailsAsync(RpcStatus.Cancelled, call);
        }

        await using (var relay = new CuttingRelay(rig.Server.Endpoint, () => int.MaxValue))
        {
            await using var other = rig.Stack.Connect(relay.Endpoint, null);
            var call = other.UnaryAsync(throws, EchoService.Message("x")).AsTask();
            await StackRig.UntilAsync(() => Volatile.Read(ref begun) == 3);
            relay.Cut();
            await StackRig.FailsAsync(RpcStatus.Unavailable, call);
        }

        await StackRig.UntilAsync(() => Volatile.Read(ref called) == 3);
        Assert.Equal("after", EchoService.Text(await rig.Client.UnaryAsync(EchoService.Echo, EchoService.Message("after"))));
        Assert.Equal(before, Unhandled.Seen.Count);
    }
}

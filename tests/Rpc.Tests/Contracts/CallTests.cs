using System.Buffers;

namespace ProtoBench.Rpc.Tests;

public class CallTests
{
    static readonly RpcMethod<RawMessage, RawMessage> wait = EchoService.Echo with { Path = "/test.Contract/Wait" };

    /// <summary>As many calls as the host takes, and one more.</summary>
    [Theory, Stacks]
    public async Task Stop_fires_for_every_call_of_a_peer_that_leaves(string stack)
    {
        const int most = 3;
        var seen = new Seen();
        await using var fixture = await TransportFixture.StartAsync(stack, [seen.Handler], new() { MaxStreamsPerConnection = most });
        await using var relay = new CuttingRelay(fixture.Server.Endpoint, () => int.MaxValue);
        await using var client = fixture.Stack.Connect(relay.Endpoint, null);
        var calls = Enumerable.Range(0, most + 1).Select(_ => client.UnaryAsync(wait, EchoService.Message("x")).AsTask()).ToArray();
        await seen.BegunAsync(fixture.Stack.Multiplexed ? most : 1);
        relay.Cut();
        await seen.StoppedAsync(fixture.Stack.Multiplexed ? most : 1);
    }

    [Theory, Stacks]
    public async Task A_handler_that_computes_hears_that_its_caller_has_given_up(string stack)
    {
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var heard = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var fixture = await TransportFixture.StartAsync(stack, [RpcHandler.Unary(wait, (request, call) =>
        {
            begun.SetResult();
            var limit = Environment.TickCount64 + (long)TransportFixture.Patience.TotalMilliseconds;
            while (!call.CancellationToken.IsCancellationRequested && Environment.TickCount64 < limit)
                Thread.Yield();
            if (call.CancellationToken.IsCancellationRequested)
                heard.SetResult();
            return new(EchoService.Message(request.Bytes.ToArray()));
        })]);
        using var cancellation = new CancellationTokenSource();
        var call = fixture.Client.UnaryAsync(wait, EchoService.Message("x"), cancellationToken: cancellation.Token).AsTask();
        await begun.Task.WaitAsync(TransportFixture.Patience);
        await cancellation.CancelAsync();
        await TransportFixture.FailsAsync(StatusCode.Cancelled, call);
        await heard.Task.WaitAsync(TransportFixture.Patience);
    }

    [Theory, Stacks]
    public async Task A_handler_that_blocks_holds_up_no_other_call(string stack)
    {
        using var released = new ManualResetEventSlim();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var fixture =
            await TransportFixture.StartAsync(stack, [.. new EchoService().Handlers, RpcHandler.Unary(wait, (request, _) =>
        {
            begun.SetResult();
            released.Wait(TransportFixture.Patience);
            return new(EchoService.Message(request.Bytes.ToArray()));
        })]);
        var blocked = fixture.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask();
        try
        {
            await begun.Task.WaitAsync(TransportFixture.Patience);
            await using var other = fixture.Connect();
            var client = fixture.Stack.Multiplexed ? fixture.Client : other;
            var beside = client.UnaryAsync(EchoService.Echo, EchoService.Message("beside")).AsTask();
            Assert.Equal("beside", EchoService.Text(await beside.WaitAsync(TransportFixture.Patience / 2)));
        }
        finally
        {
            released.Set();
        }

        await blocked.WaitAsync(TransportFixture.Patience);
    }

    [Theory, Stacks]
    public async Task A_handler_that_ends_without_a_response_is_an_error(string stack)
    {
        await using var fixture = await TransportFixture.StartAsync(stack, [.. new EchoService().Handlers, new Silent(wait)]);
        await TransportFixture.FailsAsync(StatusCode.Internal, fixture.Client.UnaryAsync(wait, EchoService.Message("x")).AsTask());
        Assert.Equal("after", EchoService.Text(await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message("after"))));
    }

    [Theory, Stacks]
    public async Task A_request_that_is_read_late_is_the_one_that_was_sent(string stack)
    {
        await using var fixture = await TransportFixture.StartAsync(stack, [new LateReader(EchoService.Echo)]);
        await Parallel.ForEachAsync(Enumerable.Range(0, 500), new ParallelOptions { MaxDegreeOfParallelism = 20 }, async (i, _) =>
        {
            var body = new byte[i * 37 % 20_000];
            new Random(i).NextBytes(body);
            Assert.Equal(body,
                (await fixture.Client.UnaryAsync(EchoService.Echo, EchoService.Message(body), null,
                    CancellationToken.None)).Bytes.ToArray());
        });
    }

    [Theory, Stacks]
    public async Task An_address_in_use_is_an_IOException(string stack)
    {
        await using var fixture = await TransportFixture.StartAsync(stack, []);
        await Assert.ThrowsAnyAsync<IOException>(() =>
            fixture.Stack.StartAsync(new() { Port = fixture.Server.Endpoint.Port }, [], null, null));
    }

    /// <summary>protobuf-net asks for 1,024 bytes, however short the message is.</summary>
    [Theory, Stacks]
    public async Task A_marshaller_may_request_more_space_than_it_uses(string stack)
    {
        var method = new RpcMethod<byte, byte>("/test.Contract/Generous", new GenerousMarshaller(), new GenerousMarshaller());
        await using var fixture = await TransportFixture.StartAsync(stack, [RpcHandler.Unary(method, (request, _) => new(request))]);
        Assert.Equal(7, await fixture.Client.UnaryAsync(method, (byte)7).AsTask().WaitAsync(TransportFixture.Patience));
    }

    sealed class GenerousMarshaller : Marshaller<byte>
    {
        public override int Measure(byte message) => 1;

        public override void Write(byte message, int size, IBufferWriter<byte> output)
        {
            output.GetSpan(1024)[0] = message;
            output.Advance(1);
        }

        public override byte Read(in ReadOnlySequence<byte> payload) => payload.FirstSpan[0];
    }

    sealed class Seen
    {
        int begun;
        int stopped;

        public RpcHandler Handler => RpcHandler.Unary<RawMessage, RawMessage>(wait, async (_, call) =>
        {
            Interlocked.Increment(ref begun);
            try
            {
                await Task.Delay(Timeout.Infinite, call.CancellationToken);
            }
            finally
            {
                Interlocked.Increment(ref stopped);
            }

            return default;
        });

        public Task BegunAsync(int calls) => TransportFixture.UntilAsync(() => Volatile.Read(ref begun) >= calls);

        public Task StoppedAsync(int calls) => TransportFixture.UntilAsync(() => Volatile.Read(ref stopped) >= calls);
    }

    sealed class Silent(RpcMethod<RawMessage, RawMessage> method) : RpcHandler(method.Path)
    {
        public override bool Recycles => true;

        public override void Bind(GrpcDotnetBinder binder) => binder.Stream(method, async stream => await stream.ReadAsync());

        public override async ValueTask RunAsync(RpcMessageCall call) => await call.ReadAsync(method.Request);
    }

    /// <summary>Reads after a wait, where the stack lets it.</summary>
    sealed class LateReader(RpcMethod<RawMessage, RawMessage> method) : RpcHandler(method.Path)
    {
        public override bool Recycles => true;

        public override void Bind(GrpcDotnetBinder binder) =>
            binder.Unary(method, (request, _) => new(EchoService.Message(request.Bytes.ToArray())));

        public override async ValueTask RunAsync(RpcMessageCall call)
        {
            await Task.Yield();
            await call.WriteAsync(method.Response, await call.ReadAsync(method.Request));
        }
    }
}

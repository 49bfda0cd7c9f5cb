using System.Buffers;

namespace ProtoBench.Rpc.Tests;

/// <summary>However a call ends, every message is released once, on both sides.</summary>
public sealed class LifetimeTests : IAsyncDisposable
{
    const int calls = 200;

    readonly Ledger ledger = new();
    IRpcServer? server;
    IRpcClient? client;

    public static TheoryData<string, string> Endings => [.. TransportFixture.GrpcStacks.SelectMany(stack =>
        new[] { "reply", "failure", "exception", "deadline", "cancel", "malformed request",
            "malformed reply" }.Select(ending => (stack.Data, ending)))];

    [Theory]
    [MemberData(nameof(Endings))]
    public async Task A_call_leaves_nothing_behind(string stack, string ending)
    {
        var method = await StartAsync(stack, ending);
        var request = new RawMessage(new byte[20_000]);
        for (var i = 0; i < calls; i++)
        {
            // at any moment of the call: before it is sent, in the handler, between the reply and its end
            using var cancellation = new CancellationTokenSource();
            if (ending == "cancel")
                cancellation.CancelAfter(TimeSpan.FromMicroseconds(i * 10));
            var call = ending == "deadline" ? new RpcCallOptions { Timeout = TimeSpan.FromMicroseconds(100 + (i * 10)) } : null;
            try
            {
                ledger.Release(await client!.UnaryAsync(method, request, call, cancellation.Token));
                Assert.True(ending is "reply" or "cancel" or "deadline", "the call succeeded");
            }
            catch (RpcException e)
            {
                StatusCode[] expected = ending switch
                {
                    "failure" => [StatusCode.NotFound],
                    "exception" => [StatusCode.Unknown],
                    "malformed request" or "malformed reply" => [StatusCode.Internal],
                    "deadline" => [StatusCode.DeadlineExceeded, StatusCode.Cancelled],
                    "cancel" => [StatusCode.Cancelled],
                    _ => [],
                };
                Assert.True(expected.Contains(e.StatusCode), e.ToString());
            }
        }

        await AssertIdleAsync();
        Assert.Equal(ending != "malformed request", ledger.Made > 0);
    }

    [Theory, Stacks(nameof(TransportFixture.GrpcStacks))]
    public async Task Streams_that_are_left_in_the_middle_leave_nothing_behind(string stack)
    {
        await StartAsync(stack, "reply");
        for (var i = 0; i < calls; i++)
        {
            await using var stream = ((GrpcDotnetClient)client!).Stream(Method("Duplex"));
            for (var message = 0; message < i % 4; message++)
                await stream.WriteAsync(new(new byte[20_000]));
            if (i % 3 == 1 && i % 4 > 0)
                ledger.Release((await stream.ReadAsync()).Message);
        }

        await AssertIdleAsync();
    }

    public async ValueTask DisposeAsync()
    {
        await client!.DisposeAsync();
        await server!.DisposeAsync();
    }

    async Task<RpcMethod<RawMessage, RawMessage>> StartAsync(string stack, string ending)
    {
        var method = Method("Call");
        var one = RpcTransports.Named(stack);
        server = await one.StartAsync(
            new(),
            [
                RpcHandler.Unary(method, async (request, call) =>
                {
                    if (ending is "deadline" or "cancel")
                        await Task.Yield();
                    return ending switch
                    {
                        "failure" => throw RpcFailure.Of(StatusCode.NotFound, "as the test asked"),
                        "exception" => throw new InvalidOperationException("as the test asked"),
                        "malformed reply" => ledger.Own(Ledger.Malformed),
                        _ => ledger.Own(request.Bytes.ToArray()),
                    };
                }),
                RpcHandler.Stream(Method("Duplex"), async stream =>
                {
                    while (await stream.ReadAsync() is { HasMessage: true } next)
                    {
                        try
                        {
                            await stream.WriteAsync(next.Message);
                        }
                        finally
                        {
                            ledger.Release(next.Message);
                        }
                    }
                }),
            ],
            null,
            null);
        client = one.Connect(server.Endpoint, null);
        return ending == "malformed request" ? method with { Request = new Ledger(writes: Ledger.Malformed) } : method;
    }

    RpcMethod<RawMessage, RawMessage> Method(string name) => new("/test.Life/" + name, ledger, ledger);

    /// <summary>The host still answers, and what was read or built was released, no less and no more.</summary>
    async Task AssertIdleAsync()
    {
        await using (var other = RpcTransports.All[0].Connect(server!.Endpoint, null))
        {
            var failure =
                await Assert.ThrowsAsync<RpcException>(() => other.UnaryAsync(Method("None"), new RawMessage(new byte[1])).AsTask());
            Assert.Equal(StatusCode.Unimplemented, failure.StatusCode);
        }

        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(2));
        while (ledger.Outstanding != 0 && !limit.IsCancellationRequested)
            await Task.Delay(1); // handlers of calls that were given up may still run
        Assert.Equal(0, ledger.Outstanding);
        Assert.Equal(0, ledger.ReleasedTwice);
    }

    /// <summary>Keeps account of messages: recycled ones, to the transports.</summary>
    sealed class Ledger(byte[]? writes = null) : Marshaller<RawMessage>
    {
        readonly Dictionary<object, bool> alive = new(ReferenceEqualityComparer.Instance);

        public static byte[] Malformed { get; } = [0xBA, 0xD0];

        public int Made { get; private set; }

        public int ReleasedTwice { get; private set; }

        public int Outstanding
        {
            get
            {
                lock (alive)
                    return alive.Values.Count(lives => lives);
            }
        }

        public override bool Recycles => true;

        public RawMessage Own(byte[] bytes)
        {
            bytes = [.. bytes];
            lock (alive)
            {
                alive.Add(bytes, true);
                Made++;
            }

            return new(bytes);
        }

        public override int Measure(RawMessage message) => (writes ?? message.Bytes).Length;

        public override void Write(RawMessage message, int size, IBufferWriter<byte> output) =>
            output.Write((writes ?? message.Bytes).Span);

        public override RawMessage Read(in ReadOnlySequence<byte> payload)
        {
            var bytes = payload.ToArray();
            return bytes.AsSpan().SequenceEqual(Malformed) ? throw new InvalidDataException("as the test asked") : Own(bytes);
        }

        public override void Release(RawMessage message)
        {
            Assert.True(System.Runtime.InteropServices.MemoryMarshal.TryGetArray(message.Bytes, out var bytes));
            lock (alive)
            {
                if (!alive[bytes.Array!])
                    ReleasedTwice++;
                alive[bytes.Array!] = false;
            }
        }
    }
}

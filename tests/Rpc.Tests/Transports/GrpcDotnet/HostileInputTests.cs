using System.Buffers;
using System.IO.Compression;
using System.Net;
using System.Net.Sockets;
using ProtoBench.Allocators;
using static ProtoBench.Rpc.Tests.EchoService;

namespace ProtoBench.Rpc.Tests;

/// <summary>Whatever one caller sends, the host stays up, keeps its memory within bounds, and answers the others meanwhile.</summary>
public sealed class HostileInputTests
{
    [Fact]
    public async Task Random_bytes_end_their_own_connection_only()
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers);
        await WhileAnotherIsServedAsync(server, async () =>
        {
            for (var seed = 0; seed < 100; seed++)
            {
                var random = new Random(seed);
                var bytes = new byte[random.Next(1, 4096)];
                random.NextBytes(bytes);
                // every other one gets past the preface, so that its bytes are read as frames
                byte[] preface = seed % 2 == 0 ? [] : [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, 0, 0, 0, 4, 0, 0, 0, 0, 0];
                using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
                await socket.ConnectAsync("127.0.0.1", server.Endpoint.Port);
                await socket.SendAsync(preface.Concat(bytes).ToArray());
            }
        });
    }

    [Fact]
    public async Task A_thousand_streams_that_stop_in_the_middle_are_held_to_the_budget()
    {
        const int streams = 1_000;
        var limits = new RpcLimits { MaxPartialBytes = 4 * 1024 * 1024, MaxStreamsPerConnection = streams };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        using var raw = new RawRequest(server.Endpoint);
        using var cancellation = new CancellationTokenSource();
        var refused = 0;
        var calls = Array.Empty<Task>();
        await WhileAnotherIsServedAsync(server, async () =>
        {
            calls = [.. Enumerable.Range(0, streams).Select(_ => StallAsync())];
            // 1,000 parts of 16 KiB are four times the budget: about three of four calls are refused, and the rest hold what it allows
            var limit = Task.Delay(TimeSpan.FromMinutes(5));
            while (Volatile.Read(ref refused) < streams / 2 && !limit.IsCompleted)
                await Task.Delay(1);
            Assert.True(Volatile.Read(ref refused) >= streams / 2, $"{refused} of {streams} calls were refused");
        });

        await cancellation.CancelAsync();
        await Task.WhenAll(calls);
        await AssertServesLargeAsync(server, limits);

        async Task StallAsync()
        {
            try
            {
                var (_, status, reply) = await raw.SendAsync(AnnounceAndStallAsync, cancellationToken: cancellation.Token);
                reply.Dispose();
                if (status == StatusCode.ResourceExhausted)
                    Interlocked.Increment(ref refused);
            }
            catch (Exception e) when (e is OperationCanceledException or HttpRequestException or IOException)
            {
                // given up at the end of the test
            }
        }
    }

    [Fact]
    public async Task A_message_that_arrives_byte_by_byte_is_a_message()
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers);
        using var raw = new RawRequest(server.Endpoint);
        var frame = RawRequest.Frame(300, 300);
        await WhileAnotherIsServedAsync(server, async () =>
        {
            var (_, status, reply) = await raw.SendAsync(async (stream, cancellationToken) =>
            {
                for (var i = 0; i < frame.Length; i++)
                {
                    await stream.WriteAsync(frame.AsMemory(i, 1), cancellationToken);
                    await stream.FlushAsync(cancellationToken);
                }
            });
            Assert.Equal(StatusCode.OK, status);
            Assert.Equal(frame, await reply.Content.ReadAsByteArrayAsync());
            reply.Dispose();
        });
    }

    [Fact]
    public async Task A_message_that_stops_is_cut_by_its_deadline_and_gives_back_what_it_held()
    {
        var limits = new RpcLimits { MaxPartialBytes = 4 * 1024 * 1024 };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        using var raw = new RawRequest(server.Endpoint);
        await WhileAnotherIsServedAsync(server, () => Task.WhenAll(Enumerable.Range(0, 100).Select(async _ =>
        {
            try
            {
                var (_, status, reply) = await raw.SendAsync(AnnounceAndStallAsync, request => request.Headers.Add("grpc-timeout", "200m"));
                reply.Dispose();
                Assert.Equal(StatusCode.DeadlineExceeded, status);
            }
            catch (HttpRequestException e) when (e.InnerException is HttpProtocolException { ErrorCode: 8 })
            {
                // the host has reset the call, as it does after the status, which HttpClient has not read by then
            }
        })));
        await AssertServesLargeAsync(server, limits);
    }

    [Fact]
    public async Task A_length_of_4_GiB_ends_a_stream_after_its_first_message()
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers);
        using var raw = new RawRequest(server.Endpoint);
        var (_, status, reply) = await raw.SendAsync([.. RawRequest.Frame(3, 3), .. RawRequest.Frame(-1, 1)], path: Duplex.Path);
        Assert.Equal(StatusCode.ResourceExhausted, status);
        Assert.Equal(RawRequest.Frame(3, 3), await reply.Content.ReadAsByteArrayAsync());
        reply.Dispose();
    }

    [Fact]
    public async Task A_message_that_is_decompressed_is_held_to_the_limit()
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers);
        using var raw = new RawRequest(server.Endpoint);
        using var zipped = new MemoryStream();
        await using (var gzip = new GZipStream(zipped, CompressionLevel.Fastest, leaveOpen: true))
            await gzip.WriteAsync(new byte[5 * 1024 * 1024]);
        var frame = RawRequest.Frame((int)zipped.Length, (int)zipped.Length);
        frame[0] = 1;
        zipped.ToArray().CopyTo(frame, 5);
        var (_, status, _) = await raw.SendAsync(frame, request => request.Headers.Add("grpc-encoding", "gzip"));
        Assert.Equal(StatusCode.ResourceExhausted, status);
    }

    /// <summary>Without strict validation .NET's streams read what there is. No bytes are what they write for an empty message.</summary>
    [Theory]
    [InlineData("gzip")]
    [InlineData("deflate")]
    [InlineData("br")]
    public async Task A_compressed_message_that_is_cut_off_is_refused(string compression)
    {
        await using var server =
            await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, new() { Tuning = new() { Compression = compression } });
        using var raw = new RawRequest(server.Endpoint);
        using var compressed = new MemoryStream();
        await using (Stream stream = compression switch
        {
            "gzip" => new GZipStream(compressed, CompressionLevel.Fastest, leaveOpen: true),
            "deflate" => new ZLibStream(compressed, CompressionLevel.Fastest, leaveOpen: true),
            _ => new BrotliStream(compressed, CompressionLevel.Fastest, leaveOpen: true),
        })
            await stream.WriteAsync("a message, a message, a message"u8.ToArray());
        for (var length = 0; length <= compressed.Length; length++)
        {
            var frame = RawRequest.Frame(length, length);
            frame[0] = 1;
            compressed.GetBuffer().AsSpan(0, length).CopyTo(frame.AsSpan(5));
            var (_, status, reply) = await raw.SendAsync(frame, request => request.Headers.Add("grpc-encoding", compression));
            reply.Dispose();
            Assert.Equal((length, length == 0 || length == compressed.Length ? StatusCode.OK : StatusCode.Unknown), (length, status));
        }
    }

    /// <summary>Streams, which Kestrel's lowest rate of requests does not cut.</summary>
    [Fact]
    public async Task Messages_that_never_go_on_expire_and_others_are_served()
    {
        var limits = new RpcLimits { MaxPartialBytes = 1024 * 1024, PartialTimeout = TimeSpan.FromMilliseconds(500) };
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, limits);
        using var raw = new RawRequest(server.Endpoint);
        var stalled = await Task.WhenAll(Enumerable.Range(0, 200).Select(_ => raw.SendAsync(AnnounceAndStallAsync, path: Duplex.Path)));
        Assert.All(stalled, call => Assert.Equal(StatusCode.ResourceExhausted, call.Grpc));
        await using var other = new GrpcDotnetClient(server.Endpoint);
        Assert.Equal(900_000, (await other.UnaryAsync(Echo, Message(new byte[900_000]))).Bytes.Length);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Responses_that_nobody_reads_are_held_to_the_limits_and_given_back(bool streams)
    {
        const int calls = 200;
        const int most = 60;
        const int reply = 1024 * 1024;
        var limits = new RpcLimits { MaxBufferedBytesPerConnection = 8 * reply, MaxBufferedBytes = 12 * reply };
        var large = Echo with { Path = "/test.Echo/Large" };
        await using var server = await GrpcDotnetServer.StartAsync(
            new(),
            [
                .. new EchoService().Handlers,
                streams
                    ? RpcHandler.Stream(large, async stream =>
                    {
                        while (true)
                            await stream.WriteAsync(Message(new byte[reply]));
                    })
                    : RpcHandler.Unary(large, (_, _) => new(Message(new byte[reply]))),
            ],
            limits);
        await using var other = new GrpcDotnetClient(server.Endpoint);
        using (var silent = new RawRequest(server.Endpoint))
        {
            // Calls that have seen room at the same moment may each add one response more: one for each thread of the pool, which has more
            // threads on a busy machine. Without the limit all 100 calls that a connection may have open are answered.
            Assert.InRange(await AnsweredAsync(silent), 1, most);
            Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"))));
            using var second = new RawRequest(server.Endpoint);
            Assert.InRange(await AnsweredAsync(second), 0, most);
        }

        // what the connections held is given back when they are closed
        await TransportFixture.UntilAsync(() =>
        {
            using var third = new RawRequest(server.Endpoint);
            return AnsweredAsync(third).GetAwaiter().GetResult() >= 8;
        });

        async Task<int> AnsweredAsync(RawRequest silent)
        {
            var replies = await Task.WhenAll(Enumerable.Range(0, calls).Select(_ =>
                silent.BeginAsync((stream, token) => stream.WriteAsync(RawRequest.Frame(0, 0), token).AsTask(), path: large.Path)));
            return replies.Count(reply => reply.StatusCode == HttpStatusCode.OK && RawRequest.Status(reply) is null);
        }
    }

    /// <summary>Its windows are closed, so that nothing can be sent, and Kestrel's lowest rate does not count.</summary>
    [Fact]
    public async Task A_connection_that_reads_no_responses_is_closed_and_its_memory_is_given_back()
    {
        var large = Echo with { Path = "/test.Echo/Large" };
        await using var server = await GrpcDotnetServer.StartAsync(new(),
            [.. new EchoService().Handlers, RpcHandler.Unary(large, (_, _) => new(Message(new byte[4 * 1024 * 1024])))],
            new() { UnreadTimeout = TimeSpan.FromSeconds(1) });
        await using var other = new GrpcDotnetClient(server.Endpoint);
        Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"))));
        var memory = ((KestrelHost)server).Memory!;
        var before = memory.BlocksOutstanding;
        using var silent = new RawRequest(server.Endpoint);
        var replies = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ =>
            silent.BeginAsync((stream, token) => stream.WriteAsync(RawRequest.Frame(0, 0), token).AsTask(), path: large.Path)));
        await TransportFixture.UntilAsync(() => memory.BlocksOutstanding > before + 8);
        await TransportFixture.UntilAsync(() => memory.BlocksOutstanding <= before);
        Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"))));
        foreach (var reply in replies)
            await Assert.ThrowsAnyAsync<Exception>(() => reply.Content.ReadAsByteArrayAsync());
    }

    /// <summary>grpc-dotnet completes the response on another thread when the deadline passes. Kestrel then returns the blocks of the
    /// response, and the next response that rents one would be overwritten by the serializer of this one.</summary>
    [Fact]
    public async Task A_deadline_leaves_the_memory_in_which_a_response_is_being_written()
    {
        using var ended = new ManualResetEventSlim();
        var writing = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var wasReused = new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
        KestrelHost? host = null;
        var slow = new RpcMethod<RawMessage, RawMessage>("/test.Echo/Slow", Echo.Request, new SlowMarshaller(output =>
        {
            var being = output.GetSpan(1);
            writing.TrySetResult();
            ended.Wait(TransportFixture.Patience);
            var rented = Enumerable.Range(0, 300).Select(_ => host!.Memory!.Rent()).ToArray(); // more than it keeps
            var isReused = false;
            foreach (var block in rented)
                isReused |= block.Memory.Span.Overlaps(being);
            foreach (var block in rented)
                block.Dispose();
            wasReused.TrySetResult(isReused);
            output.Advance(1);
        }));
        host = (KestrelHost)await GrpcDotnetServer.StartAsync(new(),
            [.. new EchoService().Handlers, RpcHandler.Unary(slow, (_, _) => new(Message("x")))]);
        await using (host)
        {
            using var raw = new RawRequest(host.Endpoint);
            // on a slow machine the deadline may pass before the response is written
            for (var time = 100; !writing.Task.IsCompleted; time *= 2)
            {
                var call = raw.SendAsync(RawRequest.Frame(0, 0), request => request.Headers.Add("grpc-timeout", $"{time}m"), slow.Path);
                await Record.ExceptionAsync(() => call.WaitAsync(TransportFixture.Patience));
            }

            ended.Set();
            Assert.False(await wasReused.Task.WaitAsync(TransportFixture.Patience));
            await using var other = new GrpcDotnetClient(host.Endpoint);
            Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"))));
        }
    }

    [Fact]
    public async Task A_host_binds_loopback_unless_told_otherwise()
    {
        // all of 127.0.0.0/8 is this machine on Linux, so that its second address stands for any other interface
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs a second address on every machine");
        await using var narrow = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers);
        await using var wide = await GrpcDotnetServer.StartAsync(new() { Host = "0.0.0.0" }, new EchoService().Handlers);
        Assert.Equal("127.0.0.1", narrow.Endpoint.Host);
        await using var toNarrow = new GrpcDotnetClient(narrow.Endpoint with { Host = "127.0.0.2" });
        await using var toWide = new GrpcDotnetClient(wide.Endpoint with { Host = "127.0.0.2" });
        Assert.Equal(StatusCode.Unavailable,
            (await Assert.ThrowsAsync<RpcException>(() => toNarrow.UnaryAsync(Echo, Message("x")).AsTask())).StatusCode);
        Assert.Equal("x", Text(await toWide.UnaryAsync(Echo, Message("x"))));
    }

    /// <summary>Announces 4 MiB, sends 16 KiB, and then nothing.</summary>
    static async Task AnnounceAndStallAsync(Stream stream, CancellationToken cancellationToken)
    {
        await stream.WriteAsync(RawRequest.Frame(4 * 1024 * 1024, 16 * 1024), cancellationToken);
        await stream.FlushAsync(cancellationToken);
        await Task.Delay(Timeout.Infinite, cancellationToken);
    }

    /// <summary>Another client makes calls from the beginning of the attack to its end, and once after it: all of them succeed.</summary>
    internal static async Task WhileAnotherIsServedAsync(IRpcServer server, Func<Task> attack)
    {
        await using var other = new GrpcDotnetClient(server.Endpoint);
        var attacking = attack();
        bool over;
        do
        {
            over = attacking.IsCompleted;
            Assert.Equal("served", Text(await other.UnaryAsync(Echo, Message("served"), new() { Timeout = TimeSpan.FromMinutes(2) })));
        }
        while (!over);
        await attacking;
        Assert.Equal(1, other.Connection.Opened);
    }

    /// <summary>A message as large as the whole budget gets through, once the ends of the stalled calls have arrived.</summary>
    static async Task AssertServesLargeAsync(IRpcServer server, RpcLimits limits)
    {
        await using var other = new GrpcDotnetClient(server.Endpoint);
        using var limit = new CancellationTokenSource(TimeSpan.FromMinutes(5));
        while (true)
        {
            try
            {
                var reply = await other.UnaryAsync(Echo, Message(new byte[limits.MaxReceiveBytes - 64 * 1024]),
                    cancellationToken: limit.Token);
                Assert.Equal(limits.MaxReceiveBytes - 64 * 1024, reply.Bytes.Length);
                return;
            }
            catch (RpcException e) when (e.StatusCode == StatusCode.ResourceExhausted && !limit.IsCancellationRequested)
            {
                await Task.Yield();
            }
        }
    }

    sealed class SlowMarshaller(Action<IBufferWriter<byte>> write) : Marshaller<RawMessage>
    {
        public override int Measure(RawMessage message) => 1;

        public override void Write(RawMessage message, int size, IBufferWriter<byte> output) => write(output);

        public override RawMessage Read(in ReadOnlySequence<byte> payload) => new(payload.ToArray());

        public override void Release(RawMessage message)
        {
        }
    }
}

/// <summary>What the whole process allocates and holds is counted.</summary>
[Collection("alone")]
public sealed class AnnouncedLengthTests
{
    [Theory]
    [InlineData(4 * 1024 * 1024, 0x7F00_0000, StatusCode.ResourceExhausted)]
    [InlineData(4 * 1024 * 1024, -1, StatusCode.ResourceExhausted)] // 0xFFFFFFFF, 4 GiB
    [InlineData(4 * 1024 * 1024, int.MinValue, StatusCode.ResourceExhausted)]
    // no array is so long
    [InlineData(int.MaxValue, int.MaxValue, StatusCode.ResourceExhausted)]
    // within the limit: the host waits for the bytes until the request ends without them
    [InlineData(int.MaxValue, 0x7F00_0000, StatusCode.Internal)]
    public async Task A_length_of_2_GiB_costs_nothing_before_its_bytes_arrive(int limit, int length, StatusCode status)
    {
        await using var server = await GrpcDotnetServer.StartAsync(new(), new EchoService().Handlers, new() { MaxReceiveBytes = limit });
        using var raw = new RawRequest(server.Endpoint);
        var start = RawRequest.Frame(length, 95);
        var (allocated, held) = (GC.GetTotalAllocatedBytes(precise: true), SlabPool.Shared.Snapshot().HeldBytes);
        await HostileInputTests.WhileAnotherIsServedAsync(server, async () =>
        {
            for (var i = 0; i < 100; i++)
            {
                var (_, grpc, reply) = await raw.SendAsync(start);
                reply.Dispose();
                Assert.Equal(status, grpc);
            }
        });
        // one such message would be 2 GiB; what the calls themselves allocate, theirs and the other client's, is far less
        Assert.InRange(GC.GetTotalAllocatedBytes(precise: true) - allocated, 0, 512L * 1024 * 1024);
        Assert.InRange(SlabPool.Shared.Snapshot().HeldBytes - held, long.MinValue, 16L * 1024 * 1024);
    }
}

using System.Buffers.Binary;
using System.IO.Compression;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Streams of requests and replies on the event loop.</summary>
public class StreamTests
{
    static readonly TargetMethod duplex = new("acme.Orders/Chat", IsServerStreaming: true, IsClientStreaming: true);
    static readonly TargetMethod fromClient = new("acme.Orders/Send", IsServerStreaming: false, IsClientStreaming: true);
    static readonly TargetMethod fromServer = new("acme.Orders/Watch", IsServerStreaming: true);
    static readonly Payload[] payloads = [.. Enumerable.Range(1, 5).Select(size => new Payload($"{size}", new byte[size]))];
    static readonly LoadPlan plan = new() { Payload = HivePayload.Empty(), Client = EventLoopClient.Name };

    [Theory]
    [InlineData(null)]
    [InlineData("gzip")]
    public async Task Each_call_sends_its_messages_in_turn(string? compression)
    {
        List<long[]> received = [];
        await using var server = await ServeAsync(fromClient, async stream =>
        {
            List<long> sizes = [];
            while (await stream.ReadAsync() is { HasMessage: true } message)
                sizes.Add(message.Message);
            lock (received)
                received.Add([.. sizes]);
            await stream.WriteAsync(new byte[1]);
        });
        var subject = Subject(server.Endpoint, fromClient, new(Messages: 7), compression);
        var calls = await OneRound.RunAsync(subject, plan with { Requests = 20, Concurrency = 3 });
        var messages = calls.Messages!;
        Assert.Equal((20, 0, 140, 20), (calls.Succeeded, calls.FailedCalls, messages.Sent, messages.Received));
        Assert.Equal((120, 20), (messages.BetweenMessages.Count, messages.ToAnswer.Count));
        // a call begins where the one before ended, and the first call of the connection is number 0 too
        var expected = Enumerable.Range(0, 20).Prepend(0).Select(call => Enumerable.Range(7 * call, 7).Select(i => (i % 5) + 1L).ToArray());
        Assert.Equal(expected.Select(Text).Order(), received.Select(Text).Order());

        static string Text(long[] sizes) => string.Join(',', sizes);
    }

    /// <summary>As the bytes on the wire have it.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Each_message_of_a_stream_is_compressed(bool isDuplex)
    {
        List<long> sizes = [];
        await using var server = new FrameServer(async (peer, stream, _) =>
        {
            var data = peer.Received.Where(frame => frame.Type == Frames.Data && frame.Stream == stream);
            var bytes = data.SelectMany(frame => frame.Payload).ToArray();
            while (bytes.Length > 0)
            {
                Assert.Equal(1, bytes[0]);
                var end = 5 + BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(1));
                using var message = new MemoryStream();
                await using var gzip = new GZipStream(new MemoryStream(bytes[5..end]), CompressionMode.Decompress);
                await gzip.CopyToAsync(message);
                sizes.Add(message.Length);
                bytes = bytes[end..];
            }

            await peer.ReplyAsync(stream);
        });
        var calls = await OneRound.RunAsync(Subject(server.Endpoint, isDuplex ? duplex : fromClient, new(Messages: 7), "gzip"),
            plan with { Requests = 2 });
        Assert.Empty(server.Faults);
        Assert.Equal((2, 0), (calls.Succeeded, calls.FailedCalls));
        // the first call of the connection, and the two of the round
        Assert.Equal(Enumerable.Range(0, 7).Concat(Enumerable.Range(0, 14)).Select(i => (i % 5) + 1L), sizes);
    }

    [Fact]
    public async Task A_stream_waits_for_an_answer_above_its_limit()
    {
        var unanswered = 0;
        var most = 0;
        await using var server = await ServeAsync(duplex, async stream =>
        {
            var (answer, read) = (Task.CompletedTask, 0);
            while (await stream.ReadAsync() is { HasMessage: true })
            {
                most = Math.Max(most, Interlocked.Increment(ref unanswered));
                // a message is answered when the limit is reached, and the last ones after the last
                for (var due = ++read == 50 ? 3 : read >= 3 ? 1 : 0; due > 0; due--)
                    answer = AnswerAsync(answer);
            }

            await answer;

            // not at once, so that a message too many may come; without one, the time does not matter
            async Task AnswerAsync(Task before)
            {
                await before;
                await Task.Delay(1);
                Interlocked.Decrement(ref unanswered);
                await stream.WriteAsync(new byte[1]);
            }
        });
        var calls = await OneRound.RunAsync(Subject(server, duplex, new(Messages: 50, Outstanding: 3)),
            plan with { Requests = 4 });
        var messages = calls.Messages!;
        Assert.Equal((4, 200, 200, 200), (calls.Succeeded, messages.Sent, messages.Received, messages.ToAnswer.Count));
        Assert.Equal(3, most);
    }

    [Fact]
    public async Task Messages_have_their_interval_and_answers_count_from_when_they_were_due()
    {
        await using var host = await Host.StartAsync(
            new() { Payload = HivePayload.Empty(), Prepared = PreparedReplies.Serve(duplex, payloads, ReplyDelay.None) });
        var interval = TimeSpan.FromMilliseconds(5);
        var calls = await OneRound.RunAsync(Subject(host.Endpoint, duplex, new(Messages: 11, Interval: interval.Ticks * 100)),
            plan with { Requests = 6, Concurrency = 3 });
        Assert.Equal((6, 66, 66), (calls.Succeeded, calls.Messages!.Sent, calls.Messages!.ToAnswer.Count));
        // no call can be shorter, however busy the machine is
        Assert.True(calls.Service.MinUs >= 10 * interval.TotalMicroseconds, $"{calls.Service.MinUs} μs");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_call_may_last_for_the_round(bool isDuplex)
    {
        await using var server = await ServeAsync(isDuplex ? duplex : fromClient, async stream =>
        {
            while (await stream.ReadAsync() is { HasMessage: true })
            {
                if (isDuplex)
                    await stream.WriteAsync(new byte[2]);
            }

            if (!isDuplex)
                await stream.WriteAsync(new byte[2]);
        });
        var subject = Subject(server, isDuplex ? duplex : fromClient, new(UntilRound: true));
        var load = plan with { Duration = TimeSpan.FromMilliseconds(300), Concurrency = 3 };
        var calls = await OneRound.RunAsync(subject, load);
        Assert.Equal((3, 0), (calls.Succeeded, calls.FailedCalls));
        Assert.True(calls.Service.MinUs >= 290_000, $"{calls.Service.MinUs} μs");
        Assert.True(calls.Messages!.Sent > 3, $"{calls.Messages!.Sent} messages"); // more than one for each call
        Assert.Equal(isDuplex ? calls.Messages!.Sent : 3, calls.Messages!.Received);
        var seconds = calls.Seconds!.Select(one => one.Messages!).ToArray();
        Assert.Equal((calls.Messages!.Sent, calls.Messages!.Received), (seconds.Sum(one => one.Sent), seconds.Sum(one => one.Received)));
    }

    [Theory]
    [InlineData(3)]
    [InlineData(null)]
    public async Task A_stream_of_replies_without_end_is_cancelled(int? messages)
    {
        await using var server = await ServeAsync(fromServer, async stream =>
        {
            await stream.ReadAsync();
            while (!stream.Call.CancellationToken.IsCancellationRequested)
                await stream.WriteAsync(new byte[1]);
        });
        var load = messages is null
            ? plan with { Duration = TimeSpan.FromMilliseconds(300), Concurrency = 2 } : plan with { Requests = 10 };
        var stream = messages is { } most ? new StreamPlan(most) : new(UntilRound: true);
        var calls = await OneRound.RunAsync(Subject(server, fromServer, stream), load);
        Assert.Equal((messages is null ? 2 : 10, 0), (calls.Succeeded, calls.FailedCalls));
        Assert.True(messages is null ? calls.Messages!.Received >= 2 : calls.Messages!.Received == 30, $"{calls.Messages!.Received} messages");
    }

    /// <summary>A server may answer before the client has sent everything, as one that refuses the rest does.</summary>
    [Fact]
    public async Task A_server_that_ends_first_ends_the_call()
    {
        await using var server = await ServeAsync(fromClient, async stream =>
        {
            await stream.ReadAsync();
            await stream.WriteAsync(new byte[1]);
        });
        var subject = Subject(server, fromClient, new(Messages: 1_000_000));
        var calls = await OneRound.RunAsync(subject, plan with { Requests = 10, Concurrency = 2 });
        Assert.Equal((10, 0), (calls.Succeeded, calls.FailedCalls));
        Assert.True(calls.Messages!.Sent < 10_000_000, $"{calls.Messages!.Sent} messages");
    }

    [Theory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public async Task A_message_allocates_nothing(bool isClientStreaming, bool isServerStreaming)
    {
        const int least = 1_000, most = 41_000;
        var method = new TargetMethod("acme.Orders/Chat", isServerStreaming, isClientStreaming);
        await using var host = await Host.StartAsync(new()
        {
            Payload = HivePayload.Empty(),
            Prepared = PreparedReplies.Serve(method, [.. Enumerable.Repeat(new Payload("ten", new byte[10]), most)], ReplyDelay.None),
        });
        using var loop = new EventLoop(host.Endpoint, new() { MaxReceiveBytes = 1000 }, 1, 0, 1);
        await loop.OpenAsync(default);
        using var cancellation = new RunCancellation(default);
        var (few, many) = await Task.Factory.StartNew(() => (Allocated(least), Allocated(most)),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).WaitAsync(TheProgram.Limit);
        // the smallest object has 24 bytes; a second that is over is kept in some kilobytes
        Assert.True(many - few < 10 * (most - least), $"{few} and {many} bytes");

        long Allocated(int messages)
        {
            // the loop grows its buffers for as many messages as are on their way
            var calls = Subject(host.Endpoint, method, new(messages, Interval: 1_000, Outstanding: 100)).Prepare(new(false));
            var allocated = AllocatedBytes.Of(() =>
                loop.Run(calls, new(cancellation) { Start = MachineClock.Sleeping.Now, Requests = 2 }, 2, TimeSpan.FromHours(1)));
            var all = new CallStatistics();
            all.Add(loop.Statistics);
            Assert.Equal((2, 2 * messages), (all.Service.Count, isClientStreaming ? all.Messages!.Sent : all.Messages!.Received));
            return allocated;
        }
    }

    static TargetSubject Subject(RpcEndpoint endpoint, TargetMethod method, StreamPlan stream, string? compression = null) =>
        new(endpoint, method, new(payloads, null), null)
        {
            Stream = stream,
            Limits = new() { Tuning = new() { Compression = compression } },
        };

    static TargetSubject Subject(IRpcServer server, TargetMethod method, StreamPlan stream) => Subject(server.Endpoint, method, stream);

    static async Task<IRpcServer> ServeAsync(TargetMethod method, Func<RpcServerStream<long, ReadOnlyMemory<byte>>, Task> serve)
    {
        var rpc = new RpcMethod<long, ReadOnlyMemory<byte>>("/" + method.Path, new SizeMarshaller(), new BytesMarshaller());
        return await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Stream(rpc, async stream => await serve(stream))], null, null);
    }
}

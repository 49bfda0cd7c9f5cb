using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using ProtoBench.Results;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

public class EventLoopTests
{
    static readonly TargetMethod unary = new("acme.Orders/Place", IsServerStreaming: false);
    static readonly LoadPlan plan = new() { Payload = HivePayload.Empty(), Client = EventLoopClient.Name };

    [Theory]
    [InlineData("google", false, false)]
    [InlineData("slab", false, false)]
    [InlineData("raw", false, false)]
    [InlineData("raw", true, false)]
    [InlineData("raw", false, true)]
    public async Task The_hive_is_loaded_and_checked(string codec, bool tls, bool unixSocket)
    {
        var payload = HivePayload.Hive(100);
        var variant = new Variant(RpcTransports.All[0], codec, HiveServices.Roots[0]);
        await using var host = await Host.StartAsync(new()
        {
            Payload = payload,
            Codec = codec,
            Tls = tls,
            Listen = new() { UnixSocket = unixSocket ? Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock") : null },
        });
        var load = plan with { Payload = payload, Requests = 500, Concurrency = 6, Connections = 3 };
        await using var session = new LoadSession(variant, host.Endpoint, load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Equal((500, 0), (round.Succeeded, round.FailedCalls));
        Assert.DoesNotContain(RunChecks.Faults(round), fault => fault.Contains("messages in", StringComparison.Ordinal));
        Assert.Equal(500, round.Server!.Calls);
        Assert.Equal((3, tls), (session.Connections.Sum(one => one.Opened), session.Connections[0].Tls is not null));
    }

    [Fact]
    public async Task Another_reply_is_wrong()
    {
        await using var host = await Host.StartAsync(new() { Payload = HivePayload.Hive(3), Codec = "raw" });
        var load = plan with { Payload = HivePayload.Hive(4) };
        await using var session = new LoadSession(new Variant(RpcTransports.All[0], "raw", HiveServices.Roots[0]), host.Endpoint, load);
        var failure = await Assert.ThrowsAnyAsync<RunException>(() => session.ConnectAsync(default));
        Assert.Contains("the host's first reply is not the expected one", failure.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_larger_than_the_windows_pass(bool tls)
    {
        var received = 0L;
        var rpc = new RpcMethod<long, ReadOnlyMemory<byte>>("/" + unary.Path, new SizeMarshaller(), new BytesMarshaller());
        using var certificate = tls ? SelfSignedCertificate.Create() : null;
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (size, _) =>
        {
            Interlocked.Add(ref received, size);
            return new(new ReadOnlyMemory<byte>(new byte[3_000_000]));
        })], null, certificate);
        var subject = new TargetSubject(server.Endpoint, unary, new([new Payload("large", new byte[2_500_000])], null), null);
        var load = plan with { Requests = 60, Concurrency = 4 };
        await using var session = new LoadSession(subject, load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Equal((60, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal((61 * 2_500_000L, 61 * 3_000_000L), (received, subject.Replies.Bytes));
    }

    [Fact]
    public async Task Streams_metadata_and_deadlines_arrive()
    {
        var headers = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        await using var server = await KestrelHost.StartAsync(new(), app => app.Run(async context =>
        {
            lock (headers)
            {
                foreach (var (name, value) in context.Request.Headers)
                    headers[name] = value.ToString();
            }

            context.Response.ContentType = "application/grpc";
            for (var i = 0; i < 5; i++)
                await context.Response.BodyWriter.WriteAsync(new byte[] { 0, 0, 0, 0, 2, 1, 2 });
            context.Response.AppendTrailer("grpc-status", "0");
        }));
        var metadata = new Metadata { { "tenant", "blue" }, { "token-bin", [1, 2, 3, 4] } };
        var subject = new TargetSubject(server.Endpoint, new("acme.Orders/Watch", IsServerStreaming: true), new([new Payload("one", new byte[3])], null), metadata);
        var load = plan with { Requests = 20, Timeout = TimeSpan.FromSeconds(90) };
        await using var session = new LoadSession(subject, load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Equal(20, round.Succeeded);
        Assert.Equal((21, 21 * 5, 21 * 10), (subject.Replies.Calls, subject.Replies.Messages, subject.Replies.Bytes));
        Assert.Equal(("blue", "AQIDBA", "identity", "90000000u", "trailers"),
            (headers["tenant"], headers["token-bin"], headers["grpc-accept-encoding"], headers["grpc-timeout"], headers["te"]));
    }

    [Theory]
    [InlineData(0.0000001, "1u")]
    [InlineData(99.999999, "99999999u")]
    [InlineData(100, "100000m")]
    [InlineData(1e6, "1000000S")]
    [InlineData(1e9, "99999999S")]
    public void A_time_limit_has_eight_digits(double seconds, string text) =>
        Assert.Equal(text, PreparedCalls.Timeout(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public async Task A_call_allocates_nothing()
    {
        await using var host = await Host.StartAsync(
            new() { Payload = HivePayload.Empty(), Prepared = PreparedReplies.Serve(unary, [new("ten", new byte[10])], ReplyDelay.None) });
        var subject = new TargetSubject(host.Endpoint, unary, new([new Payload("one", new byte[1000])], null), null);
        using var loop = new EventLoop(host.Endpoint, new() { MaxReceiveBytes = 1000 }, 1, 0, 1);
        await loop.OpenAsync(default);
        using var cancellation = new RunCancellation(default);
        var calls = subject.Prepare(new(false));
        var (few, many) = await Task.Factory.StartNew(() => (Allocated(500), Allocated(4_500)),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).WaitAsync(TheProgram.Limit);
        // the smallest object has 24 bytes, and there are 4,000 calls more
        Assert.True(many - few < 4_000, $"{few} and {many} bytes");

        long Allocated(int requests) => AllocatedBytes.Of(
            () =>
            {
                var start = MachineClock.Sleeping.Now;
                loop.Run(calls, new(cancellation) { Start = start, Requests = requests }, 8, TimeSpan.FromHours(1));
                Assert.Equal(requests, loop.Statistics.Service.Count);
            },
            () => loop.Statistics.Seconds.Sum(Kept));

        // what the statistics keep of a second: a slow machine needs more seconds for the same calls
        static long Kept(EndedCalls second)
        {
            var response = new LatencyHistogram();
            response.Add(second.Response);
            return AllocatedBytes.Of(() => GC.KeepAlive(new EndedCalls(second.Second, second.Failed, response.Pack())));
        }
    }

    [Fact]
    public async Task An_open_loop_attempts_its_schedule()
    {
        await using var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var load = plan with { Rate = 500, Duration = TimeSpan.FromSeconds(1), Connections = 2 };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Equal((500, 500, 0), (round.Attempted, round.Succeeded, round.Skipped));
        Assert.Equal(1, round.DueSeconds);
        Assert.True(round.DurationSeconds >= 1);
        Assert.Equal(500, round.ScheduleLag!.Count);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Loops_share_a_schedule(bool poisson)
    {
        await using var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var subject = Subject(server.Endpoint);
        using var cancellation = new RunCancellation(default);
        var start = MachineClock.Sleeping.Now;
        var calls = subject.Prepare(new(false));
        var schedule = new CallSchedule(cancellation)
        {
            Start = start,
            Last = start + 1_000_000_000,
            Arrivals = () => poisson ? Arrivals.Poisson(200, 1) : Arrivals.Constant(200),
        };
        var made = 0L;
        foreach (var index in new[] { 0, 1, 2 })
        {
            using var loop = new EventLoop(server.Endpoint, new() { MaxReceiveBytes = 1000 }, 3, index, 3);
            await loop.OpenAsync(default);
            await Task.Run(() => loop.Run(calls, schedule, 0)).WaitAsync(TheProgram.Limit);
            Assert.InRange(loop.Times!.Attempted, 40, 90);
            made += loop.Statistics.Service.Count;
        }

        var arrivals = schedule.Arrivals!();
        Assert.Equal(Enumerable.Range(0, 1000).Count(_ => arrivals.Next() < 1e9), made);
    }

    /// <summary>The server answers the first call only: calls have their deadline, and those beyond the limit are skipped.</summary>
    [Fact]
    public async Task Calls_beyond_the_limit_are_skipped_and_counted()
    {
        await using var server = new FrameServer((peer, stream, number) => number == 0 ? peer.ReplyAsync(stream) : Task.CompletedTask);
        var load = plan with
        {
            Rate = 1000,
            Duration = TimeSpan.FromMilliseconds(200),
            MaxInFlight = 7,
            Drain = TimeSpan.FromMilliseconds(100),
        };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Equal((200, 193, 7), (round.Attempted, round.Skipped, round.MostInFlight));
        Assert.Equal(7, round.FailedByStatus[CallStatistics.NotEnded]);
    }

    /// <summary>A server of another program, which says in its settings how many calls it takes.</summary>
    [Fact]
    public async Task Calls_that_wait_for_a_stream_are_noted()
    {
        await using var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream),
            peer => peer.SendAsync(Frames.Settings, 0, 0, Frames.Setting(3, 2)));
        var load = plan with { Requests = 20, Concurrency = 3 };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        var round = await OneRound.RunOnAsync(session, load);
        Assert.Contains(RunChecks.Notes(session, [round]),
            note => note.StartsWith("3 calls at a time, and the host takes 2 (", StringComparison.Ordinal));
    }

    /// <summary>The loop is busy when the deadline passes, and finds the status that the server has sent by then.</summary>
    [Fact]
    public async Task A_status_after_the_deadline_is_not_what_became_of_the_call()
    {
        var timeout = TimeSpan.FromSeconds(2);
        var late = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var sent = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number == 0)
            {
                await peer.ReplyAsync(stream);
                return;
            }

            await late.Task;
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, [.. Frames.Ok, .. Frames.Status(2, "too late")]);
            sent.SetResult();
        });
        using var loop = new EventLoop(server.Endpoint, new() { MaxReceiveBytes = 1000 }, 1, 0, 1);
        await loop.OpenAsync(default);
        using var cancellation = new RunCancellation(default);
        var start = MachineClock.Sleeping.Now;
        var schedule = new CallSchedule(cancellation)
        {
            Start = start,
            Requests = 2,
            OnEnd = (_, failure) =>
            {
                if (failure is not null)
                    return;
                // the call that waits has begun before this one has ended
                MachineClock.Sleeping.WaitUntil(MachineClock.Sleeping.Now + (timeout.Ticks * 100));
                late.SetResult();
                sent.Task.Wait();
            },
        };
        await Task.Run(() => loop.Run(Subject(server.Endpoint).Prepare(new(false)), schedule, 2, timeout)).WaitAsync(TheProgram.Limit);
        Assert.Equal(1, loop.Statistics.Service.Count);
        Assert.Equal([new("DeadlineExceeded", 1)], loop.Statistics.FailedByStatus);
        Assert.Equal([new("DeadlineExceeded", "the deadline has passed")], loop.Statistics.FailureMessages);
    }

    [Fact]
    public async Task A_server_that_went_away_fails_the_calls()
    {
        var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var load = plan with { Requests = 20, Concurrency = 4, Connections = 2 };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        await OneRound.RunOnAsync(session, load);
        await server.DisposeAsync();
        using var cancellation = new RunCancellation(default);
        var round = await session.RunAsync(load, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
        Assert.Equal(20, round.FailedByStatus["Unavailable"]);
    }

    /// <summary>Between two rounds the server has closed its connections, as Kestrel does with idle ones.</summary>
    [Fact]
    public async Task Connections_that_were_closed_between_rounds_are_opened_again()
    {
        await using var server = new FrameServer((peer, stream, _) => peer.ReplyAsync(stream));
        var load = plan with { Requests = 20, Concurrency = 4, Connections = 2 };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        await OneRound.RunOnAsync(session, load);
        await server.CloseAllAsync();
        using var cancellation = new RunCancellation(default);
        var round = await session.RunAsync(load, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
        Assert.Equal(20, round.Succeeded);
        Assert.Equal(4, session.Connections.Sum(connection => connection.Opened));
    }

    [Fact]
    public async Task A_run_that_is_stopped_ends_and_is_partial()
    {
        using var stop = new CancellationTokenSource();
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number == 50)
                await stop.CancelAsync();
            await peer.ReplyAsync(stream);
        });
        var load = plan with { Duration = TimeSpan.FromHours(1), Concurrency = 2 };
        await using var session = new LoadSession(Subject(server.Endpoint), load);
        await session.ConnectAsync(default);
        using var cancellation = new RunCancellation(stop.Token);
        var round = await session.RunAsync(load, cancellation, _ => { }).WaitAsync(TheProgram.Limit);
        Assert.True(round.Partial);
        Assert.True(round.Succeeded >= 49);
    }

    [Fact]
    public void A_stack_that_does_not_speak_grpc_is_refused()
    {
        var variant = new Variant(RpcTransports.Named("socket"), "raw", HiveServices.Roots[0]);
        var failure = Assert.ThrowsAny<RunException>(() => new LoadSession(variant, new(), plan));
        Assert.Equal((ExitCode.Usage, "--client event-loop speaks gRPC, and socket does not"), (failure.ExitCode, failure.Message));
    }

    static TargetSubject Subject(RpcEndpoint endpoint) => new(endpoint, unary, new([new Payload("one", new byte[3])], null), null);
}

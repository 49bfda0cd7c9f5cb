using ProtoBench.Results;
using System.IO.Compression;
using System.Net.Sockets;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

/// <summary>Servers that do what they may, and what they may not: every call ends, and is counted as what became of it.</summary>
public class HostileServerTests
{
    const int requests = 40;
    static readonly Lazy<byte[]> bomb = new(() => Zipped(64 * 1024 * 1024));

    public static TheoryData<string> Allowed => [.. allowed.Keys];

    public static TheoryData<string> Broken => [.. broken.Keys];

    static readonly Dictionary<string, Func<FramePeer, int, int, Task>> allowed = new()
    {
        ["a plain reply"] = (peer, stream, _) => peer.ReplyAsync(stream),
        ["everything in one write"] = (peer, stream, _) => peer.WriteAsync(Whole(stream)),
        ["byte by byte"] = async (peer, stream, _) =>
        {
            foreach (var one in Whole(stream))
                await peer.WriteAsync([one]);
        },
        ["padding"] = async (peer, stream, _) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.Padded, stream, [3, .. Frames.Ok, 0, 0, 0]);
            await peer.SendAsync(Frames.Data, Frames.Padded, stream, [255, .. Frames.Message, .. new byte[255]]);
            await peer.SendAsync(Frames.Data, Frames.Padded, stream, 0);
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(0));
        },
        ["continuation"] = async (peer, stream, _) =>
        {
            await peer.SendAsync(Frames.Headers, 0, stream, Frames.Ok[..1]);
            foreach (var one in Frames.Ok[1..^1])
                await peer.SendAsync(Frames.Continuation, 0, stream, one);
            await peer.SendAsync(Frames.Continuation, Frames.EndHeaders, stream, Frames.Ok[^1]);
            await peer.SendAsync(Frames.Data, 0, stream, Frames.Message);
            await peer.SendAsync(Frames.Headers, Frames.EndStream, stream, Frames.Status(0));
            await peer.SendAsync(Frames.Continuation, Frames.EndHeaders, stream);
        },
        ["informational headers"] = async (peer, stream, _) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Header(":status", "103"));
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Header(":status", "103"));
            await peer.ReplyAsync(stream);
        },
        ["pings, priorities, unknown frames and settings"] = async (peer, stream, number) =>
        {
            for (var i = 0; i < 200; i++)
                await peer.SendAsync(Frames.Ping, 0, 0, new byte[8]);
            await peer.SendAsync(Frames.Priority, 0, stream, new byte[5]);
            await peer.SendAsync(99, 255, stream, 1, 2, 3);
            await peer.SendAsync(Frames.Settings, 0, 0,
                [.. Frames.Setting(4, number % 2 == 0 ? 1 : 100_000), .. Frames.Setting(1, number % 3 * 100), .. Frames.Setting(77, 5)]);
            await peer.ReplyAsync(stream);
        },
        ["windows for streams that have ended"] = async (peer, stream, _) =>
        {
            await peer.ReplyAsync(stream);
            await peer.SendAsync(Frames.WindowUpdate, 0, stream, Frames.Number(1000));
            await peer.SendAsync(Frames.Reset, 0, stream, Frames.Number(0));
        },
        ["in reverse order"] = ReversedAsync,
        // not asked for, and read all the same
        ["gzip"] = (peer, stream, _) => CompressedAsync(peer, stream, "gzip", Zipped(100_000)),
        ["deflate"] = (peer, stream, _) => CompressedAsync(peer, stream, "deflate", Zipped(100, isGzip: false)),
    };

    // the status, and the answer to each second call
    static readonly Dictionary<string, (string Status, Func<FramePeer, int, Task> Answer)> broken = new()
    {
        ["trailers only"] = ("NotFound", (peer, stream) => peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream,
            [.. Frames.Ok, .. Frames.Status(5, "no%20such%20order %E2%82%AC%zz")])),
        ["a status after the message"] = ("ResourceExhausted", async (peer, stream) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
            await peer.SendAsync(Frames.Data, 0, stream, Frames.Message);
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(8));
        }
        ),
        ["a status that is not known"] = ("99", (peer, stream) => TrailersAsync(peer, stream, Frames.Status(99))),
        ["no status"] = ("Unknown", (peer, stream) => TrailersAsync(peer, stream, Frames.Header("x", "y"))),
        ["a status that is no number"] = ("Unknown", (peer, stream) => TrailersAsync(peer, stream, Frames.Header("grpc-status", "fine"))),
        ["data to the end"] = ("Unknown", async (peer, stream) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
            await peer.SendAsync(Frames.Data, Frames.EndStream, stream, Frames.Message);
        }
        ),
        ["another content-type"] = ("Unknown", (peer, stream) => PageAsync(peer, stream, "200")),
        ["HTTP 401"] = ("Unauthenticated", (peer, stream) => PageAsync(peer, stream, "401")),
        ["HTTP 404"] = ("Unimplemented", (peer, stream) => PageAsync(peer, stream, "404")),
        ["HTTP 503"] = ("Unavailable", (peer, stream) => PageAsync(peer, stream, "503")),
        ["no message"] = ("Internal", (peer, stream) => MessageAsync(peer, stream)),
        ["two messages"] = ("Internal", (peer, stream) => MessageAsync(peer, stream, [.. Frames.Message, .. Frames.Message])),
        ["half a message"] = ("Internal", (peer, stream) => MessageAsync(peer, stream, 0, 0, 0, 0, 9, 7)),
        ["half a prefix"] = ("Internal", (peer, stream) => MessageAsync(peer, stream, 0, 0, 0)),
        ["4 GiB"] = ("ResourceExhausted", (peer, stream) => MessageAsync(peer, stream, 0, 255, 255, 255, 255, 7)),
        ["a flag that is not known"] = ("Internal", (peer, stream) => MessageAsync(peer, stream, 2, 0, 0, 0, 1, 7)),
        ["compressed without saying so"] = ("Internal", (peer, stream) => MessageAsync(peer, stream, 1, 0, 0, 0, 1, 7)),
        ["another compression"] = ("Unimplemented", (peer, stream) => CompressedAsync(peer, stream, "snappy", 7)),
        ["broken gzip"] = ("Internal", (peer, stream) => CompressedAsync(peer, stream, "gzip", 7)),
        ["gzip that is cut off"] = ("Internal", (peer, stream) => CompressedAsync(peer, stream, "gzip", Zipped(100)[..^12])),
        ["gzip above the limit"] = ("ResourceExhausted", (peer, stream) => CompressedAsync(peer, stream, "gzip", bomb.Value)),
        ["RST_STREAM with CANCEL"] = ("Cancelled", (peer, stream) => peer.SendAsync(Frames.Reset, 0, stream, Frames.Number(8))),
        ["RST_STREAM in the middle"] = ("Internal", async (peer, stream) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
            await peer.SendAsync(Frames.Data, 0, stream, Frames.Message);
            await peer.SendAsync(Frames.Reset, 0, stream, Frames.Number(2));
        }
        ),
        ["data before headers"] = ("Internal", (peer, stream) => peer.SendAsync(Frames.Data, 0, stream, Frames.Message)),
        ["headers without a status"] = ("Internal", (peer, stream) => peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok[1..])),
        ["trailers in the middle"] = ("Internal", async (peer, stream) =>
        {
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
            await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Status(0));
        }
        ),
        ["a window of a stream made larger by 0"] = ("Internal", (peer, stream) =>
            peer.SendAsync(Frames.WindowUpdate, 0, stream, Frames.Number(0))),
        ["silence"] = ("DeadlineExceeded", (_, _) => Task.CompletedTask),
    };

    /// <summary>What ends a connection: the calls on it fail, and the next ones have another.</summary>
    public static TheoryData<string, string, byte[]> Ends { get; } = new()
    {
        { "text", "Internal", [.. "HTTP/1.1 400 Bad Request\r\n\r\n"u8] },
        { "a frame of 16 MB", "Internal", [255, 255, 255, 0, 0, 0, 0, 0, 1] },
        { "zeros", "Internal", new byte[100] },
        { "SETTINGS of 5 bytes", "Internal", Frames.Of(Frames.Settings, 0, 0, new byte[5]) },
        { "SETTINGS on a stream", "Internal", Frames.Of(Frames.Settings, 0, 1) },
        { "a window of 2 GiB", "Internal", Frames.Of(Frames.Settings, 0, 0, Frames.Setting(4, -1)) },
        { "frames of 1 byte", "Internal", Frames.Of(Frames.Settings, 0, 0, Frames.Setting(5, 1)) },
        { "push is on", "Internal", Frames.Of(Frames.Settings, 0, 0, Frames.Setting(2, 1)) },
        { "a push", "Internal", Frames.Of(Frames.Push, Frames.EndHeaders, 1, 0, 0, 0, 2, 0x82) },
        { "CONTINUATION without HEADERS", "Internal", Frames.Of(Frames.Continuation, Frames.EndHeaders, 1, 0x82) },
        { "a header block that is interrupted", "Internal", [.. Frames.Of(Frames.Headers, 0, 1, 0x88), .. Frames.Of(Frames.Ping, 0, 0, new byte[8])] },
        { "a broken header block", "Internal", Frames.Of(Frames.Headers, Frames.EndHeaders, 1, 0xff, 0xff) },
        { "headers without end", "Internal",
            [
                .. Frames.Of(Frames.Headers, 0, 1, 0x88),
                .. Enumerable.Repeat(Frames.Of(Frames.Continuation, 0, 1), 100).SelectMany(one => one),
            ] },
        { "more padding than bytes", "Internal", Frames.Of(Frames.Data, Frames.Padded, 1, 5, 0, 0) },
        { "a stream that nobody opened", "Internal", Frames.Of(Frames.Headers, Frames.EndHeaders, 9999, 0x88) },
        { "a stream of the server", "Internal", Frames.Of(Frames.Headers, Frames.EndHeaders, 2, 0x88) },
        { "a PING of 7 bytes", "Internal", Frames.Of(Frames.Ping, 0, 0, new byte[7]) },
        { "a window made larger by 0", "Internal", Frames.Of(Frames.WindowUpdate, 0, 0, new byte[4]) },
        { "a window above 2 GiB", "Internal", Frames.Of(Frames.WindowUpdate, 0, 0, 0x7f, 255, 255, 255) },
        { "the end", "Unavailable", [] },
        { "half a frame and the end", "Unavailable", [0, 0, 9, 0] },
    };

    [Theory]
    [MemberData(nameof(Allowed))]
    public async Task Calls_succeed_with(string what)
    {
        await using var server = new FrameServer(allowed[what]);
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = requests, Concurrency = 4 });
        AssertCounts(server, round, requests, null, 0);
        Assert.Equal(1, server.Connections);
    }

    [Theory]
    [MemberData(nameof(Broken))]
    public async Task Every_second_call_fails_with(string what)
    {
        var (status, answer) = broken[what];
        await using var server = new FrameServer((peer, stream, number) =>
            number % 2 == 0 ? peer.ReplyAsync(stream) : answer(peer, stream));
        var plan = new LoadPlan { Payload = HivePayload.Empty(), Requests = requests, Concurrency = 4 };
        // long enough for a reply on a slow machine
        if (what == "silence")
            plan = plan with { Requests = 2, Timeout = TimeSpan.FromSeconds(2), Concurrency = 1 };
        var round = await RunAsync(server, plan);
        AssertCounts(server, round, (int)plan.Requests!.Value / 2, status, (int)plan.Requests!.Value / 2);
        Assert.Equal(1, server.Connections);
    }

    [Theory]
    [MemberData(nameof(Ends))]
    public async Task A_connection_ends_and_the_next_calls_have_another(string what, string status, byte[] bytes)
    {
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number != 5)
            {
                await peer.ReplyAsync(stream);
                return;
            }

            await peer.WriteAsync(bytes);
            if (bytes.Length < 5)
                peer.Dispose();
        });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 10 });
        AssertCounts(server, round, 9, status, 1);
        Assert.True(server.Connections == 2, what);
    }

    /// <summary>gRFC A6: what the server has not processed is sent again, once.</summary>
    [Fact]
    public async Task A_call_that_the_server_refuses_is_sent_again_once()
    {
        await using var server = new FrameServer((peer, stream, number) =>
            number % 3 == 2 ? RefuseAsync(peer, stream) : peer.ReplyAsync(stream));
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 10 });
        AssertCounts(server, round, 10, null, 0);
        // of the numbers from 1 to 15
        Assert.Equal((5L, 1), (round.TransparentRetries, server.Connections));

        var made = 0;
        await using var full = new FrameServer((peer, stream, number) =>
        {
            made++;
            return number == 0 ? peer.ReplyAsync(stream) : RefuseAsync(peer, stream);
        });
        round = await RunAsync(full, new() { Payload = HivePayload.Empty(), Requests = 3 });
        AssertCounts(full, round, 0, "Unavailable", 3);
        Assert.Equal((3, 7), (round.TransparentRetries, made));

        static Task RefuseAsync(FramePeer peer, int stream) => peer.SendAsync(Frames.Reset, 0, stream, Frames.Number(7));
    }

    /// <summary>Streams of requests begin again with their first message.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_call_that_GOAWAY_leaves_out_is_sent_again_on_another_connection(bool streamsRequests)
    {
        var requests = new List<int>();
        await using var server = new FrameServer((peer, stream, number) =>
        {
            requests.Add(peer.Received.Where(frame => frame.Type == Frames.Data && frame.Stream == stream)
                .Sum(frame => frame.Payload.Length));
            return number == 5 ? peer.WriteAsync(Frames.Of(Frames.GoAway, 0, 0, [.. Frames.Number(0), .. Frames.Number(2), .. "bye"u8]))
                : peer.ReplyAsync(stream);
        });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 10 }, streamsRequests: streamsRequests);
        AssertCounts(server, round, 10, null, 0);
        Assert.Equal((1, 2), (round.TransparentRetries, server.Connections));
        Assert.Equal(Enumerable.Repeat(streamsRequests ? 3 * 8 : 8, 12), requests);
    }

    /// <summary>The server or the network is gone, and TCP does not say so: only the first call waits for its deadline.</summary>
    [Fact]
    public async Task A_connection_that_does_not_answer_any_more_is_replaced()
    {
        await using var server = new FrameServer((peer, stream, number) =>
        {
            if (number == 3)
                (peer.AnswersPings, peer.GrantsWindow) = (false, false);
            return peer.AnswersPings ? peer.ReplyAsync(stream) : Task.CompletedTask;
        });
        // long enough for a slow machine, and for the answer to a PING
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 10, Timeout = TimeSpan.FromSeconds(4) });
        AssertCounts(server, round, 9, "DeadlineExceeded", 1);
        Assert.Equal((1, 2), (round.TransparentRetries, server.Connections));
    }

    [Fact]
    public async Task A_message_of_a_status_is_decoded()
    {
        await using var server = new FrameServer((peer, stream, _) => broken["trailers only"].Answer(peer, stream));
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 5 });
        AssertCounts(server, round, 0, "NotFound", 5);
        Assert.Equal("no such order €%zz", round.FailureMessages!["NotFound"]);
    }

    /// <summary>What the server takes before GOAWAY is answered; what it does not take has failed; the rest has a new connection.</summary>
    [Fact]
    public async Task A_server_that_leaves_in_order_answers_what_it_took()
    {
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number % 10 == 9)
                await peer.SendAsync(Frames.GoAway, 0, 0, [.. Frames.Number(stream), .. Frames.Number(0)]);
            await peer.ReplyAsync(stream);
        });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = requests });
        AssertCounts(server, round, requests, null, 0);
        Assert.Equal(5, server.Connections);
    }

    /// <summary>The request passes a window of one byte, and the frames of it have one byte each.</summary>
    [Fact]
    public async Task A_window_of_one_byte_is_kept_to()
    {
        var sizes = new List<int>();
        await using var server = new FrameServer(
            (peer, stream, _) =>
            {
                sizes.AddRange(peer.Received.Where(frame => frame.Type == Frames.Data && frame.Stream == stream)
                    .Select(frame => frame.Payload.Length));
                return peer.ReplyAsync(stream);
            },
            peer => peer.SendAsync(Frames.Settings, 0, 0, Frames.Setting(4, 1)));
        // the first call may be sent before the settings arrive
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 3 }, requestBytes: 10);
        AssertCounts(server, round, 3, null, 0);
        Assert.Equal(3 * 15, sizes.TakeLast(3 * 15).Count(size => size == 1));
    }

    /// <summary>The server takes back what it has allowed, while a request is under way.</summary>
    [Fact]
    public async Task A_window_below_0_is_waited_for()
    {
        const int window = 65_535;
        var received = new List<long>();
        await using var server = new FrameServer(
            (peer, stream, _) => peer.ReplyAsync(stream),
            async peer =>
            {
                peer.GrantsWindow = false;
                await peer.SendAsync(Frames.Settings, 0, 0);
                await peer.SendAsync(Frames.WindowUpdate, 0, 0, Frames.Number(10_000_000));
                var data = 0L;
                await UntilAsync(_ => data == window);
                // the window of the stream is 0 now, and 64,535 less in a moment
                await peer.SendAsync(Frames.Settings, 0, 0, Frames.Setting(4, 1000));
                await PingAsync();
                await peer.SendAsync(Frames.WindowUpdate, 0, 1, Frames.Number(window - 1000 + 10));
                await PingAsync();
                await peer.SendAsync(Frames.WindowUpdate, 0, 1, Frames.Number(1_000_000));
                peer.GrantsWindow = true;

                async Task UntilAsync(Predicate<ReceivedFrame> isReached)
                {
                    while (await peer.ReadFrameAsync() is { } frame)
                    {
                        data += frame.Type == Frames.Data ? frame.Payload.Length : 0;
                        if (isReached(frame))
                            return;
                    }
                }

                // its answer comes after everything that the client had to send
                async Task PingAsync()
                {
                    await peer.SendAsync(Frames.Ping, 0, 0, new byte[8]);
                    await UntilAsync(frame => frame.Type == Frames.Ping);
                    await peer.SendAsync(Frames.Ping, 0, 0, new byte[8]);
                    await UntilAsync(frame => frame.Type == Frames.Ping);
                    received.Add(data);
                }
            });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 3 }, requestBytes: 100_000);
        AssertCounts(server, round, 3, null, 0);
        Assert.Equal([window, window + 10], received);
    }

    [Fact]
    public async Task One_stream_at_a_time_is_kept_to()
    {
        var (open, most) = (0, 0);
        await using var server = new FrameServer(
            async (peer, stream, _) =>
            {
                open = peer.Received.Count(frame => frame.Type == Frames.Headers) - peer.Received.Count(frame => frame.Type == Frames.Ping);
                most = Math.Max(most, open);
                peer.Received.Add(new(Frames.Ping, 0, 0, [])); // an answer
                await peer.ReplyAsync(stream);
            },
            async peer =>
            {
                await peer.SendAsync(Frames.Settings, 0, 0, Frames.Setting(3, 1));
            });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = requests, Concurrency = 8 });
        AssertCounts(server, round, requests, null, 0);
        Assert.Equal(1, most);
    }

    /// <summary>Before the settings arrive, a client begins what every server should take. Streams beyond a limit are reset.</summary>
    [Theory]
    [InlineData(null, 150)]
    [InlineData(120, 120)]
    [InlineData(7, 100)]
    public void No_more_streams_are_open_than_the_server_takes(int? streams, int begun)
    {
        var random = new Random(1);
        var link = new BytesLink(Frames.Of(Frames.Settings, 0, 0, streams is { } most ? Frames.Setting(3, most) : []), random);
        using var connection = new Http2Connection(link, 1000, _ => { }).Open();
        for (var call = 0; call < 150; call++)
            connection.Begin(new Http2Call { Request = new byte[50] });
        connection.Flush();
        Assert.Equal((100, (long?)null), (HeadersIn(link.Sent), connection.PeerStreams));
        while (!link.IsAtEnd)
            connection.Receive();
        connection.Flush();
        Assert.Equal((begun, (long?)streams), (HeadersIn(link.Sent), connection.PeerStreams));

        static int HeadersIn(List<byte> sent)
        {
            var headers = 0;
            for (var at = FramePeer.Preface.Length; at < sent.Count; at += 9 + (sent[at] << 16) + (sent[at + 1] << 8) + sent[at + 2])
                headers += sent[at + 3] == Frames.Headers ? 1 : 0;
            return headers;
        }
    }

    /// <summary>Pings whose answers are not read: the connection ends, and not the client.</summary>
    [Fact]
    public async Task A_flood_of_pings_ends_the_connection()
    {
        byte[] flood = [.. Enumerable.Repeat(Frames.Of(Frames.Ping, 0, 0, new byte[8]), 10_000).SelectMany(one => one)];
        await using var server = new FrameServer(async (peer, stream, number) =>
        {
            if (number != 1)
            {
                await peer.ReplyAsync(stream);
                return;
            }

            while (true)
                await peer.WriteAsync(flood); // until the client closes
        });
        var round = await RunAsync(server, new() { Payload = HivePayload.Empty(), Requests = 5 });
        AssertCounts(server, round, 4, "Internal", 1);
    }

    [Fact]
    public async Task A_port_that_speaks_something_else_is_named()
    {
        await using var server = new FrameServer((_, _, _) => Task.CompletedTask, peer => peer.WriteAsync([.. "SSH-2.0-OpenSSH_9.2\r\n"u8]));
        var failure = await Assert.ThrowsAnyAsync<RunException>(() => RunAsync(server, new() { Payload = HivePayload.Empty() }));
        Assert.Equal(
            $"acme.Orders/Place: {server.Endpoint}: the server did not complete the HTTP/2 handshake; does the port speak TLS only? (status Unavailable)",
            failure.Message);
    }

    [Fact]
    public void Random_frames_end_every_call_once()
    {
        var seed = Environment.TickCount;
        var random = new Random(seed);
        var (succeeded, failed, lost) = (0, 0, 0);
        var cases = Environment.GetEnvironmentVariable("PROTOBENCH_LONG") == "1" ? 20_000 : 5_000;
        for (var i = 0; i < cases; i++)
        {
            List<byte> bytes = [.. Frames.Of(Frames.Settings, 0, 0, Frames.Setting(4, random.Next(3) * 30))];
            for (var stream = 1; stream < 9; stream += 2)
                bytes.AddRange(Whole(stream));
            for (var changes = random.Next(4); changes > 0; changes--)
            {
                var at = random.Next(bytes.Count);
                switch (random.Next(3))
                {
                    case 0:
                        bytes[at] = (byte)random.Next(256);
                        break;
                    case 1:
                        bytes.RemoveRange(at, random.Next(Math.Min(20, bytes.Count - at)));
                        break;
                    default:
                        bytes.InsertRange(at, bytes.GetRange(at, random.Next(Math.Min(40, bytes.Count - at))));
                        break;
                }
            }

            var link = new BytesLink([.. bytes], random);
            Dictionary<Http2Call, int> ended = [];
            using var connection = new Http2Connection(link, 1000, call => ended[call] = ended.GetValueOrDefault(call) + 1).Open();
            Http2Call[] calls = [.. Enumerable.Range(0, 4).Select(_ => new Http2Call { Request = new byte[50] })];
            try
            {
                foreach (var call in calls)
                    connection.Begin(call);
                while (!link.IsAtEnd && connection.Lost is null)
                {
                    connection.Flush();
                    connection.Receive();
                }

                connection.Cancel("NotEnded");
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                Assert.Fail($"seed {seed}, case {i}, {Convert.ToHexString([.. bytes])}: {e}");
            }

            Assert.True(calls.All(call => ended.GetValueOrDefault(call) == 1) && connection.InProgress == 0, $"seed {seed}, case {i}");
            succeeded += calls.Count(call => call.Failure is null);
            failed += calls.Count(call => call.Failure is not null);
            lost += connection.Lost is null ? 0 : 1;
        }

        Assert.True(succeeded > 1_000 && failed > 1_000 && lost > 1_000, $"seed {seed}: {succeeded} succeeded, {failed} failed, {lost} lost");
    }

    static Task<LoadRound> RunAsync(FrameServer server, LoadPlan plan, int requestBytes = 3, bool streamsRequests = false)
    {
        var subject = new TargetSubject(server.Endpoint, new("acme.Orders/Place", IsServerStreaming: false, streamsRequests),
            new([new Payload("one", new byte[requestBytes])], null), null)
        {
            Stream = streamsRequests ? new(3) : StreamPlan.None,
        };
        return OneRound.RunAsync(subject, plan with { Client = EventLoopClient.Name });
    }

    static void AssertCounts(FrameServer server, LoadRound round, int succeeded, string? status, int failed)
    {
        Assert.Empty(server.Faults);
        Assert.Equal((succeeded, failed), ((int)round.Succeeded, (int)round.FailedCalls));
        if (status is not null)
            Assert.Equal((status, (long)failed), (round.FailedByStatus.Single().Key, round.FailedByStatus.Single().Value));
    }

    static byte[] Whole(int stream) =>
    [
        .. Frames.Of(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok), .. Frames.Of(Frames.Data, 0, stream, Frames.Message),
        .. Frames.Of(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(0)),
    ];

    /// <summary>The first call alone, and then two at a time.</summary>
    static async Task ReversedAsync(FramePeer peer, int stream, int number)
    {
        if (number == 0)
        {
            await peer.ReplyAsync(stream);
            return;
        }

        peer.Received.Add(new(255, 0, stream, []));
        int[] open = [.. peer.Received.Where(frame => frame.Type == 255).Select(frame => frame.Stream)];
        if (open.Length < 2)
            return;
        peer.Received.Clear();
        await peer.WriteAsync([.. Whole(open[1]), .. Whole(open[0])]);
    }

    static async Task TrailersAsync(FramePeer peer, int stream, byte[] trailers)
    {
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
        await peer.SendAsync(Frames.Data, 0, stream, Frames.Message);
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, trailers);
    }

    static async Task MessageAsync(FramePeer peer, int stream, params byte[] body)
    {
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, Frames.Ok);
        await peer.SendAsync(Frames.Data, 0, stream, body);
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(0));
    }

    static async Task CompressedAsync(FramePeer peer, int stream, string encoding, params byte[] message)
    {
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream, [.. Frames.Ok, .. Frames.Header("grpc-encoding", encoding)]);
        foreach (var part in Enumerable.Chunk<byte>([1, .. Frames.Number(message.Length), .. message], 10_000))
            await peer.SendAsync(Frames.Data, 0, stream, part);
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders | Frames.EndStream, stream, Frames.Status(0));
    }

    static byte[] Zipped(int length, bool isGzip = true)
    {
        using var zipped = new MemoryStream();
        using (Stream stream = isGzip ? new GZipStream(zipped, CompressionLevel.Fastest) : new ZLibStream(zipped, CompressionLevel.Fastest))
            stream.Write(new byte[length]);
        return zipped.ToArray();
    }

    static async Task PageAsync(FramePeer peer, int stream, string status)
    {
        await peer.SendAsync(Frames.Headers, Frames.EndHeaders, stream,
            [.. Frames.Header(":status", status), .. Frames.Header("content-type", "text/html")]);
        await peer.SendAsync(Frames.Data, Frames.EndStream, stream, [.. "<html>sorry</html>"u8]);
    }

    sealed class BytesLink(byte[] bytes, Random random) : Http2Link(nobody, new RpcEndpoint())
    {
        static readonly Socket nobody = new(SocketType.Stream, ProtocolType.Tcp);
        int at;

        public bool IsAtEnd => at == bytes.Length;

        public override int Receive(Span<byte> target)
        {
            if (IsAtEnd)
                return -1;
            var length = Math.Min(random.Next(1, 60), Math.Min(target.Length, bytes.Length - at));
            bytes.AsSpan(at, length).CopyTo(target);
            at += length;
            return length;
        }

        public List<byte> Sent { get; } = [];

        public override int Send(ReadOnlySpan<byte> unsent)
        {
            Sent.AddRange(unsent);
            return unsent.Length;
        }
    }
}

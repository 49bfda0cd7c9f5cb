using System.Net.Sockets;
using ProtoBench.Results;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

public class KeepAliveTests
{
    // the least that SocketsHttpHandler takes
    static readonly TimeSpan second = TimeSpan.FromSeconds(1);

    public static TheoryData<string> Clients => [StackClient.Name, EventLoopClient.Name];

    /// <summary>Both streams are idle until one of them has had two PINGs.</summary>
    [Theory]
    [MemberData(nameof(Clients))]
    public async Task An_idle_stream_is_pinged_with_keepalive_only(string client)
    {
        var twice = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var (pings, others) = (0, 0);
        await using var asked = new FrameServer((peer, stream, number) => AnswerAsync(peer, stream, number, () =>
        {
            if (Interlocked.Increment(ref pings) == 2)
                twice.SetResult();
        }));
        await using var silent = new FrameServer((peer, stream, number) =>
            AnswerAsync(peer, stream, number, () => Interlocked.Increment(ref others)));
        var rounds = await Task.WhenAll(RunAsync(asked, client, second, 1), RunAsync(silent, client, null, 1));
        Assert.Equal([(1, 0), (1, 0)], rounds.Select(round => (round.Succeeded, round.FailedCalls)));
        Assert.Equal((1, 1, 0), (asked.Connections, silent.Connections, others));
        Assert.InRange(pings, 2, 3);

        async Task AnswerAsync(FramePeer peer, int stream, int number, Action pinged)
        {
            if (number == 0)
            {
                await peer.ReplyAsync(stream);
                return;
            }

            peer.Pinged = frame =>
            {
                // SocketsHttpHandler measures the round trip with a PING when a reply arrives: its number is below 0
                if (frame.Payload[0] < 128)
                    pinged();
                return Task.CompletedTask;
            };
            _ = Task.Run(async () =>
            {
                await twice.Task;
                await peer.ReplyAsync(stream);
            });
        }
    }

    [Theory]
    [MemberData(nameof(Clients))]
    public async Task A_connection_without_an_answer_is_replaced(string client)
    {
        await using var server = new FrameServer((peer, stream, number) =>
        {
            if (number == 3)
                peer.AnswersPings = false;
            return peer.AnswersPings ? peer.ReplyAsync(stream) : Task.CompletedTask;
        });
        var round = await RunAsync(server, client, second, 6);
        Assert.Equal((5, 1), (round.Succeeded, round.FailedCalls));
        Assert.Equal([new("Unavailable", $"the connection to {server.Endpoint} was lost: the server has not answered a PING")], round.FailureMessages!);
        Assert.Equal(2, server.Connections);
    }

    /// <summary>As grpc-go and the C core do.</summary>
    [Theory]
    [InlineData(StackClient.Name, "the server said ENHANCE_YOUR_CALM, perhaps because of too many PINGs "
        + "(by default, servers of gRPC take a PING in 5 minutes)")]
    [InlineData(EventLoopClient.Name, "the server said too_many_pings (by default, servers of gRPC take a PING in 5 minutes)")]
    public async Task A_server_that_counts_PINGs_is_the_reason(string client, string message)
    {
        await using var server = new FrameServer((peer, stream, number) =>
        {
            if (number != 1)
                return peer.ReplyAsync(stream);
            peer.Pinged = async _ =>
            {
                await peer.SendAsync(Frames.GoAway, 0, 0, [.. Frames.Number(stream), .. Frames.Number(11), .. "too_many_pings"u8]);
                peer.Dispose();
            };
            return Task.CompletedTask;
        });
        var round = await RunAsync(server, client, second, 3);
        Assert.Equal((2, 1), (round.Succeeded, round.FailedCalls));
        Assert.Equal([new("Unavailable", $"the connection to {server.Endpoint} was lost: {message}")], round.FailureMessages!);
        Assert.Equal(2, server.Connections);
    }

    [Fact]
    public void No_stack_pings_by_default()
    {
        foreach (var limits in new[] { null, new RpcLimits(), RpcLimits.LibraryDefaults })
        {
            using var connection = new HttpConnection(new(), limits: limits);
            Assert.Equal(Timeout.InfiniteTimeSpan, connection.Handler.KeepAlivePingDelay);
        }
    }

    [Fact]
    public void A_stream_without_a_deadline_is_never_ended_and_never_pinged()
    {
        var link = new QuietLink();
        using var connection = new Http2Connection(link, 1000, _ => { }).Open();
        connection.Begin(new Http2Call { Request = new byte[5] });
        connection.Flush();
        link.Sent.Clear();
        Assert.Equal(long.MaxValue, connection.NextDeadline);
        connection.Expire(long.MaxValue - 1);
        connection.Flush();
        Assert.Equal((1, 0), (connection.InProgress, link.Sent.Count));
    }

    [Fact]
    public void The_time_of_keepalive_counts_from_what_arrived_last_while_calls_are_in_progress()
    {
        const long ns = 1_000_000_000;
        var link = new QuietLink();
        List<string?> failures = [];
        using var connection = new Http2Connection(link, 1000, call => failures.Add(call.Failure), TimeSpan.FromSeconds(30))
            .Open(now: 5 * ns);
        Assert.Equal(long.MaxValue, connection.NextDeadline);
        connection.Flush();
        link.Sent.Clear();
        connection.Begin(new Http2Call { Request = new byte[5] });
        Assert.Equal(35 * ns, connection.NextDeadline);
        link.Arrived = Frames.Of(Frames.Settings, 0, 0);
        connection.Receive(10 * ns);
        Assert.Equal(40 * ns, connection.NextDeadline);
        Assert.Equal([Frames.Headers, Frames.Data, Frames.Settings, Frames.Ping], SentAt(40 * ns));
        Assert.Equal(70 * ns, connection.NextDeadline);
        // the next calls do not wait for the answer
        connection.Begin(new Http2Call { Request = new byte[5] });
        Assert.Equal([Frames.Headers, Frames.Data], SentAt(50 * ns));
        link.Arrived = Frames.Of(Frames.Ping, Frames.Ack, 0, new byte[8]);
        connection.Receive(60 * ns);
        Assert.Equal(90 * ns, connection.NextDeadline);
        Assert.Equal([Frames.Ping], SentAt(90 * ns));
        Assert.Empty(failures);
        connection.Expire(120 * ns);
        Assert.Equal(["Unavailable", "Unavailable"], failures);
        Assert.Equal(long.MaxValue, connection.NextDeadline);

        byte[] SentAt(long now)
        {
            connection.Expire(now);
            connection.Flush();
            var types = new List<byte>();
            for (var at = 0; at < link.Sent.Count; at += 9 + (link.Sent[at] << 16) + (link.Sent[at + 1] << 8) + link.Sent[at + 2])
                types.Add(link.Sent[at + 3]);
            link.Sent.Clear();
            return [.. types];
        }
    }

    static Task<LoadRound> RunAsync(FrameServer server, string client, TimeSpan? keepAlive, int requests) => OneRound.RunAsync(
        new TargetSubject(server.Endpoint, new("acme.Orders/Place", IsServerStreaming: false), new([new Payload("one", new byte[3])], null), null)
        {
            Limits = new() { Tuning = new() { KeepAlive = keepAlive } },
        },
        new LoadPlan { Payload = HivePayload.Empty(), Client = client, Requests = requests });

    sealed class QuietLink() : Http2Link(nobody, new RpcEndpoint())
    {
        static readonly Socket nobody = new(SocketType.Stream, ProtocolType.Tcp);

        public byte[] Arrived { get; set; } = [];

        public List<byte> Sent { get; } = [];

        public override int Receive(Span<byte> target)
        {
            var length = Arrived.Length;
            Arrived.CopyTo(target);
            Arrived = [];
            return length == 0 ? -1 : length;
        }

        public override int Send(ReadOnlySpan<byte> bytes)
        {
            Sent.AddRange(bytes);
            return bytes.Length;
        }
    }
}

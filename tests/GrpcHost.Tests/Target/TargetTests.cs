using ProtoBench.Results;
using System.Buffers.Binary;
using System.IO.Compression;
using System.Security.Cryptography.X509Certificates;
using Grpc.Core;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using ProtoBench.Rpc;
using ProtoBench.Schemas;

namespace ProtoBench.GrpcHost.Tests;

public class TargetTests
{
    static readonly TargetMethod unary = new("acme.Orders/Place", IsServerStreaming: false);
    static readonly RpcMethod<ReadOnlyMemory<byte>, ReadOnlyMemory<byte>> rpc =
        new("/" + unary.Path, new BytesMarshaller(), new BytesMarshaller());
    static readonly TargetMethod streaming = new("acme.Orders/Watch", IsServerStreaming: true);
    static readonly Payload[] payloads = [.. Enumerable.Range(1, 5).Select(size => new Payload($"{size}", new byte[size]))];
    static readonly LoadPlan plan = new() { Payload = HivePayload.Empty(), Requests = 50 };

    [Fact]
    public async Task Requests_arrive_as_the_bytes_that_they_are_and_in_turn()
    {
        var received = new List<int>();
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (request, _) =>
        {
            received.Add(request.Length);
            return new(new ReadOnlyMemory<byte>(new byte[7]));
        })], null, null);
        var subject = new TargetSubject(server.Endpoint, unary, new(payloads, null), null);
        var round = await OneRound.RunAsync(subject, plan with { Requests = 11 });
        Assert.Equal(11, round.Succeeded);
        Assert.Equal(Enumerable.Range(0, 12).Select(i => (i % 5) + 1), received);
        Assert.Equal((12, 12, 84), (subject.Replies.Calls, subject.Replies.Messages, subject.Replies.Bytes));
    }

    [Fact]
    public void A_draw_takes_every_payload_and_its_seed_repeats_it()
    {
        int[] Draw(int seed)
        {
            var source = new RequestSource(payloads, seed);
            return [.. Enumerable.Range(0, 1_000).Select(_ => source.Next.Length)];
        }

        var drawn = Draw(3);
        Assert.Equal(drawn, Draw(3));
        Assert.NotEqual(drawn, Draw(4));
        // 200 expected, 5 standard deviations are 63
        Assert.All(Enumerable.Range(1, 5), size => Assert.InRange(drawn.Count(one => one == size), 140, 260));
    }

    [Fact]
    public async Task A_stream_of_replies_is_counted_to_its_end()
    {
        await using var host =
            await Host.StartAsync(
                new() { Payload = HivePayload.Empty(), Prepared = PreparedReplies.Serve(streaming, payloads, ReplyDelay.None) });
        var subject = new TargetSubject(host.Endpoint, streaming, new(payloads, null), null);
        var round = await OneRound.RunAsync(subject, plan);
        Assert.Equal((50, 0), (round.Succeeded, round.FailedCalls));
        Assert.Equal((51, 255, 51 * 15), (subject.Replies.Calls, subject.Replies.Messages, subject.Replies.Bytes));
    }

    [Fact]
    public async Task Prepared_replies_are_sent_in_turn()
    {
        await using var host =
            await Host.StartAsync(
                new() { Payload = HivePayload.Empty(), Prepared = PreparedReplies.Serve(unary, payloads, ReplyDelay.None) });
        await using var client = RpcTransports.All[0].Connect(host.Endpoint, null);
        for (var i = 0; i < 7; i++)
            Assert.Equal((i % 5) + 1,
                (await client.UnaryAsync(rpc, default, cancellationToken: TestContext.Current.CancellationToken)).Length);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(8 * 1024 * 1024)]
    public async Task A_reply_may_be_as_large_as_it_is_allowed_to_be(int? most)
    {
        await using var host = await Host.StartAsync(new()
        {
            Payload = HivePayload.Empty(),
            Prepared = PreparedReplies.Serve(unary, [new("first", new byte[1]), new("large", new byte[5 * 1024 * 1024])], ReplyDelay.None),
        });
        var subject = new TargetSubject(host.Endpoint, unary, new(payloads, null), null)
        {
            Limits = most is { } bytes ? new() { MaxReceiveBytes = bytes } : null,
        };
        var round = await OneRound.RunAsync(subject, plan with { Requests = 3 });
        // the connection takes the first reply, then large and empty ones take turns
        Assert.Equal(most is null ? (1, 2) : (3, 0), (round.Succeeded, round.FailedByStatus.GetValueOrDefault("ResourceExhausted")));
    }

    /// <summary>The length that counts is that of the message, after decompression.</summary>
    [Theory]
    [InlineData(StackClient.Name, null, "gzip")]
    [InlineData(EventLoopClient.Name, null, "identity")]
    [InlineData(EventLoopClient.Name, "gzip", "identity,gzip")]
    public async Task Compressed_replies_are_received(string client, string? asked, string announced)
    {
        var zipped = new MemoryStream();
        await using (var gzip = new GZipStream(zipped, CompressionLevel.Fastest, leaveOpen: true))
            await gzip.WriteAsync(new byte[100_000]);
        var accepted = "";
        await using var server = await KestrelHost.StartAsync(new(), app => app.Run(async context =>
        {
            accepted = context.Request.Headers["grpc-accept-encoding"].ToString();
            context.Response.ContentType = "application/grpc";
            context.Response.Headers["grpc-encoding"] = "gzip";
            var prefix = new byte[5];
            prefix[0] = 1;
            BinaryPrimitives.WriteInt32BigEndian(prefix.AsSpan(1), (int)zipped.Length);
            await context.Response.BodyWriter.WriteAsync(prefix);
            await context.Response.BodyWriter.WriteAsync(zipped.ToArray());
            context.Response.AppendTrailer("grpc-status", "0");
        }));
        var subject = new TargetSubject(server.Endpoint, unary, new(payloads, null), null)
        {
            Limits = new() { Tuning = new() { Compression = asked } },
        };
        var round = await OneRound.RunAsync(subject, plan with { Requests = 9, Client = client });
        Assert.Equal((9, 0, 10 * 100_000), (round.Succeeded, round.FailedCalls, subject.Replies.Bytes));
        Assert.Contains(announced, accepted, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(StackClient.Name, "no such order", "no such order")]
    [InlineData(StackClient.Name, "", "the call failed without a message")]
    [InlineData(EventLoopClient.Name, "no such order", "no such order")]
    [InlineData(EventLoopClient.Name, "", "the call failed without a message")]
    public async Task A_status_is_a_result_from_the_first_call_on(string client, string text, string message)
    {
        await using var server = await RpcTransports.All[0].StartAsync(new(),
            [RpcHandler.Unary(rpc, (_, _) => throw RpcFailure.Of(StatusCode.NotFound, text))], null, null);
        var subject = new TargetSubject(server.Endpoint, unary, new(payloads, null), null);
        var load = plan with { Client = client };
        var failed = await OneRound.RunAsync(subject, load);
        Assert.Equal((0, 50, message), (failed.Succeeded, failed.FailedByStatus["NotFound"], failed.FailureMessages!["NotFound"]));

        load = load with { Expected = new HashSet<string> { "NotFound" } };
        var expected = await OneRound.RunAsync(subject, load);
        Assert.Equal((50, 50, message), (expected.Succeeded, expected.ExpectedByStatus!["NotFound"], expected.FailureMessages!["NotFound"]));
        Assert.Empty(expected.FailedByStatus);
        Verdict.AssertTiming(RunChecks.Faults(expected), openLoop: false);
        // over the wire to the parent of a client process
        Assert.Equal(50, LoadResultFile.ParseRound(LoadResultFile.ToJson(expected)).ExpectedByStatus!["NotFound"]);
        Assert.Equal(load.Expected, load.ToMessage().ToPlan().Expected);
    }

    [Fact]
    public async Task A_status_that_is_not_expected_has_failed_and_so_has_OK()
    {
        await using var host = await Host.StartAsync(
            new() { Payload = HivePayload.Empty(), Prepared = PreparedReplies.Serve(unary, payloads, ReplyDelay.None) });
        var target = $"127.0.0.1:{host.Endpoint.Port}";
        string[] load = ["load", "--target", target, "--method", unary.Path, "--payload", typeof(TargetTests).Assembly.Location,
            "-n", "5", "--rounds", "1", "--warmup", "0", "--expect"];
        var (exit, output, error) = await TheProgram.RunAsync([.. load, "NOT_FOUND,Unavailable"]);
        Assert.True(exit == 1, output + error);
        Assert.Contains("failed OK: 5", output, StringComparison.Ordinal);
        (exit, _, error) = await TheProgram.RunAsync([.. load, "SOLD_OUT"]);
        Assert.Equal((2, "'SOLD_OUT' is no status of gRPC: OK, FAILED_PRECONDITION, NOT_FOUND, ..."), (exit, error.Trim()));
    }

    [Fact]
    public async Task A_call_that_runs_out_of_time_says_so()
    {
        await using var host = await Host.StartAsync(new()
        {
            Payload = HivePayload.Empty(),
            Prepared = PreparedReplies.Serve(unary, payloads, new(TimeSpan.FromHours(1), false, 1)),
        });
        await using var client = RpcTransports.All[0].Connect(host.Endpoint, null);
        var failure = await Assert.ThrowsAsync<RpcException>(() =>
            client.UnaryAsync(rpc, default, new() { Timeout = TimeSpan.FromMilliseconds(50) }).AsTask());
        Assert.Equal((StatusCode.DeadlineExceeded, "the deadline has passed"), (failure.StatusCode, failure.Message));
    }

    [Fact]
    public async Task A_first_call_may_take_longer_than_the_limit_of_the_others()
    {
        await using var host = await Host.StartAsync(new()
        {
            Payload = HivePayload.Empty(),
            Prepared = PreparedReplies.Serve(unary, payloads, new(TimeSpan.FromMilliseconds(300), false, 1)),
        });
        var subject = new TargetSubject(host.Endpoint, unary, new(payloads, null), null);
        var round = await OneRound.RunAsync(subject, plan with { Requests = 3, Timeout = TimeSpan.FromMilliseconds(100) });
        Assert.Equal(3, round.FailedByStatus["DeadlineExceeded"]);
    }

    /// <summary>The first call succeeds, and then the server answers no more.</summary>
    [Theory]
    [InlineData(null)]
    [InlineData(100.0)]
    public async Task A_timed_round_against_a_server_that_hangs_ends_and_is_invalid(double? rate)
    {
        var first = 0;
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, async (_, call) =>
        {
            if (Interlocked.Exchange(ref first, 1) != 0)
                await Task.Delay(Timeout.Infinite, call.CancellationToken);
            return new ReadOnlyMemory<byte>(new byte[7]);
        })], null, null);
        var hanging = plan with
        {
            Requests = null,
            Duration = TimeSpan.FromMilliseconds(200),
            Drain = TimeSpan.FromMilliseconds(100),
            Rate = rate,
            Concurrency = 2,
        };
        var subject = new TargetSubject(server.Endpoint, unary, new(payloads, null), null);
        var round = await OneRound.RunAsync(subject, hanging).WaitAsync(TheProgram.Limit);
        var failed = round.FailedByStatus[CallStatistics.NotEnded];
        Assert.Equal(round.Attempted, failed);
        Assert.Contains($"{failed} calls had not ended when the time after the round (--drain) was over", RunChecks.Faults(round));

        Volatile.Write(ref first, 0);
        await using var session = new LoadSession(subject, hanging with { Warmup = TimeSpan.FromMilliseconds(100) });
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default);
        var refusal = await Assert.ThrowsAnyAsync<RunException>(() => session.WarmUpAsync(cancellation).WaitAsync(TheProgram.Limit));
        Assert.Contains("calls of the warm-up had not ended", refusal.Message, StringComparison.Ordinal);
    }

    /// <summary>A server of others gets what was asked for: the calls that are due in 0.3 s, after the first one of the
    /// connection.</summary>
    [Theory]
    [InlineData(StackClient.Name)]
    [InlineData(EventLoopClient.Name)]
    public async Task A_target_is_warmed_up_for_the_time_that_was_asked_for(string client)
    {
        var received = 0;
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (_, _) =>
        {
            Interlocked.Increment(ref received);
            return new(new ReadOnlyMemory<byte>(new byte[7]));
        })], null, null);
        var open = plan with { Client = client, Requests = null, Rate = 100, Warmup = TimeSpan.FromMilliseconds(300) };
        await using var session = new LoadSession(new TargetSubject(server.Endpoint, unary, new(payloads, null), null), open);
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default).WaitAsync(TheProgram.Limit);
        await session.WarmUpAsync(cancellation).WaitAsync(TheProgram.Limit);
        Assert.Equal(1 + 30, received);
    }

    [Fact]
    public async Task Metadata_travels_with_each_call()
    {
        string? seen = null;
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (_, call) =>
        {
            seen = call.RequestHeaders.GetValue("tenant");
            return new(default(ReadOnlyMemory<byte>));
        })], null, null);
        var metadata = new Metadata();
        metadata.Add("tenant", "blue");
        await OneRound.RunAsync(new(server.Endpoint, unary, new(payloads, null), metadata), plan);
        Assert.Equal("blue", seen);
    }

    [Theory]
    [InlineData("event-loop")]
    [InlineData("grpc-dotnet")]
    public async Task Metadata_differs_from_call_to_call_with_the_number_of_the_request(string client)
    {
        var seen = new List<(int Request, string Number, string Worker, string Tenant, string Binary)>();
        await using var server = await RpcTransports.All[0].StartAsync(new(), [RpcHandler.Unary(rpc, (request, call) =>
        {
            var headers = call.RequestHeaders;
            lock (seen)
                seen.Add((request.Length, headers.GetValue("number")!, headers.GetValue("worker")!, headers.GetValue("tenant")!,
                    System.Text.Encoding.UTF8.GetString(headers.GetValueBytes("id-bin")!)));
            return new(default(ReadOnlyMemory<byte>));
        })], null, null);
        var metadata = CallMetadata.Parse(
            ["number={{.RequestNumber}}", "tenant=blue", "{\"worker\": \"{{.WorkerID}} of {{.FullyQualifiedName}}\", \"id-bin\": \"{{.RequestNumber}}é\"}"],
            calls: 10, text => new(text, "--metadata", 1, unary.Path, workers: 3));
        Assert.Equal("blue", metadata.Same!.GetValue("tenant"));
        Assert.Equal(10, metadata.Differing.Count);
        Assert.Equal(("blue", "3"), (metadata.Of(13)!.GetValue("tenant"), metadata.Of(13)!.GetValue("number")));
        var load = plan with { Client = client, Requests = 23 };
        var subject = new TargetSubject(server.Endpoint, unary, new(payloads, null), metadata.Same) { Differing = metadata.Differing };
        await OneRound.RunAsync(subject, load);
        // the first call of the connection is in no round
        Assert.Equal(Enumerable.Range(0, 24).Select(i => (1 + (i % 5), $"{i % 10}", $"{i % 10 % 3} of acme.Orders.Place", "blue", $"{i % 10}é")), seen);
    }

    [Fact]
    public async Task A_certificate_is_accepted_by_its_root_or_by_nobody()
    {
        using var certificate = SelfSignedCertificate.Create();
        await using var server =
            await RpcTransports.All[0].StartAsync(new() { Host = "localhost" }, [PreparedReplies.Serve(unary, payloads, ReplyDelay.None)],
                null, certificate);
        var open = server.Endpoint with { Host = "localhost", Thumbprint = null };
        using var root = X509CertificateLoader.LoadCertificate(certificate.RawData);
        await OneRound.RunAsync(new(open with { Trust = new() { Roots = [root] } }, unary, new(payloads, null), null), plan);
        await OneRound.RunAsync(new(open with { Trust = new() { AcceptAny = true } }, unary, new(payloads, null), null), plan);
        var refused =
            await Assert.ThrowsAnyAsync<RunException>(() =>
                OneRound.RunAsync(new(open with { Trust = new() }, unary, new(payloads, null), null), plan));
        Assert.Contains("certificate", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Exponential_delays_have_their_mean_and_spread()
    {
        var delay = new ReplyDelay(TimeSpan.FromMilliseconds(5), isExponential: true, seed: 1);
        double[] draws = [.. Enumerable.Range(0, 20_000).Select(_ => delay.Next.TotalMilliseconds)];
        var mean = draws.Average();
        var deviation = Math.Sqrt(draws.Average(draw => (draw - mean) * (draw - mean)));
        Assert.InRange(mean, 4.8, 5.2); // five standard errors are 0.18
        Assert.InRange(deviation / mean, 0.95, 1.05); // an exponential distribution's coefficient of variation is 1
    }

    [Fact]
    public async Task A_proto_file_alone_lists_its_methods()
    {
        var (exit, output, _) =
            await TheProgram.RunAsync("load", "--proto", Path.Combine(Testing.Golden.Root, "protos", "test_proxy.proto"));
        Assert.Equal(0, exit);
        Assert.Equal("TestProxyPkg.TestProxy/Forward (TestProxyPkg.ForwardRequest) returns (TestProxyPkg.ForwardResponse)", output.Trim());
    }
}

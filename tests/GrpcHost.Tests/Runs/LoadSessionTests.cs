using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using ProtoBench.Gpb;
using ProtoBench.Rpc;
using ProtoBench.Rpc.Control;

namespace ProtoBench.GrpcHost.Tests;

public class LoadSessionTests
{
    static readonly Variant google = new(RpcTransports.All[0], "google", HiveServices.Roots[0]);
    static readonly LoadPlan plan = new() { Payload = HivePayload.Hive(20), Requests = 50 };

    [Fact]
    public async Task Warm_up_appears_in_no_counter_and_no_histogram()
    {
        await using var host = await StartAsync();
        await using var session = new LoadSession(google, host.Endpoint, plan with { Warmup = TimeSpan.FromMilliseconds(300) });
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default);
        await session.WarmUpAsync(cancellation);
        var before = await SnapshotAsync(host);
        Assert.True(before.Calls > 1, "nothing was warmed up");
        var round = await session.RunAsync(plan, cancellation, _ => { });
        Assert.Equal((50, 50, 0), (round.Attempted, round.Succeeded, round.FailedCalls));
        Assert.Equal((50, 50, 50), (round.Client!.Calls, round.Client.Encodes, round.Client.Decodes));
        Assert.Equal((50, 50, 50), (round.Server!.Calls, round.Server.Encodes, round.Server.Decodes));
        Assert.Equal(before.Calls + 50, (await SnapshotAsync(host)).Calls);
    }

    [Theory]
    [InlineData(new long[] { 10, 25, 31, 31, 31 }, 4, true)]
    [InlineData(new long[] { 10, 10 }, 2, true)]
    public async Task The_warm_up_ends_when_the_jit_has_compiled_nothing(long[] compiled, int slices, bool quiet)
    {
        var loaded = 0;
        Assert.Equal(quiet, await WarmUp.UntilQuietAsync(() => Task.FromResult(compiled[loaded++]), default));
        Assert.Equal(slices, loaded);
    }

    [Fact]
    public async Task The_warm_up_of_a_host_that_always_compiles_ends()
    {
        var loaded = 0;
        Assert.False(await WarmUp.UntilQuietAsync(() => Task.FromResult((long)++loaded), default));
        Assert.Equal(20, loaded);
    }

    [Fact]
    public async Task A_short_warm_up_goes_on_until_both_sides_are_quiet()
    {
        await using var host = await ChildProcess.StartHostAsync(["--port", "0", "--codec", "google", "--items", "20"]);
        await using var session = new LoadSession(google, host.Endpoint, plan with { Warmup = TimeSpan.FromMilliseconds(1) });
        using var stop = new CancellationTokenSource();
        using var cancellation = new RunCancellation(stop.Token);
        await session.ConnectAsync(default);
        await using var client = new GrpcDotnetClient(host.Endpoint);
        var warmingUp = session.WarmUpAsync(cancellation);
        // a method of the second tier has been called 30 times, and 1 ms is enough for a few calls of a cold host
        while (!warmingUp.IsCompleted && (await SnapshotAsync()).Calls <= 30)
            await Task.Delay(1);
        await stop.CancelAsync(); // while other tests are compiled in this process it goes on for ten seconds
        await warmingUp;
        var snapshot = await SnapshotAsync();
        Assert.True(snapshot.Calls > 30, $"{snapshot.Calls} calls");
        Assert.True(snapshot.CompiledMethods > 0);

        Task<HostSnapshot> SnapshotAsync() => client.UnaryAsync(ControlService.Snapshot, new SnapshotRequest()).AsTask();
    }

    /// <summary>More callers than the host takes at a time on a connection: no call fails, and a note says that they wait.</summary>
    [Theory]
    [InlineData(StackClient.Name, 4, true)]
    [InlineData(StackClient.Name, 6, false)]
    [InlineData(EventLoopClient.Name, 4, true)]
    [InlineData(EventLoopClient.Name, 6, false)]
    public async Task Callers_that_wait_for_a_stream_are_noted(string client, int streams, bool noted)
    {
        await using var host = await Host.StartAsync(new() { Codec = "google", Payload = plan.Payload, MaxStreams = streams });
        var many = plan with { Client = client, Connections = 2, Concurrency = 12 };
        await using var session = new LoadSession(google, host.Endpoint, many);
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default);
        var round = await session.RunAsync(many, cancellation, _ => { });
        Assert.Equal((50, 0), (round.Succeeded, round.FailedCalls));
        const string note = "12 calls at a time, and the host takes 8 (host --max-streams, or more --connections): the others waited in the "
            + "client, and their latency includes it";
        Assert.Equal(noted ? [note] : [], RunChecks.Notes(session, [round]).Where(one => one.Contains("--max-streams", StringComparison.Ordinal)));
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(3, false)]
    [InlineData(3, true)]
    public async Task As_many_connections_are_opened_as_were_asked_for(int connections, bool tls)
    {
        await using var host = await StartAsync(tls);
        var many = plan with { Connections = connections, Concurrency = 6, Requests = 120 };
        await using var session = new LoadSession(google, host.Endpoint, many);
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default);
        var round = await session.RunAsync(many, cancellation, _ => { });
        Assert.Equal(120, round.Succeeded);
        Assert.Equal(Enumerable.Repeat((1, "HTTP/2"), connections),
            session.Connections.Select(connection => (connection.Opened, connection.Protocol!)));
        Assert.All(session.Connections, connection => Assert.Equal(tls, connection.Tls is not null));
        // the session's control connection, and that of this test
        Assert.Equal(connections + 2, (await SnapshotAsync(host)).Connections);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_server_that_speaks_http_1_only_is_never_taken_for_http_2(bool tls)
    {
        using var certificate = SelfSignedCertificate.Create();
        await using var server = await KestrelHost.StartAsync(
            new(), app => app.Run(context => context.Response.WriteAsync(context.Request.Protocol)), certificate: tls ? certificate : null,
                protocols: HttpProtocols.Http1);
        await using var session = new LoadSession(google, server.Endpoint, plan);
        var refusal = await Assert.ThrowsAnyAsync<RunException>(() => session.ConnectAsync(default));
        Assert.Equal(ExitCode.Failed, refusal.ExitCode);
        Assert.Null(session.Connections[0].Protocol);
    }

    [Fact]
    public async Task A_host_that_takes_no_times_cannot_attribute()
    {
        await using var host = await StartAsync();
        await using var session = new LoadSession(google, host.Endpoint, plan with { Attribute = true });
        var refusal = await Assert.ThrowsAnyAsync<RunException>(() => session.ConnectAsync(default));
        Assert.Equal((ExitCode.Usage, $"the host at {host.Endpoint} does not take times: start it with --attribute"),
            (refusal.ExitCode, refusal.Message));
    }

    [Theory]
    [InlineData("a byte")]
    [InlineData("an item")]
    [InlineData("the time")]
    public async Task A_reply_that_is_not_right_is_found(string wrong)
    {
        var payload = plan.Payload;
        var right = new GoogleHiveService().Serve(payload, new(false), 0);
        var method = new RpcMethod<ForwardRequest, ForwardResponse>(HiveService.Path, new GoogleMarshaller<ForwardRequest>(),
            new GoogleMarshaller<ForwardResponse>());
        ForwardResponse reply;
        await using (var server = await GrpcDotnetServer.StartAsync(new(), [right]))
        await using (var client = new GrpcDotnetClient(server.Endpoint))
            reply = await client.UnaryAsync(method, ForwardRequest.Parser.ParseFrom(payload.Request));
        var spoiled = reply.Clone();
        if (wrong == "an item")
            spoiled.ItemResponses.RemoveAt(7);
        else if (wrong == "the time")
            spoiled.RouteStartTimeInTicks = 0;
        else
            spoiled.ItemResponses[7].ExtraResult =
                Google.Protobuf.ByteString.CopyFrom(
                    [.. reply.ItemResponses[7].ExtraResult.Select((value, i) => i == 31 ? (byte)~value : value)]);

        await ConnectAsync(reply);
        var refusal = await Assert.ThrowsAnyAsync<RunException>(() => ConnectAsync(spoiled));
        Assert.StartsWith("grpc-dotnet-google: the host's first reply is not the expected one", refusal.Message, StringComparison.Ordinal);

        async Task ConnectAsync(ForwardResponse response)
        {
            await using var server = await GrpcDotnetServer.StartAsync(new(), [RpcHandler.Unary(method, (_, _) => new(response))]);
            await using var session = new LoadSession(google, server.Endpoint, plan);
            await session.ConnectAsync(default);
        }
    }

    [Fact]
    public async Task A_handler_that_allocates_so_many_bytes_is_reported_with_so_many()
    {
        const int allocated = 50_000;
        var bytes = await Task.WhenAll(BytesPerCallAsync(0), BytesPerCallAsync(allocated));
        // an array's header is 24 bytes; what else a call allocates differs by less than 2 % of the array
        Assert.InRange(bytes[1] - bytes[0], allocated + 24 - 1_000, allocated + 24 + 1_000);

        static Task<double> BytesPerCallAsync(int allocate) =>
            ServerBytesPerCallAsync("raw", HivePayload.Empty(), "--payload", "empty", "--allocate", $"{allocate}");
    }

    /// <summary>Recycled messages allocate less than a message for each item, however busy the machine is.</summary>
    [Fact]
    public async Task A_host_with_slab_messages_allocates_less_than_one_with_Google_s()
    {
        var bytes = await Task.WhenAll(BytesPerCallAsync("google"), BytesPerCallAsync("slab"));
        Assert.True(bytes[1] < bytes[0], $"Google.Protobuf {bytes[0]} B a call, slab {bytes[1]} B");

        static Task<double> BytesPerCallAsync(string codec) => ServerBytesPerCallAsync(codec, HivePayload.Hive(200), "--items", "200");
    }

    // The host has a process of its own, because the bytes of a process are counted.
    static async Task<double> ServerBytesPerCallAsync(string codec, HivePayload payload, params string[] options)
    {
        var variant = new Variant(RpcTransports.All[0], codec, HiveServices.Roots[0]);
        var many = plan with { Payload = payload, Requests = 500 };
        await using var host = await ChildProcess.StartHostAsync(["--port", "0", "--codec", codec, .. options]);
        await using var session = new LoadSession(variant, host.Endpoint, many);
        using var cancellation = new RunCancellation(default);
        await session.ConnectAsync(default);
        // the least of several rounds: a first use, a trimmed pool or a timer allocates in the others
        var least = double.MaxValue;
        for (var i = 0; i < 5; i++)
        {
            var round = await session.RunAsync(many, cancellation, _ => { });
            Assert.Equal(500, round.Server!.Calls);
            least = Math.Min(least, round.Server.AllocatedBytesPerCall);
        }

        return least;
    }

    static Task<Host> StartAsync(bool tls = false) => Host.StartAsync(new() { Codec = "google", Payload = plan.Payload, Tls = tls });

    static async Task<HostSnapshot> SnapshotAsync(Host host)
    {
        await using var client = new GrpcDotnetClient(host.Endpoint);
        return await client.UnaryAsync(ControlService.Snapshot, new SnapshotRequest());
    }
}

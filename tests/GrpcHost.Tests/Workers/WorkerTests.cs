using System.Globalization;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class WorkerTests
{
    static readonly ServerArgs markServer = new() { Mark = new() { Reset = true } };
    static readonly ClientArgs markClient = new() { Mark = new() { Reset = true } };
    static readonly ClientArgs lookClient = new() { Mark = new() };

    static ServerConfig Server(bool generic = false) => generic
        ? new() { ServerType = ServerType.AsyncGenericServer, PayloadConfig = new() { BytebufParams = new() { RespSize = 20 } } }
        : new() { ServerType = ServerType.AsyncServer };

    static ClientConfig Client(bool generic = false) => new()
    {
        ServerTargets = { "127.0.0.1:1" },
        ClientType = ClientType.AsyncClient,
        ClientChannels = 2,
        OutstandingRpcsPerChannel = 3,
        LoadParams = new() { ClosedLoop = new() },
        HistogramParams = new() { Resolution = 0.01, MaxPossible = 60e9 },
        PayloadConfig = generic
            ? new() { BytebufParams = new() { ReqSize = 10, RespSize = 20 } }
            : new() { SimpleParams = new() { ReqSize = 10, RespSize = 20 } },
    };

    public static TheoryData<int, bool, bool, int, string> Scenarios => [..
        from type in Enum.GetValues<RpcType>()
        from generic in (bool[])[false, true]
        from load in ((bool Poisson, string Caller)[])[(false, "grpc-dotnet"), (true, "grpc-dotnet"), (false, "event-loop")]
        select ((int)type, generic, load.Poisson, generic && type != RpcType.Unary ? 7 : 0, load.Caller)];

    [Theory]
    [MemberData(nameof(Scenarios))]
    public async Task Every_scenario_runs(int type, bool generic, bool poisson, int messagesPerStream, string caller)
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var serving = Server(generic);
        var config = Client(generic);
        // so large that few messages fit into a window, and a slow machine too handles them before the client gives up
        const int size = 10_000;
        if (generic)
            (serving.PayloadConfig, config.PayloadConfig) = (Generic(), Generic());
        else
            config.PayloadConfig.SimpleParams = new() { ReqSize = size, RespSize = size };
        var (server, listening) = await servers.ServeAsync(serving);
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        config.RpcType = (RpcType)type;
        config.MessagesPerStream = messagesPerStream;
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = caller });
        if (poisson)
            config.LoadParams = new() { Poisson = new() { OfferedLoad = 500 } };
        var (client, _) = await clients.CallAsync(config);
        var stats = await UntilAsync(client, 50);
        Assert.Equal(50, Math.Min(50, stats.Latencies.Count));
        Assert.All(stats.RequestResults, result => Assert.Equal(0, result.StatusCode));
        await WorkerSession.AskAsync(client, markClient);
        await WorkerSession.EndAsync(client);
        await WorkerSession.AskAsync(server, markServer);
        await WorkerSession.EndAsync(server);
        var (answered, handled) = (clients.Printed("client")["calls"], servers.Printed("server")["calls"]);
        // the client cancels a stream to which the server never stops to write
        if (config.RpcType == RpcType.StreamingFromServer || (config.RpcType == RpcType.StreamingBothWays && caller == StackClient.Name))
            Assert.True(handled >= answered && answered >= 50, $"{handled} and {answered} messages");
        else
            Assert.Equal(handled, answered);

        static PayloadConfig Generic() => new() { BytebufParams = new() { ReqSize = size, RespSize = size } };
    }

    /// <summary>A stream that is cancelled loses what the server has not read yet.</summary>
    [Theory]
    [InlineData(StackClient.Name)]
    [InlineData(EventLoopClient.Name)]
    public async Task Streams_of_requests_end_with_their_scenario(string caller)
    {
        var bytes = 0L;
        await using var server = new FrameServer(async (peer, stream, _) =>
        {
            bytes += peer.Received.Where(frame => frame.Type == Frames.Data && frame.Stream == stream).Sum(frame => frame.Payload.Length);
            await peer.ReplyAsync(stream);
        });
        await using var clients = await WorkerSession.StartAsync();
        var config = Client(generic: true);
        (config.ClientChannels, config.RpcType) = (1, RpcType.StreamingFromClient);
        config.ServerTargets[0] = $"127.0.0.1:{server.Endpoint.Port}";
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = caller });
        var (client, _) = await clients.CallAsync(config);
        await UntilAsync(client, 50);
        await WorkerSession.EndAsync(client);
        Assert.Empty(server.Faults);
        // of 10 bytes and their prefix
        Assert.Equal(clients.Printed("client")["calls"], bytes / 15.0);
    }

    [Fact]
    public async Task A_reset_begins_a_new_window_and_a_look_does_not()
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var (server, listening) = await servers.ServeAsync(Server());
        var config = Client();
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        var (client, first) = await clients.CallAsync(config);
        Assert.Equal(2495, first.Stats.Latencies.Bucket.Count);
        var looked = await UntilAsync(client, 100);
        var window = (await WorkerSession.AskAsync(client, markClient)).Stats;
        Assert.True(window.Latencies.Count >= looked.Latencies.Count && window.TimeElapsed >= looked.TimeElapsed);
        Assert.Equal(window.Latencies.Count, window.RequestResults.Single().Count);
        Assert.Equal(window.Latencies.Count, window.Latencies.Bucket.Sum(count => (double)count));
        var next = (await WorkerSession.AskAsync(client, markClient)).Stats;
        await WorkerSession.EndAsync(client);
        // what came before, between and after the marks is the whole
        await WorkerSession.AskAsync(server, markServer);
        await WorkerSession.EndAsync(server);
        Assert.InRange(window.Latencies.Count + next.Latencies.Count, 100, servers.Printed("server")["calls"]);
    }

    /// <summary>One caller, and far more calls due than it can make: each waits for all before it. From the send, the latencies of one
    /// caller add up to the time that passed; from the due time, each is about as long as that.</summary>
    [Theory]
    [InlineData("grpc-dotnet")]
    [InlineData("event-loop")]
    public async Task In_the_open_loop_latency_counts_from_the_due_time(string caller)
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var (server, listening) = await servers.ServeAsync(Server());
        var config = Client();
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        (config.ClientChannels, config.OutstandingRpcsPerChannel) = (1, 1);
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = caller });
        config.LoadParams = new() { Poisson = new() { OfferedLoad = 1e7 } };
        var (client, _) = await clients.CallAsync(config);
        var stats = await UntilAsync(client, 200);
        var mean = stats.Latencies.Sum / stats.Latencies.Count / 1e9;
        Assert.True(mean > 0.1 * stats.TimeElapsed, $"a mean of {mean} s in {stats.TimeElapsed} s");
        await WorkerSession.EndAsync(client);
        await WorkerSession.EndAsync(server);
    }

    public static TheoryData<bool, bool, int, bool> EventLoopScenarios => [..
        from generic in (bool[])[false, true]
        from poisson in (bool[])[false, true]
        from size in (int[])[0, 20]
        select (generic, poisson, size, size == 20 && poisson)];

    /// <summary>Each of two servers has its own connections. The number of calls is that of both servers.</summary>
    [Theory]
    [MemberData(nameof(EventLoopScenarios))]
    public async Task The_event_loop_makes_unary_calls(bool generic, bool poisson, int size, bool tls)
    {
        await using var first = await WorkerSession.StartAsync();
        await using var second = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var serving = Server(generic);
        if (generic)
            serving.PayloadConfig.BytebufParams.RespSize = size;
        if (tls)
            serving.SecurityParams = new();
        var (one, listening) = await first.ServeAsync(serving);
        var (two, listeningToo) = await second.ServeAsync(serving);
        var config = Client(generic);
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = "event-loop" });
        if (generic)
            config.PayloadConfig.BytebufParams.RespSize = size;
        else
            config.PayloadConfig.SimpleParams.RespSize = size;
        config.ClientChannels = 3;
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        config.ServerTargets.Add($"127.0.0.1:{listeningToo.Port}");
        config.SecurityParams = serving.SecurityParams;
        if (poisson)
            config.LoadParams = new() { Poisson = new() { OfferedLoad = 500 } };
        var (client, _) = await clients.CallAsync(config);
        var stats = await UntilAsync(client, 50);
        Assert.All(stats.RequestResults, result => Assert.Equal(0, result.StatusCode));
        Assert.Equal(stats.RequestResults.Sum(result => result.Count), stats.Latencies.Count);
        await WorkerSession.AskAsync(client, markClient);
        await WorkerSession.EndAsync(client);
        foreach (var server in (AsyncDuplexStreamingCall<ServerArgs, ServerStatus>[])[one, two])
        {
            await WorkerSession.AskAsync(server, markServer);
            await WorkerSession.EndAsync(server);
        }

        var (handled, handledToo) = (first.Printed("server")["calls"], second.Printed("server")["calls"]);
        Assert.True(handled > 0 && handledToo > 0, $"{handled} and {handledToo} calls");
        Assert.Equal(handled + handledToo, clients.Printed("client")["calls"]);
    }

    [Fact]
    public async Task The_event_loop_counts_replies_of_another_size_as_wrong()
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var (server, listening) = await servers.ServeAsync(Server(generic: true));
        var config = Client(generic: true);
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = "event-loop" });
        config.PayloadConfig.BytebufParams.RespSize = 21;
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        var (client, _) = await clients.CallAsync(config);
        var stats = await UntilAsync(client, 10, failed: true);
        Assert.Equal((int)StatusCode.DataLoss, stats.RequestResults.Single().StatusCode);
        Assert.Equal(0, stats.Latencies.Count);
        await WorkerSession.EndAsync(client);
        await WorkerSession.EndAsync(server);
    }

    [Fact]
    public async Task An_event_loop_without_a_server_is_a_status()
    {
        await using var worker = await WorkerSession.StartAsync();
        var config = Client();
        config.ChannelArgs.Add(new ChannelArg { Name = "protobench.client", StrValue = "event-loop" });
        var refused = await Assert.ThrowsAsync<RpcException>(() => worker.CallAsync(config));
        Assert.Equal(StatusCode.Unavailable, refused.StatusCode);
        var (server, _) = await worker.ServeAsync(Server());
        await WorkerSession.EndAsync(server);
    }

    [Theory]
    [InlineData("grpc-dotnet")]
    [InlineData("event-loop")]
    public async Task The_hive_is_served_and_called_with_a_codec(string caller)
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        ChannelArg[] arguments =
        [
            new() { Name = "protobench.codec", StrValue = "slab" }, new() { Name = "protobench.items", IntValue = 12 },
            new() { Name = "grpc.optimization_target", StrValue = "latency" },
            new() { Name = "protobench.client", StrValue = caller },
        ];
        var (server, listening) = await servers.ServeAsync(
            new() { ServerType = ServerType.OtherServer, OtherServerApi = "hive", ChannelArgs = { arguments } });
        var config = Client();
        config.PayloadConfig = null;
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        (config.ClientType, config.OtherClientApi) = (ClientType.OtherClient, "hive");
        config.ChannelArgs.Add(arguments);
        var (client, _) = await clients.CallAsync(config);
        var stats = await UntilAsync(client, 20);
        Assert.All(stats.RequestResults, result => Assert.Equal(0, result.StatusCode));
        await WorkerSession.EndAsync(client);
        await WorkerSession.EndAsync(server);
        Assert.Equal(servers.Printed("server")["calls"], clients.Printed("client")["calls"]);
    }

    [Fact]
    public async Task Tls_is_spoken_when_security_params_are_there()
    {
        await using var servers = await WorkerSession.StartAsync();
        await using var clients = await WorkerSession.StartAsync();
        var secure = Server();
        secure.SecurityParams = new() { UseTestCa = true, ServerHostOverride = "foo.test.google.fr" };
        var (server, listening) = await servers.ServeAsync(secure);
        var config = Client();
        config.ServerTargets[0] = $"127.0.0.1:{listening.Port}";
        var (plain, _) = await clients.CallAsync(config);
        var refused = await UntilAsync(plain, 1, failed: true);
        Assert.Equal((int)StatusCode.Unavailable, refused.RequestResults.Single().StatusCode);
        Assert.Equal(0, refused.Latencies.Count);
        await WorkerSession.EndAsync(plain);
        config.SecurityParams = secure.SecurityParams;
        var (client, _) = await clients.CallAsync(config);
        Assert.All((await UntilAsync(client, 10)).RequestResults, result => Assert.Equal(0, result.StatusCode));
        await WorkerSession.EndAsync(client);
        await WorkerSession.EndAsync(server);
    }

    [Fact]
    public async Task A_worker_has_one_scenario_at_a_time_and_the_next_one_after_it()
    {
        await using var worker = await WorkerSession.StartAsync();
        var (first, _) = await worker.ServeAsync(Server());
        var busy = await Assert.ThrowsAsync<RpcException>(() => worker.CallAsync(Client()));
        Assert.Equal((StatusCode.ResourceExhausted, "the worker is busy with another scenario"), (busy.StatusCode, busy.Status.Detail));
        await WorkerSession.EndAsync(first);
        var (second, _) = await worker.ServeAsync(Server());
        second.Dispose(); // a driver that is killed
        for (var limit = DateTime.UtcNow + TheProgram.Limit; ;)
        {
            try
            {
                var (third, _) = await worker.ServeAsync(Server());
                await WorkerSession.EndAsync(third);
                return;
            }
            catch (RpcException e) when (e.StatusCode == StatusCode.ResourceExhausted && DateTime.UtcNow < limit)
            {
                await Task.Yield(); // the lost driver is not noticed yet
            }
        }
    }

    public static TheoryData<string, string> BadClients => new()
    {
        { "{'clientChannels':0}", "0 channels with 3 calls each" },
        { "{'outstandingRpcsPerChannel':0}", "2 channels with 0 calls each" },
        { "{'clientChannels':2000000000}", "2000000000 channels with 3 calls each" },
        { "{'serverTargets':[]}", "server_targets is empty" },
        { "{'serverTargets':['nowhere']}", "'nowhere' is not a target" },
        { "{'messagesPerStream':-1}", "messages_per_stream is -1" },
        { "{'loadParams':{}}", "load_params is missing" },
        { "{'loadParams':{'poisson':{'offeredLoad':0}}}", "an offered load of 0 calls" },
        { "{'histogramParams':{'resolution':0,'maxPossible':1}}", "no histogram has resolution 0" },
        { "{'payloadConfig':{'complexParams':{}}}", "payload_config is missing" },
        { "{'payloadConfig':{'simpleParams':{'reqSize':-1}}}", "a body of -1 bytes" },
        { "{'clientType':'OTHER_CLIENT','otherClientApi':'x'}", "the other API 'x' is not known here: hive" },
        { "{'clientType':'OTHER_CLIENT','otherClientApi':'hive','rpcType':'STREAMING'}", "has unary calls only" },
        { "{'clientType':9}", "a client of type 9" },
        { "{'rpcType':9}", "calls of type 9" },
        { "{'channelArgs':[{'name':'protobench.codec','strValue':'x'}]}", "'x' is no value of protobench.codec: google, slab" },
        { "{'channelArgs':[{'name':'protobench.colour'}]}", "'protobench.colour' is not known here" },
        { "{'channelArgs':[{'name':'protobench.items','intValue':-1}]}", "protobench.items is from 0" },
        { "{'channelArgs':[{'name':'protobench.stack','strValue':'http1'}]}", "the benchmark service is on grpc-dotnet only" },
        { "{'channelArgs':[{'name':'protobench.client','strValue':'h2load'}]}", "'h2load' is no value of protobench.client" },
        {
            "{'rpcType':'STREAMING','loadParams':{'poisson':{'offeredLoad':9}},'channelArgs':[{'name':'protobench.client','strValue':'event-loop'}]}",
            "the event-loop client has streams in the closed loop only"
        },
        { "{'coreLimit':100000}", "core_limit 100000" },
    };

    [Theory]
    [MemberData(nameof(BadClients))]
    public async Task A_client_that_is_not_possible_is_refused_and_the_worker_stays(string json, string message)
    {
        await using var worker = await WorkerSession.StartAsync();
        var changes = Google.Protobuf.JsonParser.Default.Parse<ClientConfig>(json.Replace('\'', '"'));
        var config = Client();
        // a merge cannot empty a list, or set a number to 0
        if (json.Contains("serverTargets", StringComparison.Ordinal))
            config.ServerTargets.Clear();
        if (json.Contains("loadParams", StringComparison.Ordinal))
            config.LoadParams = null;
        if (json.Contains("histogramParams", StringComparison.Ordinal))
            config.HistogramParams = null;
        if (json.Contains("clientChannels\":0", StringComparison.Ordinal) || json.Contains("clientChannels':0", StringComparison.Ordinal))
            config.ClientChannels = 0;
        if (json.Contains("PerChannel':0", StringComparison.Ordinal))
            config.OutstandingRpcsPerChannel = 0;
        config.MergeFrom(changes);
        var refused = await Assert.ThrowsAsync<RpcException>(() => worker.CallAsync(config));
        Assert.Equal(StatusCode.InvalidArgument, refused.StatusCode);
        Assert.Contains(message, refused.Status.Detail, StringComparison.Ordinal);
        Assert.Equal(Environment.ProcessorCount, (await worker.Stub.CoreCountAsync(new())).Cores);
        var (server, _) = await worker.ServeAsync(Server());
        await WorkerSession.EndAsync(server);
    }

    [Theory]
    [InlineData("{'serverType':'SYNC_SERVER','payloadConfig':{'bytebufParams':{}}}", "payload_config is for a generic server")]
    [InlineData("{'serverType':'ASYNC_GENERIC_SERVER','payloadConfig':{'simpleParams':{}}}", "a generic server has bytebuf_params")]
    [InlineData("{'serverType':'OTHER_SERVER'}", "the other API '' is not known here")]
    [InlineData("{'serverType':7}", "a server of type 7")]
    [InlineData("{'port':70000}", "70000 is not a port")]
    [InlineData("{'coreList':[100000]}", "core_list [100000]")]
    public async Task A_server_that_is_not_possible_is_refused(string json, string message)
    {
        await using var worker = await WorkerSession.StartAsync();
        var config = Google.Protobuf.JsonParser.Default.Parse<ServerConfig>(json.Replace('\'', '"'));
        var refused = await Assert.ThrowsAsync<RpcException>(() => worker.ServeAsync(config));
        Assert.Equal(StatusCode.InvalidArgument, refused.StatusCode);
        Assert.Contains(message, refused.Status.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Messages_in_a_wrong_order_are_refused()
    {
        await using var worker = await WorkerSession.StartAsync();
        var mark = worker.Stub.RunClient();
        await mark.RequestStream.WriteAsync(markClient);
        await AssertRefusedAsync(mark, "the first message is not a setup");
        var (server, _) = await worker.ServeAsync(Server());
        await server.RequestStream.WriteAsync(new() { Setup = Server() });
        await AssertRefusedAsync(server, "a message after the setup is not a mark");
    }

    [Fact]
    public async Task A_port_in_use_is_a_status()
    {
        await using var worker = await WorkerSession.StartAsync();
        var refused = await Assert.ThrowsAsync<RpcException>(
            () => worker.ServeAsync(new() { ServerType = ServerType.AsyncServer, Port = worker.Worker.Endpoint.Port }));
        Assert.Equal(StatusCode.Unavailable, refused.StatusCode);
        Assert.Contains("the server cannot listen on", refused.Status.Detail, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Cores_are_limited_for_every_thread_and_freed_again()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "core limits need Linux");
        Assert.SkipWhen(Environment.ProcessorCount < 2, "needs two processors");
        await using var process = await WorkerProcess.StartAsync();
        await using var client = new GrpcDotnetClient(new() { Port = process.Port });
        var stub = new WorkerService.WorkerServiceClient(client.Invoker);
        var before = Allowed(process.Id);
        var call = stub.RunServer();
        var limited = Server();
        limited.CoreLimit = 1;
        var status = await WorkerSession.AskAsync(call, new() { Setup = limited });
        Assert.Equal(1, status.Cores);
        Assert.All(Allowed(process.Id), processors => Assert.Equal(1, processors));
        await WorkerSession.EndAsync(call);
        Assert.Equal(before.Max(), Allowed(process.Id).Max());
        Assert.DoesNotContain(1, Allowed(process.Id));
        await stub.QuitWorkerAsync(new());
        Assert.Equal(0, (await process.EndAsync()).ExitCode);

        static List<int> Allowed(int id) => [.. Directory.EnumerateDirectories($"/proc/{id}/task").Select(ReadStatus).OfType<int>()];

        static int? ReadStatus(string thread)
        {
            try
            {
                var mask = File.ReadLines(Path.Combine(thread, "status")).First(line => line.StartsWith("Cpus_allowed:", StringComparison.Ordinal));
                return mask.Split('\t')[1].Replace(",", "", StringComparison.Ordinal)
                    .Sum(digit => int.PopCount(int.Parse([digit], NumberStyles.HexNumber)));
            }
            catch (IOException)
            {
                return null; // the thread has ended
            }
        }
    }

    static async Task AssertRefusedAsync<TArgs, TStatus>(AsyncDuplexStreamingCall<TArgs, TStatus> call, string message)
    {
        var refused = await Assert.ThrowsAsync<RpcException>(
            () => call.ResponseStream.MoveNext(CancellationToken.None).WaitAsync(TheProgram.Limit));
        Assert.Equal((StatusCode.InvalidArgument, message), (refused.StatusCode, refused.Status.Detail));
    }

    static async Task<ClientStats> UntilAsync(AsyncDuplexStreamingCall<ClientArgs, ClientStatus> call, long calls, bool failed = false)
    {
        for (var limit = DateTime.UtcNow + TheProgram.Limit; DateTime.UtcNow < limit;)
        {
            var stats = (await WorkerSession.AskAsync(call, lookClient)).Stats;
            var count = stats.RequestResults.Where(result => result.StatusCode != 0 == failed).Sum(result => result.Count);
            if (count >= calls)
                return stats;
        }

        throw new TimeoutException($"fewer than {calls} calls");
    }
}

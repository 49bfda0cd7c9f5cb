using System.Diagnostics;
using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Tests;

public class DriveTests
{
    // of an answer that never comes: every test with one takes that long
    static readonly TimeSpan patience = TimeSpan.FromSeconds(3);
    static readonly TimeSpan often = TimeSpan.FromMilliseconds(50);

    static Scenario NewScenario(int clients, int seconds = 1, int servers = 1) => new()
    {
        Name = "made up",
        NumServers = servers,
        NumClients = clients,
        BenchmarkSeconds = seconds,
        ServerConfig = new() { ServerType = ServerType.AsyncServer },
        ClientConfig = new()
        {
            ClientType = ClientType.AsyncClient,
            ClientChannels = Math.Max(1, clients),
            OutstandingRpcsPerChannel = 1,
            LoadParams = new() { ClosedLoop = new() },
            HistogramParams = new() { Resolution = 0.01, MaxPossible = 60e9 },
            PayloadConfig = new() { SimpleParams = new() },
        },
    };

    [Fact]
    public async Task Workers_that_answer_make_a_result_with_their_sum()
    {
        await using var server = await new FakeWorker().StartAsync();
        await using var one = await new FakeWorker { Client = (_, answer) => answer.WriteAsync(FakeWorker.Calls(100)) }.StartAsync();
        await using var two = await new FakeWorker { Client = (_, answer) => answer.WriteAsync(FakeWorker.Calls(150)) }.StartAsync();
        var everyWorker = NewScenario(2);
        everyWorker.NumClients = 0;
        using var run = await RunAsync(everyWorker, null, server, one, two);
        Assert.Empty(run.Faults);
        Assert.Equal((250, 250.0), (run.Total, run.Qps));
        var result = run.ToMessage();
        Assert.Equal([true, true], result.ClientSuccess);
        Assert.Equal([true], result.ServerSuccess);
        Assert.Equal([4], result.ServerCores);
        Assert.Equal(250, result.Latencies.Count);
        Assert.Equal(250u, result.Latencies.Bucket[1388]);
        Assert.Equal((250.0, 62.5, 50.0, 500.0), (result.Summary.Qps, result.Summary.QpsPerServerCore, result.Summary.ServerUserTime,
            result.Summary.ServerQueriesPerCpuSec));
        // setup, first mark, start, end
        Assert.Equal((4, 4), (one.Asked, two.Asked));
    }

    [Fact]
    public async Task Channels_are_divided()
    {
        await using var server = await new FakeWorker().StartAsync();
        await using var one = await new FakeWorker().StartAsync();
        await using var two = await new FakeWorker().StartAsync();
        var scenario = NewScenario(2);
        scenario.ClientConfig.ClientChannels = 5;
        using var run = await RunAsync(scenario, null, server, one, two);
        Assert.Equal([2, 3], run.Clients.Select(client => client.Channels));
    }

    public static TheoryData<string, string, bool> Faults => new()
    {
        { "hangs at the setup", " did not answer the setup within 3 s", false },
        { "hangs at the start", " did not answer the mark that starts the window within 3 s", false },
        { "hangs at the end", " did not answer the last mark within 3 s", true },
        { "hangs after the end", " did not end within 3 s", true },
        { "dies in the window", " was lost at a mark for progress: ", true },
        { "dies at the end", " was lost at the last mark: ", true },
        { "breaks in the window", " was lost at a mark for progress: ", true },
        { "refuses", " refused: InvalidArgument: no such thing", false },
        { "is busy", " refused: ResourceExhausted: busy", false },
        { "answers twice", " sent a status that nobody asked for, before ", true },
        { "answers after the end", " sent a status after the last mark was answered", true },
        { "has no stats", " speaks another version of the protocol: a status without stats", false },
        { "has other buckets", " speaks another version of the protocol: a histogram of 3 buckets instead of 2495", false },
        { "has no histogram", " speaks another version of the protocol: no histogram", false },
        { "has no window", " speaks another version of the protocol: a window of 0 s", false },
        { "is no client", " does not have the role of a client: Unimplemented: ", false },
    };

    [Theory]
    [MemberData(nameof(Faults))]
    public async Task A_client_that_fails_ends_the_run_with_a_sentence_that_names_it(string what, string sentence, bool isMeasured)
    {
        // the window is an hour where the run must not wait for its end
        var inWindow = what is "dies in the window" or "breaks in the window" or "answers twice";
        await using var server = await new FakeWorker().StartAsync();
        await using var good = await new FakeWorker().StartAsync();
        await using var bad = await new FakeWorker
        {
            // 0 is the setup, 1 the first mark, 2 the start; then progress, if it is asked for
            Client = (number, answer) => (what, number) switch
            {
                ("hangs at the setup", 0) or ("hangs at the start", 2) or ("hangs at the end", 3) => answer.HangAsync(),
                ("dies in the window", 5) or ("dies at the end", 3) => answer.DieAsync(),
                ("breaks in the window", 5) => throw new EndOfStreamException(),
                ("refuses", 0) => throw new RpcException(new(StatusCode.InvalidArgument, "no such thing")),
                ("is busy", 0) => throw new RpcException(new(StatusCode.ResourceExhausted, "busy")),
                ("is no client", 0) => throw new RpcException(new(StatusCode.Unimplemented, "")),
                ("answers twice", 4) => TwiceAsync(answer),
                ("has no stats", 1) => answer.WriteAsync(new()),
                ("has other buckets", 1) => answer.WriteAsync(
                    new() { Stats = new() { TimeElapsed = 1, Latencies = new() { Bucket = { 1, 2, 3 }, Count = 6 } } }),
                ("has no histogram", 1) => answer.WriteAsync(new() { Stats = new() { TimeElapsed = 1 } }),
                ("has no window", 1) => answer.WriteAsync(FakeWorker.Calls(0, elapsed: 0)),
                _ => answer.WriteAsync(FakeWorker.Calls(100)),
            },
            End = answer => what switch
            {
                "hangs after the end" => answer.HangAsync(),
                "answers after the end" => answer.WriteAsync(FakeWorker.Calls(1)),
                _ => Task.CompletedTask,
            },
        }.StartAsync();
        var scenario = NewScenario(2, inWindow ? 3600 : 1);
        if (!isMeasured)
        {
            var failure = await Assert.ThrowsAnyAsync<RunException>(() => RunAsync(scenario, null, server, good, bad));
            Assert.StartsWith($"made up: worker {bad.Address}{sentence}", failure.Message, StringComparison.Ordinal);
            Assert.Equal(ExitCode.Failed, failure.ExitCode);
            return;
        }

        using var run = await RunAsync(scenario, inWindow ? often : null, server, good, bad);
        Assert.StartsWith($"worker {bad.Address}{sentence}", run.Faults[0], StringComparison.Ordinal);
        Assert.Single(run.Faults);
        // the other one has its figures, and this one those of its last answer
        Assert.Equal([true, false], run.ToMessage().ClientSuccess);
        Assert.Equal(100, run.Clients[0].Latencies!.Count);
        if (inWindow || what.EndsWith("after the end", StringComparison.Ordinal))
            Assert.Equal(100, run.Clients[1].Latencies!.Count);
        using var output = new StringWriter();
        Assert.Equal(ExitCode.Invalid, DriveResult.Print(output, run));
        Assert.Contains($"  INVALID worker {bad.Address}{sentence}", output.ToString(), StringComparison.Ordinal);
        Assert.True(DriveResult.ToLoadResult(run, "").Partial);

        static async Task TwiceAsync(Answer<ClientStatus> answer)
        {
            await answer.WriteAsync(FakeWorker.Calls(100));
            await answer.WriteAsync(FakeWorker.Calls(100));
        }
    }

    /// <summary>The window is an hour, and nobody asks for progress: the end of the stream is what the driver sees.</summary>
    [Fact]
    public async Task A_client_that_dies_in_the_window_ends_the_run_at_once_and_without_progress()
    {
        await using var server = await new FakeWorker().StartAsync();
        await using var good = await new FakeWorker().StartAsync();
        await using var bad = await new FakeWorker
        {
            Client = async (number, answer) =>
            {
                await answer.WriteAsync(FakeWorker.Calls(100));
                if (number == 2)
                    throw new RpcException(new(StatusCode.Aborted, "gone"));
            },
        }.StartAsync();
        using var run = await RunAsync(NewScenario(2, 3600), null, server, good, bad);
        Assert.StartsWith($"worker {bad.Address} was lost at the window: Aborted: gone", run.Faults.Single(), StringComparison.Ordinal);
        Assert.Equal(100, run.Total);
        Assert.Contains($"client {bad.Address} has no figures of the window", run.Checks());
    }

    [Fact]
    public async Task A_server_that_fails_ends_the_run_and_the_clients_keep_their_figures()
    {
        await using var server = await new FakeWorker
        {
            Server = (number, answer) => number == 2 ? answer.DieAsync() : answer.WriteAsync(FakeWorker.Listening()),
        }.StartAsync();
        await using var client = await new FakeWorker().StartAsync();
        using var run = await RunAsync(NewScenario(1), null, server, client);
        Assert.StartsWith($"worker {server.Address} was lost at the last mark: ", run.Faults.Single(), StringComparison.Ordinal);
        Assert.Equal(100, run.Total);
        Assert.Equal([true], run.ToMessage().ClientSuccess);
        Assert.Equal([false], run.ToMessage().ServerSuccess);
    }

    [Fact]
    public async Task A_server_without_a_port_speaks_another_version()
    {
        await using var server = await new FakeWorker { Server = (_, answer) => answer.WriteAsync(new()) }.StartAsync();
        await using var client = await new FakeWorker().StartAsync();
        var failure = await Assert.ThrowsAnyAsync<RunException>(() => RunAsync(NewScenario(1), null, server, client));
        Assert.Equal($"made up: worker {server.Address} speaks another version of the protocol: its server has port 0", failure.Message);
    }

    [Fact]
    public async Task A_worker_that_answers_the_start_late_makes_the_run_invalid()
    {
        await using var server = await new FakeWorker().StartAsync();
        await using var good = await new FakeWorker().StartAsync();
        await using var late = await new FakeWorker
        {
            Client = (number, answer) => number == 2
                ? answer.LateAsync(TimeSpan.FromMilliseconds(300), FakeWorker.Calls(1)) : answer.WriteAsync(FakeWorker.Calls(100)),
        }.StartAsync();
        using var run = await RunAsync(NewScenario(2), null, server, good, late);
        Assert.Empty(run.Faults);
        Assert.Contains(run.Checks(), reason =>
            reason.StartsWith($"client {late.Address} answered the mark that starts the window after ", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(100, 1.0, 1.96, " was the limit: it used 98 % of its 2 processors (at most 90 %)")]
    [InlineData(20, 1.0, 0.1, " was the limit: it made 17 % of the calls with 50 % of the channels")]
    [InlineData(100, 0.5, 0.1, "the window of client ")]
    public async Task A_client_that_was_the_limit_makes_the_run_invalid(int calls, double elapsed, double cpu, string sentence)
    {
        await using var server = await new FakeWorker().StartAsync();
        await using var good = await new FakeWorker().StartAsync();
        var status = FakeWorker.Calls(calls, elapsed, cpu);
        await using var slow = await new FakeWorker { Client = (_, answer) => answer.WriteAsync(status) }.StartAsync();
        using var run = await RunAsync(NewScenario(2), null, server, good, slow);
        var reason = Assert.Single(run.Checks(), reason => !reason.Contains("answered the mark", StringComparison.Ordinal));
        Assert.Contains(sentence, reason, StringComparison.Ordinal);
        Assert.Contains(slow.Address, reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Failed_calls_and_a_load_that_was_not_reached_make_the_run_invalid()
    {
        await using var server = await new FakeWorker().StartAsync();
        var status = FakeWorker.Calls(100);
        status.Stats.RequestResults.Add(new RequestResultCount { StatusCode = 14, Count = 3 });
        await using var client = await new FakeWorker { Client = (_, answer) => answer.WriteAsync(status) }.StartAsync();
        var scenario = NewScenario(1);
        scenario.ClientConfig.LoadParams = new() { Poisson = new() { OfferedLoad = 200 } };
        using var run = await RunAsync(scenario, null, server, client);
        Assert.Contains("3 of 103 calls failed (Unavailable); the percentiles contain only those that succeeded", run.Checks());
        Assert.Contains("100 of 200 calls a second succeeded (at least 95 %)", run.Checks());
        var result = DriveResult.ToLoadResult(run, "");
        Assert.Equal(("open", "poisson", 200.0), (result.Settings.Loop, result.Settings.Arrivals, result.Settings.RatePerSecond));
        Assert.Equal(3, result.Variants[0].Rounds[0].FailedByStatus["Unavailable"]);
    }

    [Fact]
    public async Task What_is_no_worker_or_is_not_there_is_named()
    {
        await using var other = await GrpcDotnetServer.StartAsync(new(), []);
        var address = $"127.0.0.1:{other.Endpoint.Port}";
        await using var client = await new FakeWorker().StartAsync();
        var none = await Assert.ThrowsAnyAsync<RunException>(() => RunAsync(NewScenario(1), null, address, client.Address));
        Assert.Equal($"made up: worker {address} is none: it does not implement grpc.testing.WorkerService", none.Message);
        var absent = await Assert.ThrowsAnyAsync<RunException>(() => RunAsync(NewScenario(1), null, "127.0.0.1:1", client.Address));
        Assert.StartsWith("made up: worker 127.0.0.1:1 does not answer within 3 s: ", absent.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_hundred_clients_are_asked_at_once_and_merged()
    {
        const int clients = 100;
        await using var server = await new FakeWorker().StartAsync();
        // as many connections as clients, and one process that answers them
        var status = FakeWorker.Calls(1000);
        await using var all = await new FakeWorker { Client = (_, answer) => answer.WriteAsync(status) }.StartAsync();
        var began = Stopwatch.GetTimestamp();
        using var run = await RunAsync(NewScenario(clients), null, [server.Address, .. Enumerable.Repeat(all.Address, clients)]);
        var elapsed = Stopwatch.GetElapsedTime(began);
        began = Stopwatch.GetTimestamp();
        var merged = run.Merge();
        var merging = Stopwatch.GetElapsedTime(began);
        Assert.Empty(run.Faults);
        Assert.Equal(clients * 1000, merged.Count);
        Assert.Equal(clients * 1000u, merged.Buckets[1388]);
        TestContext.Current.TestOutputHelper!.WriteLine($"{clients} clients: {elapsed.TotalMilliseconds - 1000:0} ms beside the window, the last started after "
            + $"{run.Clients.Max(client => client.StartDelay).TotalMilliseconds:0.0} ms, merged in {merging.TotalMilliseconds:0.00} ms, "
            + $"{status.CalculateSize()} bytes a status");
    }

    [Fact]
    public async Task A_run_that_is_stopped_keeps_what_was_measured()
    {
        using var stop = new CancellationTokenSource();
        await using var server = await new FakeWorker().StartAsync();
        await using var client = await new FakeWorker
        {
            Client = async (number, answer) =>
            {
                await answer.WriteAsync(FakeWorker.Calls(100));
                if (number == 4)
                    await stop.CancelAsync();
            },
        }.StartAsync();
        await using var connections = new Connections([server.Address, client.Address]);
        using var run = await new Drive(connections.All, often, TextWriter.Null).RunAsync(NewScenario(1, 3600), stop.Token)
            .WaitAsync(TheProgram.Limit);
        Assert.Equal(["the run was stopped"], run.Faults);
        Assert.Equal(100, run.Total);
        Assert.Equal([true], run.ToMessage().ClientSuccess);
    }

    static Task<ScenarioRun> RunAsync(Scenario scenario, TimeSpan? every, params FakeWorker[] workers) =>
        RunAsync(scenario, every, [.. workers.Select(worker => worker.Address)]);

    static async Task<ScenarioRun> RunAsync(Scenario scenario, TimeSpan? every, params string[] workers)
    {
        await using var connections = new Connections(workers);
        return await new Drive(connections.All, every, TextWriter.Null).RunAsync(scenario, TestContext.Current.CancellationToken)
            .WaitAsync(TheProgram.Limit);
    }

    sealed class Connections(string[] workers) : IAsyncDisposable
    {
        public IReadOnlyList<WorkerConnection> All { get; } = [.. workers.Select(worker => new WorkerConnection(worker, patience))];

        public async ValueTask DisposeAsync()
        {
            foreach (var connection in All)
                await connection.DisposeAsync();
        }
    }
}

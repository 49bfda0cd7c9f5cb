using System.Diagnostics;
using System.Text.Json;
using System.Text.Json.Nodes;
using Google.Protobuf;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>Runs scenarios on workers, as qps_json_driver does.</summary>
sealed class Drive(IReadOnlyList<WorkerConnection> workers, TimeSpan? every, TextWriter progress)
{
    static readonly ClientArgs clientReset = new() { Mark = new() { Reset = true } };
    static readonly ClientArgs clientLook = new() { Mark = new() };
    static readonly ServerArgs serverReset = new() { Mark = new() { Reset = true } };

    public static IReadOnlyList<Scenario> Read(string file)
    {
        try
        {
            var json = JsonNode.Parse(File.ReadAllText(file), documentOptions: new() { CommentHandling = JsonCommentHandling.Skip });
            // the samples of grpc/test-infra have one object instead of a list
            if (json is JsonObject root && root["scenarios"] is JsonObject only)
                root["scenarios"] = new JsonArray(only.DeepClone());
            var scenarios = new JsonParser(JsonParser.Settings.Default.WithIgnoreUnknownFields(true))
                .Parse<Scenarios>(json?.ToJsonString() ?? "").Scenarios_;
            return scenarios.Count > 0 ? scenarios : throw new FormatException("it has no scenario");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException or InvalidProtocolBufferException
            or FormatException or InvalidOperationException)
        {
            throw new UsageException($"{file}: {e.Message}", e);
        }
    }

    /// <summary>If a worker fails or the user stops the run, it ends in bounded time, with all that was measured.</summary>
    public async Task<ScenarioRun> RunAsync(Scenario scenario, CancellationToken cancellationToken)
    {
        var (serverCount, clientCount) = (scenario.NumServers, scenario.NumClients);
        if (scenario.ClientConfig is null || scenario.ServerConfig is null || serverCount < 1 || scenario.BenchmarkSeconds < 1
            || scenario.WarmupSeconds < 0)
            throw new UsageException($"{scenario.Name}: a scenario has client_config, server_config, num_servers and benchmark_seconds");
        if (clientCount <= 0)
            clientCount = workers.Count - serverCount;
        if (clientCount < 1 || serverCount + clientCount > workers.Count)
            throw new UsageException(
                $"{scenario.Name}: {serverCount} servers and {Math.Max(1, clientCount)} clients need more than {workers.Count} workers");
        if (scenario.ClientConfig.ClientChannels < clientCount)
            throw new UsageException(
                $"{scenario.Name}: {scenario.ClientConfig.ClientChannels} channels cannot be divided among {clientCount} clients");

        await progress.WriteLineAsync($"{scenario.Name}: {serverCount} servers and {clientCount} clients, {scenario.WarmupSeconds} s of warm-up and {scenario.BenchmarkSeconds} s");
        var run = new ScenarioRun(scenario, workers.Take(serverCount), workers.Skip(serverCount).Take(clientCount));
        try
        {
            await SetUpAsync(run, cancellationToken);
            await MeasureAsync(run, cancellationToken);
        }
        catch (Exception e) when (e is WorkerFault or OperationCanceledException)
        {
            run.Fail(e as WorkerFault);
            if (!run.IsMeasuring)
            {
                run.Dispose();
                throw new RunException(e is WorkerFault ? ExitCode.Failed : ExitCode.Stopped, $"{scenario.Name}: {run.Faults[0]}", e);
            }
        }

        run.Over();
        await EndAsync(run);
        return run;
    }

    static async Task SetUpAsync(ScenarioRun run, CancellationToken cancellationToken)
    {
        await Task.WhenAll(run.Workers.Select(worker => worker.ConnectAsync(cancellationToken)));
        var config = run.Scenario.ClientConfig.Clone();
        config.ServerTargets.Add(await Task.WhenAll(run.Servers.Select(server => server.SetUpAsync(run.Scenario.ServerConfig))));
        var (each, more) = Math.DivRem(config.ClientChannels, run.Clients.Count);
        await Task.WhenAll(run.Clients.Select((client, i) => client.SetUpAsync(config, i < run.Clients.Count - more ? each : each + 1)));
        await Task.WhenAll(run.Clients.Select(client => client.LookAsync(clientReset, "the first mark")));
    }

    async Task MeasureAsync(ScenarioRun run, CancellationToken cancellationToken)
    {
        await WaitAsync(run, TimeSpan.FromSeconds(run.Scenario.WarmupSeconds), "warm-up", cancellationToken);
        // all marks are sent before the answers are awaited, so that no worker waits for another
        var servers = run.Servers.Select(server => server.LookAsync(serverReset, "the mark that starts the window")).ToList();
        await Task.WhenAll(run.Clients.Select(client => client.StartAsync(clientReset)).Concat(servers));
        run.Began();
        await WaitAsync(run, TimeSpan.FromSeconds(run.Scenario.BenchmarkSeconds), "window", cancellationToken);
    }

    /// <summary>Waits and prints progress. Throws as soon as a worker fails.</summary>
    async Task WaitAsync(ScenarioRun run, TimeSpan length, string phase, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        using var over = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var lost = run.LostAsync();
        try
        {
            while (length - Stopwatch.GetElapsedTime(began) is var left && left > TimeSpan.Zero)
            {
                var step = every < left ? every.Value : left;
                if (await Task.WhenAny(Task.Delay(step, over.Token), lost) == lost)
                    throw await lost;
                cancellationToken.ThrowIfCancellationRequested();
                if (step == left)
                    return;
                await Task.WhenAll(run.Clients.Select(client => client.LookAsync(clientLook, "a mark for progress")));
                await progress.WriteLineAsync(run.Progress(phase, Stopwatch.GetElapsedTime(began), length));
            }
        }
        finally
        {
            await over.CancelAsync();
        }
    }

    /// <summary>Sends the last marks and ends the streams. The others are also ended if a worker fails here.</summary>
    static async Task EndAsync(ScenarioRun run)
    {
        var servers = run.Servers.Select(server => TryAsync(run, server, () => server.LookAsync(serverReset, "the last mark"))).ToList();
        await Task.WhenAll(
            run.Clients.Select(client => TryAsync(run, client, () => client.LookAsync(clientReset, "the last mark"))).Concat(servers));
        var clients = Task.WhenAll(run.Clients.Select(client => TryAsync(run, client, client.EndAsync)));
        // Calls in progress should end before their server does. A stream that only the server writes may end with the server.
        if (run.Scenario.ClientConfig.RpcType != RpcType.StreamingFromServer)
            await clients;
        await Task.WhenAll(run.Servers.Select(server => TryAsync(run, server, server.EndAsync)).Append(clients));
    }

    static async Task TryAsync(ScenarioRun run, DrivenWorker role, Func<Task> step)
    {
        // a worker that has failed is not awaited again
        if (role.HasEnded || run.HasFailed(role.Worker))
            return;
        try
        {
            await step();
        }
        catch (WorkerFault e)
        {
            run.Fail(e);
        }
    }
}

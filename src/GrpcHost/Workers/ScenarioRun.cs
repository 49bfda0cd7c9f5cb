using Grpc.Core;
using ProtoBench.GrpcHost.Protocol;

namespace ProtoBench.GrpcHost;

/// <summary>A scenario in progress, and after its end its result.</summary>
sealed class ScenarioRun(Scenario scenario, IEnumerable<WorkerConnection> servers, IEnumerable<WorkerConnection> clients) : IDisposable
{
    // as a share of the length of the window
    const double lateAtMost = 0.05;
    const double busyAtMost = 0.90;
    const double shareAtLeast = 0.5;
    const double achievedAtLeast = 0.95;

    readonly List<string> faults = [];
    readonly HashSet<string> failed = [];
    DateTimeOffset end;

    public Scenario Scenario => scenario;

    public IReadOnlyList<DrivenServer> Servers { get; } = [.. servers.Select(worker => new DrivenServer(worker))];

    public IReadOnlyList<DrivenClient> Clients { get; } =
        [.. clients.Select(worker => new DrivenClient(worker, scenario.ClientConfig.HistogramParams))];

    public IEnumerable<WorkerConnection> Workers => Roles.Select(role => role.Worker);

    /// <summary>The start of the window; null before.</summary>
    public DateTimeOffset? Start { get; private set; }

    public bool IsMeasuring => Start is not null;

    /// <summary>The failures that ended the run early or happened at its end, one sentence each.</summary>
    public IReadOnlyList<string> Faults => faults;

    public IReadOnlyList<DrivenClient> Measured => [.. Clients.Where(client => client.Stats is not null)];

    public static long Succeeded(DrivenClient client) => (long)client.Latencies!.Count;

    public long Total => Measured.Sum(Succeeded);

    /// <summary>The calls per second. Each client's rate is by its own clock, so that clocks need not agree.</summary>
    public double Qps => Measured.Sum(client => Succeeded(client) / client.Stats!.TimeElapsed);

    public IReadOnlyDictionary<int, long> Failed => Results().Where(result => result.Key != 0).ToDictionary();

    IEnumerable<DrivenWorker> Roles => [.. Servers, .. Clients];

    /// <summary>Sets the start of the window, when all workers have begun.</summary>
    public void Began()
    {
        Start = DateTimeOffset.Now;
        foreach (var role in Roles)
            role.Forget();
    }

    /// <summary>Adds the fault of a worker; null if the user stopped the run.</summary>
    public void Fail(WorkerFault? fault)
    {
        lock (faults)
        {
            faults.Add(fault?.Message ?? "the run was stopped");
            if (fault is { Worker: { } worker })
                failed.Add(worker);
        }
    }

    public bool HasFailed(WorkerConnection worker)
    {
        lock (faults)
            return failed.Contains(worker.Address);
    }

    public async Task<WorkerFault> LostAsync()
    {
        var ended = await Task.WhenAny(Roles.Select(role => role.Ended));
        return await Roles.First(role => role.Ended == ended).FaultAsync(IsMeasuring ? "the window" : "the warm-up");
    }

    public QpsHistogram Merge()
    {
        var all = QpsHistogram.Of(Scenario.ClientConfig.HistogramParams);
        foreach (var client in Measured)
            all.Add(client.Latencies!);
        return all;
    }

    public string Progress(string phase, TimeSpan now, TimeSpan length)
    {
        var shares = Measured.Where(_ => Total > 0).Select(client => (client, Share: (double)Succeeded(client) / Total)).ToList();
        var least = shares.Count > 1 ? shares.MinBy(one => one.Share) : default;
        return $"{Scenario.Name}: {phase}, {now.TotalSeconds:0} of {length.TotalSeconds:0} s, {Qps:0} calls/s, p99 {Merge().Percentile(99) / 1e3:0} μs{(least.client is null ? "" : $", least of {least.client.Worker.Address}: {least.Share:P0}")}";
    }

    public IReadOnlyList<string> Checks()
    {
        List<string> reasons = [.. faults];
        var length = Scenario.BenchmarkSeconds;
        if (Total == 0)
            reasons.Add("no call succeeded");
        foreach (var client in Clients.Where(client => client.Stats is null))
            reasons.Add($"client {client.Worker.Address} has no figures of the window");
        foreach (var client in Measured)
        {
            var (address, stats) = (client.Worker.Address, client.Stats!);
            if (client.StartDelay.TotalSeconds > lateAtMost * length)
                reasons.Add($"client {address} answered the mark that starts the window after {client.StartDelay.TotalSeconds:0.###} s (at most {lateAtMost:P0} of the window)");
            if (faults.Count == 0 && Math.Abs(stats.TimeElapsed - length) > lateAtMost * length)
                reasons.Add($"the window of client {address} was {stats.TimeElapsed:0.###} s instead of {length} s");
            var busy = (stats.TimeUser + stats.TimeSystem) / stats.TimeElapsed / Math.Max(1, client.Worker.Cores);
            if (busy > busyAtMost)
                reasons.Add($"client {address} was the limit: it used {busy:P0} of its {client.Worker.Cores} processors (at most {busyAtMost:P0})");
            var due = (double)client.Channels / Measured.Sum(one => one.Channels);
            if (Measured.Count > 1 && Total > 0 && Succeeded(client) < shareAtLeast * due * Total)
                reasons.Add($"client {address} was the limit: it made {(double)Succeeded(client) / Total:P0} of the calls with {due:P0} of the channels");
        }

        var failed = Failed.Values.Sum();
        if (failed > 0)
            reasons.Add(RunChecks.CallsFailed(failed, Total + failed, Failed.Keys.Select(status => ((StatusCode)status).ToString())));
        if (Offered is { } offered && Qps < achievedAtLeast * offered)
            reasons.Add($"{Qps:0} of {offered:0} calls a second succeeded (at least {achievedAtLeast:P0})");
        return reasons;
    }

    public IReadOnlyList<string> Notes()
    {
        List<string> notes = [];
        foreach (var client in Measured)
            notes.Add($"client {client.Worker.Address}: {Succeeded(client)} calls, {(Total == 0 ? 0 : (double)Succeeded(client) / Total):P1} of all, {(client.Stats!.TimeUser + client.Stats.TimeSystem) / client.Stats.TimeElapsed:0.00} of {client.Worker.Cores} processors, start after {client.StartDelay.TotalMilliseconds:0.0} ms");
        foreach (var server in Servers.Where(server => server.Stats is not null))
        {
            var counted = WorkerMetrics.Read(server.Stats!.CoreStats, WorkerMetrics.ServerCalls);
            notes.Add($"server {server.Worker.Address}: {(server.Stats.TimeUser + server.Stats.TimeSystem) / server.Stats.TimeElapsed:0.00} of {server.Cores} processors{(counted is null ? "" : $", {counted} calls counted")}");
        }

        var hosts = Servers.Select(server => server.Worker.Host).ToHashSet();
        if (Clients.Select(client => client.Worker.Host).FirstOrDefault(hosts.Contains) is { } host)
            notes.Add($"a server and a client are both on {host}: they may share processors");
        if (Offered is not null)
            notes.Add("latency counts from the time at which a call was due where the client is a worker of this project; "
                + "that of grpc-dotnet counts from the send");
        return notes;
    }

    /// <summary>The requested calls per second of all clients together; null for the closed loop.</summary>
    public double? Offered => Scenario.ClientConfig.LoadParams?.Poisson is { } poisson ? poisson.OfferedLoad * Clients.Count : null;

    public ScenarioResult ToMessage()
    {
        var latencies = Merge();
        var (servers, measured) = (Servers.Where(server => server.Stats is not null).ToList(), Measured);
        var result = new ScenarioResult { Scenario = Scenario, Latencies = latencies.ToMessage() };
        result.ClientStats.AddRange(measured.Select(client => client.Stats));
        result.ServerStats.AddRange(servers.Select(server => server.Stats));
        result.ServerCores.AddRange(servers.Select(server => server.Cores));
        result.ClientSuccess.AddRange(Clients.Select(client => client.Success));
        result.ServerSuccess.AddRange(Servers.Select(server => server.Success));
        var results = Results();
        foreach (var (status, count) in results)
            result.RequestResults.Add(new RequestResultCount { StatusCode = status, Count = count });

        var seconds = measured.Count == 0 ? 1 : measured.Average(client => client.Stats!.TimeElapsed);
        var serverCpu = servers.Sum(server => server.Stats!.TimeUser + server.Stats.TimeSystem);
        var clientCpu = measured.Sum(client => client.Stats!.TimeUser + client.Stats.TimeSystem);
        var ticks = servers.Sum(server => (double)server.Stats!.TotalCpuTime);
        result.Summary = new()
        {
            Qps = Qps,
            QpsPerServerCore = Ratio(Qps, servers.Sum(server => server.Cores)),
            ServerSystemTime = 100 * servers.Sum(server => Ratio(server.Stats!.TimeSystem, server.Stats.TimeElapsed)),
            ServerUserTime = 100 * servers.Sum(server => Ratio(server.Stats!.TimeUser, server.Stats.TimeElapsed)),
            ClientSystemTime = 100 * measured.Sum(client => client.Stats!.TimeSystem / client.Stats.TimeElapsed),
            ClientUserTime = 100 * measured.Sum(client => client.Stats!.TimeUser / client.Stats.TimeElapsed),
            Latency50 = latencies.Percentile(50),
            Latency90 = latencies.Percentile(90),
            Latency95 = latencies.Percentile(95),
            Latency99 = latencies.Percentile(99),
            Latency999 = latencies.Percentile(99.9),
            ServerCpuUsage = ticks == 0 ? 0 : 100 - (100 * servers.Sum(server => (double)server.Stats!.IdleCpuTime) / ticks),
            SuccessfulRequestsPerSecond = results.GetValueOrDefault(0) / seconds,
            FailedRequestsPerSecond = Failed.Values.Sum() / seconds,
            ClientPollsPerRequest = Ratio(measured.Sum(client => (double)client.Stats!.CqPollCount), latencies.Count),
            ServerPollsPerRequest = Ratio(servers.Sum(server => (double)server.Stats!.CqPollCount), latencies.Count),
            ServerQueriesPerCpuSec = Ratio(latencies.Count, serverCpu),
            ClientQueriesPerCpuSec = Ratio(latencies.Count, clientCpu),
            StartTime = Google.Protobuf.WellKnownTypes.Timestamp.FromDateTimeOffset(Start!.Value),
            EndTime = Google.Protobuf.WellKnownTypes.Timestamp.FromDateTimeOffset(end == default ? DateTimeOffset.Now : end),
        };
        return result;
    }

    public void Over() => end = DateTimeOffset.Now;

    public void Dispose()
    {
        foreach (var role in Roles)
            role.Dispose();
    }

    static double Ratio(double a, double b) => b == 0 ? 0 : a / b;

    SortedDictionary<int, long> Results() => new(Measured.SelectMany(client => client.Stats!.RequestResults)
        .GroupBy(result => result.StatusCode).ToDictionary(group => group.Key, group => group.Sum(result => result.Count)));
}

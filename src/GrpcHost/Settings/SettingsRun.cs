using Grpc.Core;

namespace ProtoBench.GrpcHost;

/// <param name="Settings">The first is the default.</param>
/// <param name="Milliseconds">The length of a load; null if <paramref name="Calls"/> ends it.</param>
/// <param name="WarmupMs">The minimum warm-up of each process.</param>
sealed record SettingsPlan(
    IReadOnlyList<Setting> Settings, IReadOnlyList<SettingsLoad> Loads, int Rounds, double? Milliseconds, long? Calls, double WarmupMs,
    string CommandLine);

/// <summary>A round starts a few settings and the default, and applies each load to all of them in turn: the figures of a ratio are seconds
/// apart, and each round has new processes with other addresses of code and memory.</summary>
sealed class SettingsRun(SettingsPlan plan, TextWriter output)
{
    // in addition to the default; twelve or more processes at a time would need gigabytes
    const int settingsAtATime = 5;
    const int warmCallers = 8;
    const double shortWarmupMs = 200;

    // longer than any load: calls are cancelled 20 s after its end
    static readonly TimeSpan patience = TimeSpan.FromMinutes(2);
    static readonly TimeSpan drain = TimeSpan.FromSeconds(20);

    readonly DateTimeOffset began = DateTimeOffset.Now;

    public async Task<SettingsResult> RunAsync(CancellationToken stop)
    {
        var cells = plan.Settings
            .SelectMany(setting => plan.Loads.Where(setting.Carries).Select(load => new SettingsCell(setting.Name, load)))
            .ToDictionary(cell => (cell.Setting, cell.Load));
        Setting[][] groups = [.. plan.Settings.Skip(1).Chunk(settingsAtATime).DefaultIfEmpty([])];
        for (var round = 0; round < plan.Rounds; round++)
        {
            for (var group = 0; group < groups.Length; group++)
            {
                var first = DateTimeOffset.Now;
                Setting[] order = [plan.Settings[0], .. groups[group]];
                if (round % 2 != 0)
                    Array.Reverse(order);
                var name = $"round {round + 1} of {plan.Rounds}, settings {group + 1} of {groups.Length}";
                Dictionary<(string Setting, SettingsLoad Load), LoadOutcome> answers;
                try
                {
                    answers = await Progress.ShowAsync(name, started => MeasureAsync(order, started, stop));
                }
                catch (OperationCanceledException) when (stop.IsCancellationRequested)
                {
                    return Result(isPartial: true);
                }

                foreach (var (key, answer) in answers)
                    cells[key].Add(answer, key.Setting == Setting.Default ? null : answers[(Setting.Default, key.Load)]);
                await output.WriteLineAsync($"{name} ({string.Join(", ", groups[group].Select(setting => setting.Name))}): {(DateTimeOffset.Now - first).TotalSeconds:F0} s");
            }
        }

        return Result(isPartial: false);

        SettingsResult Result(bool isPartial) =>
            SettingsResult.Here(began, plan.CommandLine, plan.Settings, [.. cells.Values], isPartial);
    }

    async Task<Dictionary<(string Setting, SettingsLoad Load), LoadOutcome>> MeasureAsync(IReadOnlyList<Setting> order,
        Action<Func<string>> started, CancellationToken stop)
    {
        Dictionary<(string Setting, SettingsLoad Load), LoadOutcome> answers = [];
        var all = order.Sum(setting => plan.Loads.Count(setting.Carries));
        started(() => $"{answers.Count} of {all} loads");
        List<Side> sides = [];
        try
        {
            foreach (var setting in order)
            {
                sides.Add(new(setting, [.. plan.Loads.Where(setting.Carries)]));
                await sides[^1].StartAsync(plan.WarmupMs, stop);
            }

            // after all code is warm, because the JIT continues in the background
            foreach (var side in sides)
                await side.WarmConnectionsAsync(Math.Min(plan.WarmupMs, shortWarmupMs), stop);

            foreach (var load in plan.Loads)
            {
                foreach (var side in sides.Where(side => side.Setting.Carries(load)))
                    answers.Add((side.Setting.Name, load), await side.MeasureAsync(load, plan, stop));
            }

            return answers;
        }
        finally
        {
            foreach (var side in sides)
                await side.DisposeAsync();
        }
    }

    /// <summary>A host for each codec, a client, and the proxies between them, which are in this process.</summary>
    sealed class Side(Setting setting, IReadOnlyList<SettingsLoad> loads) : IAsyncDisposable
    {
        readonly Dictionary<string, ChildProcess> hosts = [];
        readonly Dictionary<(string Codec, double DelayMs), DelayProxy> proxies = [];
        readonly Dictionary<SettingsLoad, LoadSession> sessions = [];
        readonly SettingOptions options = new(setting);
        ClientProcess? client;
        string? failure;

        public Setting Setting => setting;

        public async Task StartAsync(double warmupMs, CancellationToken stop)
        {
            try
            {
                foreach (var codec in loads.Select(load => load.Codec).Distinct())
                    hosts[codec] = await ChildProcess.StartHostAsync(options.OfHost(codec), options.HostEnvironment, options.HostCores);
                client = await ClientProcess.StartAsync(options.OfClient, options.ClientEnvironment, patience);
            }
            catch (RunException e)
            {
                failure = e.Message;
                return;
            }

            foreach (var (codec, delayMs) in loads.Select(load => (load.Codec, load.DelayMs)).Where(load => load.DelayMs > 0).Distinct())
                proxies[(codec, delayMs)] = new(hosts[codec].Endpoint, TimeSpan.FromMilliseconds(delayMs));
            foreach (var load in loads.DistinctBy(load => load.Codec).Where(_ => warmupMs > 0))
                await AskAsync(load with { Callers = warmCallers }, warmupMs, null, stop);
        }

        /// <summary>Uses every connection, so that its windows grow.</summary>
        public async Task WarmConnectionsAsync(double milliseconds, CancellationToken stop)
        {
            foreach (var load in loads.DistinctBy(load => load with { Callers = warmCallers }).Where(_ => milliseconds > 0))
                await AskAsync(load with { Callers = warmCallers }, milliseconds, null, stop);
        }

        public Task<LoadOutcome> MeasureAsync(SettingsLoad load, SettingsPlan plan, CancellationToken stop) =>
            AskAsync(load, plan.Milliseconds, plan.Calls, stop);

        public async ValueTask DisposeAsync()
        {
            foreach (var session in sessions.Values)
                await session.DisposeAsync();
            if (client is not null)
                await client.DisposeAsync();
            foreach (var proxy in proxies.Values)
                proxy.Dispose();
            foreach (var host in hosts.Values)
                await host.DisposeAsync();
        }

        async Task<LoadOutcome> AskAsync(SettingsLoad load, double? milliseconds, long? calls, CancellationToken stop)
        {
            if (failure is not null)
                return new(null, failure);
            var plan = new LoadPlan
            {
                Payload = PayloadOf(load.Payload),
                Requests = calls,
                Duration = milliseconds is { } length ? TimeSpan.FromMilliseconds(length) : null,
                Concurrency = load.Callers,
                Connections = options.Connections,
                Timeout = TimeSpan.FromSeconds(60),
                Drain = drain,
            };
            try
            {
                var session = await SessionAsync(load with { Callers = 0 }, plan, stop);
                using var cancellation = new RunCancellation(stop);
                var answer = LoadOutcome.Of(await session.RunAsync(plan, cancellation, _ => { })) with
                {
                    Host = session.Description is { } host ? $"{host.Process.GcMode}, {host.Process.Cores} processor{(host.Process.Cores == 1 ? "" : "s")}" : null,
                };
                stop.ThrowIfCancellationRequested();
                return answer;
            }
            catch (Exception e) when (e is RunException or RpcException)
            {
                stop.ThrowIfCancellationRequested();
                if (client!.IsLost)
                    failure = e.Message;
                return new(null, e.Message);
            }
        }

        /// <summary>Returns the session of a codec, a payload and a delay, whose connections are kept.</summary>
        async Task<LoadSession> SessionAsync(SettingsLoad load, LoadPlan plan, CancellationToken stop)
        {
            if (sessions.TryGetValue(load, out var known))
                return known;
            var endpoint = load.DelayMs > 0 ? proxies[(load.Codec, load.DelayMs)].Endpoint : hosts[load.Codec].Endpoint;
            var session = new LoadSession(
                new HiveSubject(new(options.Stack, load.Codec, HiveServices.Roots[0]), endpoint, plan.Payload), plan, [client!]);
            try
            {
                await session.ConnectAsync(stop);
            }
            catch
            {
                await session.DisposeAsync();
                throw;
            }

            sessions.Add(load, session);
            return session;
        }
    }

    public static HivePayload PayloadOf(string name) => name == "hive" ? HivePayload.Hive(Payloads.Hive.Items) : HivePayload.Small(name);
}

sealed record Setting(string Name, params string[] Arguments)
{
    const string inlineCompletions = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS=1";
    const string socketThreads = "DOTNET_SYSTEM_NET_SOCKETS_THREAD_COUNT=2";

    /// <summary>The name of the row with which the others are compared.</summary>
    public const string Default = "default";

    /// <summary>The defaults of Kestrel, SocketsHttpHandler and grpc-dotnet, with the GC mode of an ASP.NET Core service.</summary>
    static readonly (string Option, string Value)[] byDefault =
        [("--stack", RpcTransports.All.Single(stack => stack.HasLibraryDefaults).Name), ("--host-gc", "datas"), ("--client-gc", "datas")];

    /// <summary>All settings. The first is the default.</summary>
    public static IReadOnlyList<Setting> All { get; } =
    [
        new(Default),
        new("server-window-2MB", "--server-window", "2MB"),
        new("server-window-8MB", "--server-window", "8MB"),
        new("client-window-fixed", "--fixed-window"),
        new("client-window-1MB", "--client-window", "1MB"),
        new("client-window-8MB", "--client-window", "8MB"),
        new("windows-8MB", "--server-window", "8MB", "--client-window", "8MB"),
        new("one-connection", "--multiple-connections", "off"),
        new("channels-2", "--connections", "2"),
        new("channels-4", "--connections", "4"),
        new("host-server-gc", "--host-gc", "server-concurrent"),
        new("host-server-gc-not-concurrent", "--host-gc", "server"),
        new("host-workstation-gc", "--host-gc", "workstation-concurrent"),
        new("host-workstation-gc-not-concurrent", "--host-gc", "workstation"),
        new("host-one-processor", "--host-cores", "1"),
        new("client-server-gc", "--client-gc", "server-concurrent"),
        new("client-workstation-gc", "--client-gc", "workstation-concurrent"),
        new("both-server-gc", "--host-gc", "server-concurrent", "--client-gc", "server-concurrent"),
        new("inline-completions", "--host-env", inlineCompletions),
        new("inline-scheduling", "--inline-scheduling"),
        new("inline-both", "--host-env", inlineCompletions, "--inline-scheduling"),
        new("client-inline-completions", "--client-env", inlineCompletions),
        new("io-queues-0", "--io-queues", "0"),
        new("io-queues-1", "--io-queues", "1"),
        new("socket-threads-2", "--host-env", socketThreads, "--client-env", socketThreads),
        new("unix-socket", "--uds"),
        new("duplex-stream", "--duplex"),
        new("gzip", "--compression", "gzip"),
        new("brotli", "--compression", "br"),
        new("retry-policy", "--retry-policy"),
    ];

    public IEnumerable<string> Options =>
    [
        .. byDefault.Where(option => !Arguments.Contains(option.Option))
            .SelectMany(option => (IEnumerable<string>)[option.Option, option.Value]),
        .. Arguments,
    ];

    /// <summary>Returns whether a load can run with it. Loads with a delay need TCP.</summary>
    public bool Carries(SettingsLoad load) => load.DelayMs == 0 || !Arguments.Contains("--uds");
}

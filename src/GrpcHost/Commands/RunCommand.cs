using System.CommandLine;

namespace ProtoBench.GrpcHost;

static class RunCommand
{
    public static Command Create()
    {
        var (host, load, tuning) = (new HostOptions(), new LoadOptions(), new TuningOptions());
        var unix = Sessions.UnixSocket();
        var command = new Command("run", "Starts a host for each variant, loads it, and reports QPS and latency.") { unix };
        foreach (var option in host.All.Concat(tuning.All).Concat(load.All))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var plan = load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute)) with
            {
                LeftOut = host.LeftOut(parsed),
                ComparesClient = true,
            };
            tuning.Check(parsed, host.Variants(parsed), plan.Client);
            if (await OwnEnvironment.RunAgainAsync(tuning.OfClientProcess(parsed)) is { } exitCode)
                return exitCode;
            await using var sessions = await Sessions.StartAsync(host, parsed, plan, plan.MostInFlight, parsed.GetValue(unix), tuning);
            return await new LoadRun(plan, sessions.All, Console.Out).RunAsync(cancellationToken);
        });
        return command;
    }
}

/// <summary>Represents <c>sweep</c>, which runs the open loop at 20 to 120 % of the measured peak.</summary>
static class SweepCommand
{
    static readonly TimeSpan defaultDuration = TimeSpan.FromSeconds(5);

    public static Command Create()
    {
        var (host, load) = (new HostOptions(), new LoadOptions());
        host.Codec.DefaultValueFactory = _ => ["slab"];
        load.HideUnusedBySweep(defaultDuration);
        host.Attribute.Hidden = true;
        host.Tls.Description += "; with --target, with the system's root certificates";
        var target = new TargetOptions(host.Tls);
        var unix = Sessions.UnixSocket();
        var command =
            new Command("sweep",
                "Finds the peak: the closed loop with more and more calls at a time, until its throughput stops growing. Then shows "
                    + "the latency of the open loop at 20 to 120 % of it. Of a host for each variant, or of any gRPC server (--target).") { unix };
        foreach (var option in host.All.Concat(load.All).Concat(target.All).Distinct())
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var isTarget = target.IsUsed(parsed);
            var plan = isTarget ? load.Plan(parsed, HivePayload.Empty(), attribute: false, EventLoopClient.Name)
                : load.Plan(parsed, host.PayloadOf(parsed), attribute: false) with { LeftOut = host.LeftOut(parsed) };
            if (plan.Rate is not null)
                throw new UsageException("sweep chooses the rates by itself: no --rate");
            if (plan.Files.Hdr is not null || plan.Files.Calls is not null || plan.Interleave || parsed.GetValue(host.Attribute))
                throw new UsageException("--calls, --hdr, --interleave and --attribute are for run and load, not for sweep");
            if (plan.FailIf.Count > 0)
                throw new UsageException("--fail-if: the rounds of a sweep have different loads; it is for run and load");
            if (load.HasCounts(parsed))
                throw new UsageException("sweep runs one round of --duration for each load: no --requests and --rounds");
            plan = plan with { Duration = plan.Duration ?? defaultDuration, Requests = null, Rounds = 1 };
            var sweep = new Sweep(plan, Console.Out);
            if (isTarget)
            {
                LoadCommand.Refuse(parsed, "--target", [host.Stack, host.Codec, host.Root, host.Items, host.Allocate, unix]);
                if (await target.ReadAsync(parsed, host.Payload, plan, Console.Out, cancellationToken) is not { } subject)
                    return ExitCode.Done;
                await using var session = new LoadSession(subject, plan);
                return await sweep.RunAsync([session], cancellationToken);
            }

            LoadCommand.Refuse(parsed, "a host", target.All.Except([host.Tls]));
            var mostInFlight = Math.Max(Sweep.MostCallers, plan.MaxInFlight);
            await using var sessions = await Sessions.StartAsync(host, parsed, plan, mostInFlight, parsed.GetValue(unix));
            return await sweep.RunAsync(sessions.All, cancellationToken);
        });
        return command;
    }
}

/// <summary>A host process and a load session for each variant. Hosts without load are idle.</summary>
sealed class Sessions : IAsyncDisposable
{
    readonly List<ChildProcess> hosts = [];
    readonly List<LoadSession> sessions = [];

    public IReadOnlyList<LoadSession> All => sessions;

    public static Option<bool> UnixSocket() => new("--uds") { Description = "over a Unix domain socket instead of TCP" };

    public static string[] Address(bool unixSocket) =>
        unixSocket ? ["--uds", Path.Combine(Path.GetTempPath(), $"protobench-{Guid.NewGuid():N}.sock")] : ["--port", "0"];

    public static async Task<Sessions> StartAsync(HostOptions options, ParseResult parsed, LoadPlan plan, int mostInFlight, bool unixSocket,
        TuningOptions? tuning = null)
    {
        var started = new Sessions();
        var perConnection = (mostInFlight + plan.Connections - 1) / plan.Connections;
        try
        {
            foreach (var variant in options.Variants(parsed))
            {
                var host = await ChildProcess.StartHostAsync(
                    [.. Address(unixSocket), .. options.ForHost(parsed, variant, perConnection), .. tuning?.ForHost(parsed) ?? []],
                    tuning?.OfHostProcess(parsed), tuning?.HostCores(parsed));
                started.hosts.Add(host);
                var subject = new HiveSubject(variant, host.Endpoint, plan.Payload)
                {
                    Limits = tuning is null ? null : new() { Tuning = tuning.Of(parsed) },
                    Duplex = tuning?.IsDuplex(parsed) ?? false,
                };
                started.sessions.Add(new(subject, plan));
            }

            return started;
        }
        catch
        {
            await started.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var session in sessions)
            await session.DisposeAsync();
        foreach (var host in hosts)
            await host.DisposeAsync();
    }
}

using System.CommandLine;
using ProtoBench.GrpcHost.Runs;

namespace ProtoBench.GrpcHost.Commands;

/// <summary><c>sweep</c>: the open loop at 20 to 120 % of the measured peak.</summary>
static class SweepCommand
{
    static readonly TimeSpan defaultDuration = TimeSpan.FromSeconds(5);

    public static Command Create()
    {
        var (host, load) = (new HostOptions(), new LoadOptions());
        host.Codec.DefaultValueFactory = _ => ["slab"];
        load.HideUnused(withRounds: false, withRate: true, defaultDuration);
        host.Attribute.Hidden = true;
        var unix = Sessions.UnixSocket();
        var command =
            new Command("sweep",
                "Finds the peak: the closed loop with more and more calls at a time, until its throughput stops growing. Then shows "
                    + "the latency of the open loop at 20 to 120 % of it.") { unix };
        foreach (var option in host.All.Concat(load.All))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var plan = load.Plan(parsed, host.PayloadOf(parsed), attribute: false) with { LeftOut = host.LeftOut(parsed) };
            if (plan.Rate is not null)
                throw new RunException(ExitCode.Usage, "sweep chooses the rates by itself: no --rate");
            if (plan.Hdr is not null || plan.Interleave || parsed.GetValue(host.Attribute))
                throw new RunException(ExitCode.Usage, "--hdr, --interleave and --attribute are for run and load, not for sweep");
            if (load.HasCounts(parsed))
                throw new RunException(ExitCode.Usage, "sweep runs one round of --duration for each load: no --requests and --rounds");
            await using var sessions = await Sessions.StartAsync(host, parsed, plan, parsed.GetValue(unix));
            return await new Sweep(plan with { Duration = plan.Duration ?? defaultDuration, Requests = null, Rounds = 1 },
                Console.Out).RunAsync(sessions.All, cancellationToken);
        });
        return command;
    }
}

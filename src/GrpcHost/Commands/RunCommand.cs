using System.CommandLine;
using ProtoBench.GrpcHost.Runs;

namespace ProtoBench.GrpcHost.Commands;

/// <summary><c>run</c>: a host in a process of its own for each variant, and the client here.</summary>
static class RunCommand
{
    public static Command Create()
    {
        var (host, load) = (new HostOptions(), new LoadOptions());
        var unix = Sessions.UnixSocket();
        var command = new Command("run", "Starts a host for each variant, loads it, and reports QPS and latency.") { unix };
        foreach (var option in host.All.Concat(load.All))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var plan = load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute)) with { LeftOut = host.LeftOut(parsed) };
            await using var sessions = await Sessions.StartAsync(host, parsed, plan, parsed.GetValue(unix));
            return await new LoadRun(plan, sessions.All, Console.Out).RunAsync(cancellationToken);
        });
        return command;
    }
}

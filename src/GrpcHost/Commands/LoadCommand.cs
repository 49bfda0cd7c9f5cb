using System.CommandLine;

namespace ProtoBench.GrpcHost.Commands;

/// <summary><c>load</c>: the client against a host that is there already, on this machine or another.</summary>
static class LoadCommand
{
    public static Command Create()
    {
        var host = new HostOptions();
        host.Codec.DefaultValueFactory = _ => [Hive.HiveCodecs.Names[0]];
        var load = new LoadOptions();
        var url = new Option<string[]>("--url") { Description = "the host: http://host:port, https://host:port or unix:path; one for each variant", AllowMultipleArgumentsPerToken = true, Required = true };
        var thumbprint = new Option<string?>("--thumbprint") { Description = "SHA-256 of the host's certificate, which the host prints: the only one that is accepted" };
        var command = new Command("load", "Loads a host and reports QPS and latency.") { url, thumbprint };
        foreach (var option in load.All.Concat([host.Stack, host.Codec, host.Root, host.Payload, host.Items, host.Attribute]))
            command.Add(option);
        command.SetAction(async (parsed, stop) =>
        {
            var variants = host.Variants(parsed);
            var urls = parsed.GetValue(url)!;
            if (urls.Length != variants.Count)
                throw new RunException(ExitCode.Usage, $"{variants.Count} variants need as many --url, not {urls.Length}: a host runs one");
            var plan = load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute)) with { LeftOut = host.LeftOut(parsed) };
            LoadSession[] sessions = [.. variants.Zip(urls, (variant, address) => new LoadSession(variant, HostProcess.Parse(address, parsed.GetValue(thumbprint)), plan))];
            try
            {
                return await new LoadRun(plan, sessions, Console.Out).RunAsync(stop);
            }
            finally
            {
                foreach (var session in sessions)
                    await session.DisposeAsync();
            }
        });
        return command;
    }
}

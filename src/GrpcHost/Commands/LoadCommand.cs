using System.CommandLine;
using System.Globalization;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Hosting;
using ProtoBench.GrpcHost.Runs;

namespace ProtoBench.GrpcHost.Commands;

/// <summary><c>load</c>: the client against a host that is there already, on
/// this machine or another: this program's, or any gRPC server.</summary>
static class LoadCommand
{
    public static Command Create()
    {
        var host = new HostOptions();
        host.Codec.DefaultValueFactory = _ => [Hive.HiveCodecs.Names[0]];
        var load = new LoadOptions();
        var url = new Option<string[]>("--url")
        {
            Description =
            "the host: http://host:port, https://host:port or unix:path; one for each variant",
            AllowMultipleArgumentsPerToken = true
        };
        var target = new TargetOptions();
        host.Payload.Description = "hive, or empty: messages without a field; with --target: files or folders of captured requests";
        var thumbprint =
            new Option<string?>("--thumbprint")
            {
                Description =
                "SHA-256 of the host's certificate, which the host prints: the only one that is accepted"
            };
        var command =
            new Command("load",
                "Loads a host of this program, or a method of any gRPC server (--target), and reports QPS and latency.") { url,
                    thumbprint };
        foreach (var option in target.All.Concat(load.All)
            .Concat([host.Stack, host.Codec, host.Root, host.Payload, host.Items, host.Attribute]))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (target.IsUsed(parsed))
                return await LoadTargetAsync(target, host, load, parsed, cancellationToken);
            var variants = host.Variants(parsed);
            var urls = parsed.GetValue(url) is { Length: > 0 } given
                ? given : throw new RunException(ExitCode.Usage,
                    "what is to be loaded? --url names a host of this program, --target any gRPC server");
            if (urls.Length != variants.Count)
                throw new RunException(ExitCode.Usage, $"{variants.Count} variants need as many --url, not {urls.Length}: a host runs one");
            var plan = load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute)) with { LeftOut = host.LeftOut(parsed) };
            LoadSession[] sessions =
                [.. variants.Zip(urls,
                    (variant, address) => new LoadSession(variant, HostProcess.Parse(address, parsed.GetValue(thumbprint)), plan))];
            try
            {
                return await new LoadRun(plan, sessions, Console.Out).RunAsync(cancellationToken);
            }
            finally
            {
                foreach (var session in sessions)
                    await session.DisposeAsync();
            }
        });
        return command;
    }

    static async Task<int> LoadTargetAsync(TargetOptions target, HostOptions host, LoadOptions load, ParseResult parsed,
        CancellationToken cancellationToken)
    {
        // the default of --payload names the hive's, which no other server has
        var payloads = parsed.GetResult(host.Payload) is { Implicit: false } ? parsed.GetValue(host.Payload)! : [];
        var plan = load.Plan(parsed, HivePayload.Empty(), attribute: false);
        if (await target.ReadAsync(parsed, payloads, plan.Seed, Console.Out, cancellationToken) is not { } subject)
            return ExitCode.Done;
        await using var session = new LoadSession(subject, plan);
        var exit = await new LoadRun(plan, [session], Console.Out).RunAsync(cancellationToken);
        if (subject.Replies is { Calls: > 0 } replies)
            await Console.Out.WriteLineAsync(
                string.Create(CultureInfo.InvariantCulture,
                    $"  replies: {(double)replies.Messages / replies.Calls:0.##} messages and "
                        + $"{(double)replies.Bytes / replies.Calls:0.#} bytes a call"));
        return exit;
    }
}

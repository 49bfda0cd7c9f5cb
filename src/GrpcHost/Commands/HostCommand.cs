using System.CommandLine;
using ProtoBench.GrpcHost.Hosting;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Commands;

/// <summary><c>host</c>: the service in this process, until it is stopped.</summary>
static class HostCommand
{
    public static Command Create()
    {
        var options = new HostOptions();
        // a host runs one codec; the reference unless told otherwise
        options.Codec.DefaultValueFactory = _ => [Hive.HiveCodecs.Names[0]];
        foreach (var option in new[] { options.Stack, options.Codec })
            option.Description = option.Description!.Replace(HostOptions.Several, "", StringComparison.Ordinal);
        var listen = new Option<string>("--listen")
        {
            Description =
            "the IP address to bind; 0.0.0.0 accepts connections from other machines",
            DefaultValueFactory = _ => "127.0.0.1"
        };
        var port = new Option<int>("--port")
        {
            Description = "the TCP port; 0 is a free one",
            CustomParser = Arguments.Port,
            DefaultValueFactory = _ => 5000
        };
        var unix = new Option<string?>("--uds") { Description = "listen on a Unix domain socket at this path instead" };
        var reply = new ReplyOptions();
        var untilStdinEnds = new Option<bool>("--until-stdin-ends") { Hidden = true };
        var command = new Command("host", "Runs the service until Ctrl-C.") { listen, port, unix, untilStdinEnds };
        foreach (var option in options.All.Concat(reply.All))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            RpcHandler? prepared = null;
            if (reply.IsUsed(parsed))
            {
                prepared = await reply.ReadAsync(parsed, Console.Out, cancellationToken);
                if (prepared is null)
                    return ExitCode.Done;
            }

            var variants = options.Variants(parsed);
            if (variants.Count != 1)
                throw new RunException(ExitCode.Usage, "a host runs one stack with one codec; 'run' starts a host for each");
            await using var host = await Host.StartAsync(new()
            {
                Listen = new() { Host = parsed.GetValue(listen)!, Port = parsed.GetValue(port), UnixSocket = parsed.GetValue(unix) },
                Tls = parsed.GetValue(options.Tls),
                Stack = variants[0].Stack,
                Codec = variants[0].Codec,
                Root = variants[0].Root,
                Payload = options.PayloadOf(parsed),
                Attribute = parsed.GetValue(options.Attribute),
                Allocate = parsed.GetValue(options.Allocate),
                Prepared = prepared,
            });
            await Console.Out.WriteLineAsync(HostProcess.Announce(host.Endpoint));
            await Console.Out.FlushAsync(cancellationToken);
            await (parsed.GetValue(untilStdinEnds)
                ? Console.In.ReadToEndAsync(cancellationToken) : Task.Delay(Timeout.Infinite, cancellationToken))
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            return ExitCode.Done;
        });
        return command;
    }
}

using System.CommandLine;

namespace ProtoBench.GrpcHost;

static class HostCommand
{
    public static Command Create()
    {
        var options = new HostOptions();
        // a host has one codec; the default is the reference
        options.Codec.DefaultValueFactory = _ => [HiveServices.Names[0]];
        foreach (var option in new[] { options.Stack, options.Codec })
            option.Description = option.Description!.Replace(HostOptions.Several, "", StringComparison.Ordinal);
        var listen = Arguments.Option(
            "--listen", "the IP address to bind; 0.0.0.0 accepts connections from other machines", byDefault: "127.0.0.1");
        var port = Arguments.Option("--port", "the TCP port; 0 is a free one", Arguments.Port, 5000);
        var unix = Arguments.Option<string?>("--uds", "listen on a Unix domain socket at this path instead");
        var tuning = new TuningOptions();
        var reply = new ReplyOptions();
        var untilStdinEnds = new Option<bool>("--until-stdin-ends") { Hidden = true };
        var command = new Command("host", "Runs the service until Ctrl-C.") { listen, port, unix, options.MaxStreams, untilStdinEnds };
        foreach (var option in options.All.Concat(tuning.OfHost).Concat(reply.All))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            var delay = reply.DelayOf(parsed);
            RpcHandler? prepared = null;
            if (reply.IsUsed(parsed))
            {
                prepared = await reply.ReadAsync(parsed, delay, Console.Out, cancellationToken);
                if (prepared is null)
                    return ExitCode.Done;
            }

            var variants = options.Variants(parsed);
            if (variants.Count != 1)
                throw new UsageException("a host runs one stack with one codec; 'run' starts a host for each");
            await using var host = await Host.StartAsync(new()
            {
                Listen = new() { Host = parsed.GetValue(listen)!, Port = parsed.GetValue(port), UnixSocket = parsed.GetValue(unix) },
                Tls = parsed.GetValue(options.Tls),
                Stack = variants[0].Stack,
                Codec = variants[0].Codec,
                Root = variants[0].Root,
                MaxStreams = options.MaxStreamsOf(parsed, variants[0].Stack),
                Tuning = tuning.Of(parsed),
                Payload = options.PayloadOf(parsed),
                Attribute = parsed.GetValue(options.Attribute),
                Allocate = parsed.GetValue(options.Allocate),
                Prepared = prepared,
            });
            await Console.Out.WriteLineAsync(ChildProcess.Announce(host.Endpoint));
            await Console.Out.FlushAsync(cancellationToken);
            await (parsed.GetValue(untilStdinEnds)
                ? ChildProcess.ParentEndsAsync() : Task.Delay(Timeout.Infinite, cancellationToken))
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (delay.Reached is { } reached)
                await Console.Out.WriteLineAsync(reached);
            return ExitCode.Done;
        });
        return command;
    }
}

sealed class ReplyOptions
{
    readonly MethodOptions method = new();

    readonly Option<string[]> reply = Arguments.Many(
        "--reply", "prepared replies to --method: files or folders; taken in turn, or all of them by a method that streams");

    readonly Option<(TimeSpan Mean, bool IsExponential)> delay = Arguments.Option(
        "--delay", "the wait before each prepared reply: 5ms, or exp:5ms for an exponential distribution with that mean", ReplyDelay.Parse);

    public IEnumerable<Option> All => [reply, .. method.All, delay];

    public bool IsUsed(ParseResult parsed) =>
        parsed.GetValue(reply) is { Length: > 0 } || method.HasSchema(parsed) || parsed.GetValue(method.Method) is not null;

    public ReplyDelay DelayOf(ParseResult parsed)
    {
        var (mean, isExponential) = parsed.GetValue(delay);
        return new(mean, isExponential, seed: 1);
    }

    /// <summary>Returns the handler of the method; null if the methods were listed instead.</summary>
    public async Task<RpcHandler?> ReadAsync(ParseResult parsed, ReplyDelay wait, TextWriter output, CancellationToken cancellationToken)
    {
        var schema = await method.SchemaAsync(parsed, cancellationToken);
        if (schema is not null && parsed.GetValue(method.Method) is null)
        {
            await MethodOptions.ListAsync(schema.Methods, output);
            return null;
        }

        var described = schema is null ? null : MethodSchema.Find(schema, method.PathOf(parsed));
        var served = described is null ? method.WithoutSchema(parsed) : new(described);
        if (parsed.GetValue(reply) is not { Length: > 0 } files)
            throw new UsageException("--reply is missing: files or folders of prepared replies");
        var replies = await MethodSchema.ReadAsync(schema, described?.Reply, files, allowsUnknown: false, cancellationToken);
        return PreparedReplies.Serve(served, replies, wait);
    }
}

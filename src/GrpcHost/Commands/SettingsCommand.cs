using System.CommandLine;

namespace ProtoBench.GrpcHost;

static class SettingsCommand
{
    static readonly string[] payloadNames = ["hive", "1KB"];

    // A host answers every payload with the same codec. The raw codec has the bytes of one payload only.
    static readonly string[] codecNames = [.. HiveServices.Names.Where(name => name != "raw")];

    // the length of a load: a quarter of a second, the shortest that shows a difference of a tenth
    const double milliseconds = 250;
    const double quickMilliseconds = 200;

    public static Command Create()
    {
        string[] names = [.. Setting.All.Skip(1).Select(setting => setting.Name)];
        var settings = Arguments.Option(
            "--setting", $"the settings, with commas (all): {string.Join(", ", names)}", Arguments.Names(names), Array.Empty<string>());
        var payloads = Arguments.Option("--payload", "what a call carries: hive, 1KB", Arguments.Names(payloadNames), payloadNames);
        var codecs = Arguments.Option(
            "--codec", $"the codecs: {string.Join(", ", codecNames)}", Arguments.Names(codecNames), ["google", "slab"]);
        var callers = Arguments.Option<int[]>(
            "--callers", "numbers of callers of the closed loop, with commas (1,8,64)", result => Arguments.Numbers(result, int.MaxValue));
        var delays = Arguments.Option<double[]>(
            "--delay", "milliseconds by which bytes arrive later, in each direction, with commas (0,1,10)", Arguments.Milliseconds);
        var rounds = Arguments.Option(
            "--rounds", "rounds; each has processes of its own, and is one sample of a ratio", Arguments.AtLeast1, 4);
        var duration = Arguments.Option<TimeSpan?>("--duration -d", "length of a load (250ms)", result => Arguments.Duration(result));
        var requests = Arguments.Option("--requests -n", "calls of a load, instead of --duration", Arguments.AtLeast1Long);
        var warmup = Arguments.Option(
            "--warmup -w", "load before the first one, for each codec of a setting in each round", Arguments.DurationOrZero,
            TimeSpan.FromSeconds(1.5));
        var quick = Arguments.Option<bool>("--quick", "8 callers, without a delay and with 10 ms, loads of 200 ms");
        var file = Arguments.Option<string?>("--out", "writes the result as JSON");
        var markdown = Arguments.Option<string?>("--markdown", "writes the table as Markdown");
        var csv = Arguments.Option<string?>("--csv", "writes all figures as CSV");
        var command = new Command(
            "settings",
            "Measures settings of Kestrel, SocketsHttpHandler, grpc-dotnet, the garbage collector and the sockets, each against the default. "
                + "Client and host are grpc-dotnet. With one payload and one delay, the table also has the host's GC pauses and memory.")
        {
            settings, payloads, codecs, callers, delays, rounds, duration, requests, warmup, quick, file, markdown, csv,
        };
        command.SetAction(async (parsed, stop) =>
        {
            foreach (var path in new[] { file, markdown, csv }.Select(parsed.GetValue).OfType<string>())
                ResultFiles.Check(path);
            if (parsed.GetValue(duration) is not null && parsed.GetValue(requests) is not null)
                throw new UsageException("a load ends by --duration or by --requests, not by both");
            if (parsed.GetValue(duration) <= TimeSpan.Zero)
                throw new UsageException("--duration must be above 0");
            var wanted = parsed.GetValue(settings)!;
            var isQuick = parsed.GetValue(quick);
            var plan = new SettingsPlan(
                [Setting.All[0], .. Setting.All.Skip(1).Where(one => wanted.Length == 0 || wanted.Contains(one.Name))],
                [
                    .. from payload in parsed.GetValue(payloads)!
                       from delay in parsed.GetValue(delays) is { Length: > 0 } some ? some : isQuick ? [0, 10] : [0, 1, 10]
                       from codec in parsed.GetValue(codecs)!
                       from number in parsed.GetValue(callers) is { Length: > 0 } some ? some : isQuick ? [8] : [1, 8, 64]
                       select new SettingsLoad(payload, codec, number, delay),
                ],
                parsed.GetValue(rounds),
                parsed.GetValue(requests) is not null ? null
                    : parsed.GetValue(duration)?.TotalMilliseconds ?? (isQuick ? quickMilliseconds : milliseconds),
                parsed.GetValue(requests),
                parsed.GetValue(warmup).TotalMilliseconds,
                string.Join(' ', parsed.Tokens.Select(token => token.Value)));
            var busy = MachineLoad.Now();
            var result = await new SettingsRun(plan, Console.Out).RunAsync(stop);
            if (result.Cells.All(cell => cell.Rounds.Count == 0))
                throw new StoppedException(measured: false, file: null);
            var table = SettingsTable.Of(result);
            await Console.Out.WriteLineAsync();
            await Console.Out.WriteAsync(table.ToText());
            MachineLoad.Write(Console.Out, busy);
            var files = new ResultFiles();
            await files.WriteAsync(parsed.GetValue(file), () => table.Into(result.ToNode()));
            await files.WriteAsync(parsed.GetValue(markdown), table.ToText);
            await files.WriteAsync(parsed.GetValue(csv), () => SettingsTable.ToCsv(result));
            return files.ExitCode(result.Partial ? ExitCode.Stopped
                : result.Cells.All(cell => cell.Rounds.TrueForAll(round => round is null)) ? ExitCode.Failed
                : result.Cells.All(cell => cell.Failures.Count == 0) ? ExitCode.Done : ExitCode.Invalid);
        });
        return command;
    }
}

/// <summary>A setting as options of the processes of a side: the options of <c>run</c>, divided among host and client.</summary>
sealed class SettingOptions
{
    readonly HostOptions host = new();
    readonly TuningOptions tuning = new();
    readonly Option<int> connections = Arguments.Option("--connections", "", Arguments.AtLeast1, 1);
    readonly Option<bool> unix = Sessions.UnixSocket();
    readonly ParseResult parsed;

    public SettingOptions(Setting setting)
    {
        var command = new Command("run") { host.Stack, connections, unix };
        foreach (var option in tuning.All)
            command.Add(option);
        parsed = command.Parse([.. setting.Options]);
        if (parsed.Errors.Count > 0)
            throw new UsageException($"{setting.Name}: {parsed.Errors[0].Message}");
        tuning.Of(parsed);
    }

    public IReadOnlyDictionary<string, string> HostEnvironment => tuning.OfHostProcess(parsed);

    public IReadOnlyDictionary<string, string> ClientEnvironment => tuning.OfClientProcess(parsed);

    public int? HostCores => tuning.HostCores(parsed);

    public RpcTransport Stack => RpcTransports.Named(parsed.GetValue(host.Stack)![0]);

    public int Connections => parsed.GetValue(connections);

    public IEnumerable<string> OfClient => ["client", host.Stack.Name, Stack.Name, .. tuning.ForClient(parsed)];

    public IEnumerable<string> OfHost(string codec) =>
    [
        .. Sessions.Address(parsed.GetValue(unix)), host.Stack.Name, parsed.GetValue(host.Stack)![0], host.Codec.Name, codec,
        .. tuning.ForHost(parsed),
    ];

    public static Command Client()
    {
        var (stack, tuning) = (new HostOptions().Stack, new TuningOptions());
        var command = new Command("client", "Makes the calls that its parent asks for.") { stack };
        command.Hidden = true;
        foreach (var option in tuning.OfClient)
            command.Add(option);
        command.SetAction((parsed, stop) => ClientService.RunAsync(
            setup => new HiveSubject(new(RpcTransports.Named(parsed.GetValue(stack)![0]), setup.Codec, HiveServices.Roots[0]),
                ChildProcess.Parse(setup.Endpoint, null), SettingsRun.PayloadOf(setup.Payload))
            {
                Limits = new() { Tuning = tuning.Of(parsed) },
                Duplex = tuning.IsDuplex(parsed),
            }, stop));
        return command;
    }
}

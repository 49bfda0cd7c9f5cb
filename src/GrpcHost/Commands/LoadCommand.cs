using System.CommandLine;

namespace ProtoBench.GrpcHost;

static class LoadCommand
{
    public static Command Create()
    {
        var host = new HostOptions();
        host.Codec.DefaultValueFactory = _ => [HiveServices.Names[0]];
        var load = new LoadOptions();
        var url = Arguments.Many("--url", "the host: http://host:port, https://host:port or unix:path; one for each variant");
        var target = new TargetOptions();
        host.Payload.Description = "hive, or empty: messages without a field; with --target: files or folders of captured requests";
        var thumbprint = Arguments.Option<string?>(
            "--thumbprint", "SHA-256 of the host's certificate, which the host prints: the only one that is accepted");
        var processes = Arguments.Option(
            "--processes", "processes that make the calls, each with a part of the connections, where cores are left", Arguments.AtLeast1, 1);
        var isClientProcess = new Option<bool>("--client-process") { Hidden = true };
        var command = new Command(
            "load", "Loads a host of this program, or a method of any gRPC server (--target), and reports QPS and latency.")
        {
            url, thumbprint, processes, isClientProcess,
        };
        foreach (var option in target.All.Concat(load.All)
            .Concat([host.Stack, host.Codec, host.Root, host.Payload, host.Items, host.Attribute]))
            command.Add(option);
        command.SetAction(async (parsed, cancellationToken) =>
        {
            if (target.IsUsed(parsed))
            {
                Refuse(parsed, "--target", [url, thumbprint, host.Stack, host.Codec, host.Root, host.Items, host.Attribute]);
                var targetPlan =
                    WithProcesses(load.Plan(parsed, HivePayload.Empty(), attribute: false, EventLoopClient.Name, hasSteps: true));
                if (await target.ReadAsync(parsed, host.Payload, targetPlan, Console.Out, cancellationToken) is not { } subject)
                    return ExitCode.Done;
                if (parsed.GetValue(isClientProcess))
                    return await ClientService.RunAsync(setup => subject.At(setup.Addresses), cancellationToken);
                return await LoadTargetAsync(subject, targetPlan, cancellationToken);
            }

            Refuse(parsed, "--url", target.All);
            var variants = host.Variants(parsed);
            var urls = parsed.GetValue(url) is { Length: > 0 } given
                ? given : throw new UsageException("what is to be loaded? --url names a host of this program, --target any gRPC server");
            if (urls.Length != variants.Count)
                throw new UsageException($"{variants.Count} variants need as many --url, not {urls.Length}: a host runs one");
            var plan = WithProcesses(load.Plan(parsed, host.PayloadOf(parsed), parsed.GetValue(host.Attribute), hasSteps: true)) with
            {
                LeftOut = host.LeftOut(parsed),
            };
            if (plan.Processes > 1 && variants.Count > 1)
                throw new UsageException("--processes loads one host: name one codec and one --url");
            LoadSubject[] subjects =
                [.. variants.Zip(urls, (variant, address) =>
                    new HiveSubject(variant, ChildProcess.Parse(address, parsed.GetValue(thumbprint)), plan.Payload))];
            return parsed.GetValue(isClientProcess)
                ? await ClientService.RunAsync(_ => subjects[0], cancellationToken) : await RunAsync(subjects, plan, cancellationToken);

            LoadPlan WithProcesses(LoadPlan one)
            {
                var number = parsed.GetValue(processes);
                if (number > 1 && (one.Otlp is not null || one.Files.Calls is not null))
                    throw new UsageException($"{(one.Otlp is null ? "--calls" : "--otlp")}: the calls of --processes are not known before the end of a round");
                return number <= one.Connections ? one with { Processes = number } : throw new UsageException(
                    $"{number} processes for {one.Connections} connections: each needs one");
            }
        });
        return command;
    }

    static async Task<int> RunAsync(IReadOnlyList<LoadSubject> subjects, LoadPlan plan, CancellationToken cancellationToken)
    {
        List<ClientProcess> processes = [];
        LoadSession[] sessions = [];
        try
        {
            for (var i = 0; plan.Processes > 1 && i < plan.Processes; i++)
                processes.Add(await ClientProcess.StartAsync([.. plan.Arguments, "--client-process"]));
            sessions = [.. subjects.Select(subject => new LoadSession(subject, plan, processes.Count > 0 ? processes : null))];
            return plan.Steps.Count > 0 ? await new Sweep(plan, Console.Out).RunAsync(sessions, cancellationToken)
                : await new LoadRun(plan, sessions, Console.Out).RunAsync(cancellationToken);
        }
        finally
        {
            foreach (var session in sessions)
                await session.DisposeAsync();
            foreach (var process in processes)
                await process.DisposeAsync();
        }
    }

    public static void Refuse(ParseResult parsed, string subject, IEnumerable<Option> options)
    {
        string[] given = [.. options.Where(option => parsed.GetResult(option) is { Implicit: false }).Select(option => option.Name)];
        if (given.Length > 0)
            throw new UsageException($"{string.Join(", ", given)}: without effect on a load of {subject}");
    }

    static async Task<int> LoadTargetAsync(TargetSubject subject, LoadPlan plan, CancellationToken cancellationToken)
    {
        var exit = await RunAsync([subject], plan, cancellationToken);
        if (subject.Replies is { Calls: > 0 } replies)
            await Console.Out.WriteLineAsync(
                $"  replies: {(double)replies.Messages / replies.Calls:0.##} messages and "
                    + $"{(double)replies.Bytes / replies.Calls:0.#} bytes a call");
        return exit;
    }
}

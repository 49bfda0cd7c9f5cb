using System.CommandLine;

namespace ProtoBench.GrpcHost;

static class GcModesCommand
{
    static readonly TimeSpan defaultDuration = TimeSpan.FromSeconds(3);

    public static Command Create()
    {
        var (host, load) = (new HostOptions(), new LoadOptions());
        host.Codec.DefaultValueFactory = _ => ["google", "slab"];
        load.HideUnused(withRounds: true, withRate: false, defaultDuration);
        host.Attribute.Hidden = true;
        var unix = Sessions.UnixSocket();
        string[] names = [.. GcMode.All.Select(mode => mode.Name)];
        var modes = Arguments.Option(
            "--gc", $"modes of the host's garbage collector: {string.Join(", ", names)}", Arguments.Names(names), names);
        var cores = Arguments.Option(
            "--cores",
            "numbers of processors that the host may use, with commas (1, 2 and all)",
            result => Arguments.Numbers(result, Environment.ProcessorCount),
            [.. new[] { 1, 2, Environment.ProcessorCount }.Where(number => number <= Environment.ProcessorCount).Distinct()]);
        var callers = Arguments.Option(
            "--callers", "numbers of callers of the closed loop, with commas", result => Arguments.Numbers(result, int.MaxValue),
            [1, 4, 16, 64]);
        var markdown = Arguments.Option<string?>("--markdown", "writes the table as Markdown");
        var command = new Command(
            "gc-modes",
            "Measures calls per second, latency, GC pauses and memory of a host, for each GC mode, number of processors and codec.")
        {
            modes, cores, callers, markdown, unix,
        };
        foreach (var option in host.All.Concat(load.All))
            command.Add(option);
        command.SetAction(async (parsed, stop) =>
        {
            var plan = load.Plan(parsed, host.PayloadOf(parsed), attribute: false) with { LeftOut = host.LeftOut(parsed) };
            if (plan.Rate is not null || plan.Concurrency != 1 || plan.Requests is not null and not LoadOptions.DefaultRequests)
                throw new UsageException(
                    "gc-modes runs closed loops of --duration with --callers: no --rate, --concurrency and --requests");
            if (plan.Hdr is not null || plan.Interleave || parsed.GetValue(host.Attribute))
                throw new UsageException("--hdr, --interleave and --attribute are for run and load, not for gc-modes");
            LoadCommand.Refuse(parsed, "gc-modes", load.OfPrintedRounds);
            if (parsed.GetValue(markdown) is { } asked)
                ResultFiles.Check(asked);
            var run = new GcModeRun(plan with { Duration = plan.Duration ?? defaultDuration, Requests = null }, parsed.GetValue(callers)!,
                Console.Out);
            var perConnection = (parsed.GetValue(callers)!.Max() + plan.Connections - 1) / plan.Connections;
            var runtimes = from number in parsed.GetValue(cores)!
                           from name in parsed.GetValue(modes)!
                           select new HostRuntime(GcMode.All.Single(mode => mode.Name == name), number);
            try
            {
                foreach (var runtime in runtimes)
                {
                    foreach (var variant in host.Variants(parsed))
                    {
                        if (!stop.IsCancellationRequested)
                            await run.MeasureAsync(variant, runtime,
                                [.. Sessions.Address(parsed.GetValue(unix)), .. host.ForHost(parsed, variant, perConnection)], stop);
                    }
                }
            }
            catch (OperationCanceledException) when (stop.IsCancellationRequested)
            {
                // while it connected; the result has what was measured before
            }

            var result = run.Result(stop.IsCancellationRequested);
            var table = GcModeTable.Of(result);
            await Console.Out.WriteLineAsync();
            await Console.Out.WriteAsync(table.ToText());
            MachineLoad.Write(Console.Out, result.OtherCores);
            var files = new ResultFiles();
            await files.WriteAsync(plan.Out, () => table.Into(LoadResultFile.ToNode(result)));
            await files.WriteAsync(parsed.GetValue(markdown), table.ToText);
            return files.ExitCode(result.Partial
                ? ExitCode.Stopped : result.Variants.Any(variant => variant.Verdict.Valid) ? ExitCode.Done : ExitCode.Invalid);
        });
        return command;
    }
}

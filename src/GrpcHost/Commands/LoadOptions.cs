using System.CommandLine;

namespace ProtoBench.GrpcHost;

sealed class LoadOptions
{
    /// <summary>The calls of a round of the closed loop if neither a number nor a duration is given.</summary>
    public const long DefaultRequests = 10_000;

    readonly Option<string?> client = Arguments.Option<string?>(
        "--client", $"what makes the calls: {StackClient.Name}, as a .NET service does, or {EventLoopClient.Name}, which costs less and so "
            + "shows more of the host");

    readonly Option<long?> requests = Arguments.Option(
        "--requests -n --total", "calls of a round of the closed loop (10000 when no --duration is given)", Arguments.AtLeast1Long);

    readonly Option<int> concurrency = Arguments.Option(
        "--concurrency -c", "callers of the closed loop; each sends its next call when it has received a reply", Arguments.AtLeast1, 1);

    readonly Option<int> connections = Arguments.Option("--connections", "connections, used in turn", Arguments.AtLeast1, 1);

    readonly Option<double?> rate = Arguments.Option(
        "--rate -r --rps", "open loop: calls per second over all connections, sent by a schedule independent of the replies",
        Arguments.Positive);

    readonly Option<string> arrivals = Arguments
        .Option("--arrivals", "intervals between the calls of the open loop: constant, or poisson", byDefault: "constant")
        .AcceptOnlyFromAmong("constant", "poisson");

    readonly Option<TimeSpan?> duration = Arguments.Option<TimeSpan?>(
        "--duration -d -z", "length of a round: 500ms, 30s, 2m (10s in the open loop)", result => Arguments.Duration(result));

    readonly Option<int> maxInFlight = Arguments.Option(
        "--max-in-flight", "open loop: the highest number of concurrent calls; further calls that are due are skipped and counted",
        Arguments.AtLeast1, 10_000);

    readonly Option<TimeSpan> warmup = Arguments.Option(
        "--warmup -w", "load before the first round, which is not measured (0 or none for none); it goes on while the JIT compiles, for 10 s at most", Arguments.DurationOrZero, TimeSpan.FromSeconds(3));

    readonly Option<int> rounds = Arguments.Option("--rounds", "rounds of each variant", Arguments.AtLeast1, 2);

    readonly Option<double[]> percentiles = Arguments.Option(
        "--percentiles", "percentiles to print, with commas", Arguments.Percentiles, [50, 90, 95, 99, 99.9]);

    readonly Option<TimeSpan> timeout = Arguments.Option(
        "--timeout -t", "the longest time that a call may take, or none", Arguments.DurationOrNone, TimeSpan.FromSeconds(60));

    readonly Option<TimeSpan?> drain = Arguments.Option<TimeSpan?>(
        "--drain", "how long calls may take after the end of a round of --duration; then they have failed (1m, or --timeout if that is more)",
        result => Arguments.Duration(result));

    readonly Option<int> seed = Arguments.Option(
        "--seed", "seed of the Poisson arrivals, and of requests that are drawn at random", Arguments.AtLeast0, 1);

    readonly Option<string> pacer = Arguments
        .Option("--pacer", "how the open loop waits: sleep, or spin where a core is spare", byDefault: "sleep")
        .AcceptOnlyFromAmong("sleep", "spin");

    readonly Option<bool> interleave = Arguments.Option<bool>(
        "--interleave", "interleave the rounds of the variants (A B B A) and print their ratios with intervals");

    readonly Option<string?> file = Arguments.Option<string?>("--out", "writes the result as JSON");

    readonly Option<string?> hdr = Arguments.Option<string?>("--hdr", "writes the histograms as an HdrHistogram log");

    public IEnumerable<Option> All =>
        [client, requests, concurrency, connections, rate, arrivals, duration, maxInFlight, warmup, rounds, percentiles, timeout, drain,
            seed, pacer, interleave, file, hdr];

    public LoadOptions() => client.AcceptOnlyFromAmong(StackClient.Name, EventLoopClient.Name);

    /// <remarks>They are still parsed, so that the command can give the reason for refusing them.</remarks>
    public void HideUnused(bool withRounds, bool withRate, TimeSpan defaultDuration)
    {
        duration.Description = $"length of a round: 500ms, 30s, 2m ({defaultDuration.TotalSeconds}s)";
        List<Option> unused = [requests, rate, interleave, hdr];
        if (!withRounds)
            unused.Add(rounds);
        if (!withRate)
            unused.AddRange([concurrency, arrivals, maxInFlight, seed, pacer]);
        foreach (var option in unused)
            option.Hidden = true;
    }

    public bool HasCounts(ParseResult parsed) =>
        parsed.GetResult(requests) is { Implicit: false } || parsed.GetResult(rounds) is { Implicit: false };

    public LoadPlan Plan(ParseResult parsed, HivePayload payload, bool attribute, string clientByDefault = StackClient.Name)
    {
        var open = parsed.GetValue(rate) is not null;
        TimeSpan? timeLimit = parsed.GetValue(timeout) is var limit && limit == System.Threading.Timeout.InfiniteTimeSpan ? null : limit;
        var plan = new LoadPlan
        {
            Client = parsed.GetValue(client) ?? clientByDefault,
            Requests = open ? null : parsed.GetValue(requests) ?? (parsed.GetValue(duration) is null ? DefaultRequests : null),
            Duration = parsed.GetValue(duration) ?? (open ? TimeSpan.FromSeconds(10) : null),
            Concurrency = parsed.GetValue(concurrency),
            Connections = parsed.GetValue(connections),
            Rate = parsed.GetValue(rate),
            Poisson = parsed.GetValue(arrivals) == "poisson",
            MaxInFlight = parsed.GetValue(maxInFlight),
            Warmup = parsed.GetValue(warmup),
            Rounds = parsed.GetValue(rounds),
            Percentiles = parsed.GetValue(percentiles)!,
            Timeout = timeLimit,
            Drain = parsed.GetValue(drain) ?? (timeLimit > LocalClient.AtLeast ? timeLimit.Value : LocalClient.AtLeast),
            Seed = parsed.GetValue(seed),
            Spin = parsed.GetValue(pacer) == "spin",
            Interleave = parsed.GetValue(interleave),
            Attribute = attribute,
            Payload = payload,
            Out = parsed.GetValue(file),
            Hdr = parsed.GetValue(hdr),
            CommandLine = string.Join(' ', parsed.Tokens.Select(token => token.Value)),
            Arguments = [.. parsed.Tokens.Select(token => token.Value)],
        };
        if (attribute && plan.Client == EventLoopClient.Name)
            throw new RunException(ExitCode.Usage, $"--client {EventLoopClient.Name} has no codec: --attribute needs {StackClient.Name}");
        Check(plan, open && parsed.GetValue(requests) is not null);
        return plan;
    }

    static void Check(LoadPlan plan, bool requestsInOpenLoop)
    {
        if (requestsInOpenLoop)
            throw new RunException(ExitCode.Usage, "--requests is for the closed loop; with --rate a round ends by --duration");
        if (plan.Duration <= TimeSpan.Zero)
            throw new RunException(ExitCode.Usage, "--duration must be above 0");
        if (plan.Rate is null && plan.Connections > plan.Concurrency)
            throw new RunException(ExitCode.Usage, $"{plan.Connections} connections for {plan.Concurrency} callers: each caller uses one");
        foreach (var file in new[] { plan.Out, plan.Hdr }.OfType<string>())
            CheckFile(file);
    }

    /// <summary>Checks before a run that its result can be written.</summary>
    public static void CheckFile(string file)
    {
        if (file.Length == 0 || Directory.Exists(file))
            throw new RunException(ExitCode.Usage, $"'{file}' is not the name of a file to write");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new RunException(ExitCode.Usage, $"the folder of {file} does not exist");
    }
}

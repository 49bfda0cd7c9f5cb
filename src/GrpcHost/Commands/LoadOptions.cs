using System.CommandLine;
using ProtoBench.GrpcHost.Hive;
using ProtoBench.GrpcHost.Runs;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Commands;

/// <summary>The options of the load client.</summary>
sealed class LoadOptions
{
    /// <summary>Calls of a round of the closed loop, where neither a number nor a duration is given.</summary>
    public const long DefaultRequests = 10_000;

    readonly Option<long?> requests =
        new("--requests", "-n", "--total")
        {
            Description = "calls of a round of the closed loop (10000 when no --duration is given)",
            CustomParser = Arguments.AtLeast1Long
        };

    readonly Option<int> concurrency = new("--concurrency", "-c")
    {
        Description = "callers of the closed loop; each sends its next call when it has received a reply",
        CustomParser = Arguments.AtLeast1,
        DefaultValueFactory = _ => 1,
    };

    readonly Option<int> connections =
        new("--connections") { Description = "connections, used in turn", CustomParser = Arguments.AtLeast1, DefaultValueFactory = _ => 1 };

    readonly Option<double?> rate =
        new("--rate", "-r",
            "--rps")
        {
            Description = "open loop: calls per second over all connections, sent by a schedule independent of the replies",
            CustomParser = Arguments.Positive
        };

    readonly Option<string> arrivals =
        new Option<string>("--arrivals")
        {
            Description = "intervals between the calls of the open loop: constant, or poisson",
            DefaultValueFactory = _ => "constant"
        }.AcceptOnlyFromAmong("constant", "poisson");

    readonly Option<TimeSpan?> duration =
        new("--duration", "-d", "-z")
        {
            Description = "length of a round: 500ms, 30s, 2m (10s in the open loop)",
            CustomParser = result => Arguments.Duration(result)
        };

    readonly Option<int> maxInFlight = new("--max-in-flight")
    {
        Description = "open loop: the highest number of concurrent calls; further calls that are due are skipped and counted",
        CustomParser = Arguments.AtLeast1,
        DefaultValueFactory = _ => 10_000,
    };

    readonly Option<TimeSpan> warmup =
        new("--warmup", "-w")
        {
            Description = "load before the first round, which is not measured",
            CustomParser = Arguments.Duration,
            DefaultValueFactory = _ => TimeSpan.FromSeconds(3)
        };

    readonly Option<int> rounds =
        new("--rounds") { Description = "rounds of each variant", CustomParser = Arguments.AtLeast1, DefaultValueFactory = _ => 2 };

    readonly Option<double[]> percentiles =
        new("--percentiles")
        {
            Description = "percentiles to print, with commas",
            CustomParser = Arguments.Percentiles,
            DefaultValueFactory = _ => [50, 90, 95, 99, 99.9]
        };

    readonly Option<TimeSpan> timeout =
        new("--timeout", "-t")
        {
            Description = "the longest time that a call may take, or none",
            CustomParser = Arguments.DurationOrNone,
            DefaultValueFactory = _ => TimeSpan.FromSeconds(60)
        };

    readonly Option<int> seed =
        new("--seed")
        {
            Description = "seed of the Poisson arrivals, and of requests that are drawn at random",
            CustomParser = Arguments.AtLeast0,
            DefaultValueFactory = _ => 1
        };

    readonly Option<string> pacer =
        new Option<string>("--pacer")
        {
            Description = "how the open loop waits: sleep, or spin where a core is spare",
            DefaultValueFactory = _ => "sleep"
        }.AcceptOnlyFromAmong("sleep", "spin");

    readonly Option<bool> interleave =
        new("--interleave") { Description = "interleave the rounds of the variants (A B B A) and print their ratios with intervals" };

    readonly Option<string?> file = new("--out") { Description = "writes the result as JSON" };

    readonly Option<string?> hdr = new("--hdr") { Description = "writes the histograms as an HdrHistogram log" };

    public IEnumerable<Option> All =>
        [requests, concurrency, connections, rate, arrivals, duration, maxInFlight, warmup, rounds, percentiles, timeout, seed, pacer,
            interleave, file, hdr];

    /// <summary>Hides the options that a command cannot use.</summary>
    /// <remarks>They are still parsed, so that the command can say why it refuses them.</remarks>
    /// <param name="withRounds">Whether the command uses --rounds.</param>
    /// <param name="withRate">Whether the command runs open loops, or only closed ones.</param>
    /// <param name="defaultDuration">The length of a round of the command.</param>
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

    /// <summary>Whether the user gave a number of calls or of rounds.</summary>
    public bool HasCounts(ParseResult parsed) =>
        parsed.GetResult(requests) is { Implicit: false } || parsed.GetResult(rounds) is { Implicit: false };

    /// <summary>The plan that these options describe.</summary>
    /// <exception cref="RunException">The options contradict each other.</exception>
    public LoadPlan Plan(ParseResult parsed, HivePayload payload, bool attribute)
    {
        var open = parsed.GetValue(rate) is not null;
        var plan = new LoadPlan
        {
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
            Timeout = parsed.GetValue(timeout) is var limit && limit == System.Threading.Timeout.InfiniteTimeSpan ? null : limit,
            Seed = parsed.GetValue(seed),
            Spin = parsed.GetValue(pacer) == "spin",
            Interleave = parsed.GetValue(interleave),
            Attribute = attribute,
            Payload = payload,
            Out = parsed.GetValue(file),
            Hdr = parsed.GetValue(hdr),
            CommandLine = string.Join(' ', parsed.Tokens.Select(token => token.Value)),
        };
        Check(plan, open && parsed.GetValue(requests) is not null);
        return plan;
    }

    static void Check(LoadPlan plan, bool requestsInOpenLoop)
    {
        if (requestsInOpenLoop)
            throw new RunException(ExitCode.Usage, "--requests is for the closed loop; with --rate a round ends by --duration");
        if (plan.Duration <= TimeSpan.Zero)
            throw new RunException(ExitCode.Usage, "--duration must be above 0");
        var streams = new RpcLimits().MaxStreamsPerConnection;
        var most = plan.Rate is null ? plan.Concurrency : plan.MaxInFlight;
        if ((most + plan.Connections - 1) / plan.Connections > streams)
            throw new RunException(ExitCode.Usage,
                $"{most} calls at a time on {plan.Connections} connections are more than {streams} a connection, which the host "
                    + $"allows: ask for more --connections");
        if (plan.Rate is null && plan.Connections > plan.Concurrency)
            throw new RunException(ExitCode.Usage, $"{plan.Connections} connections for {plan.Concurrency} callers: each caller uses one");
        foreach (var file in new[] { plan.Out, plan.Hdr }.OfType<string>())
            CheckFile(file);
    }

    /// <summary>Checks before a run that its result can be written.</summary>
    /// <exception cref="RunException">The name is empty or a folder's, or the folder does not exist.</exception>
    public static void CheckFile(string file)
    {
        if (file.Length == 0 || Directory.Exists(file))
            throw new RunException(ExitCode.Usage, $"'{file}' is not the name of a file to write");
        if (Path.GetDirectoryName(Path.GetFullPath(file)) is { } folder && !Directory.Exists(folder))
            throw new RunException(ExitCode.Usage, $"the folder of {file} does not exist");
    }
}

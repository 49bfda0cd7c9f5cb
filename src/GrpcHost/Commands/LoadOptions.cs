using System.CommandLine;
using System.CommandLine.Parsing;

namespace ProtoBench.GrpcHost;

sealed class LoadOptions
{
    /// <summary>The calls of a round of the closed loop if neither a number nor a duration is given.</summary>
    public const long DefaultRequests = 10_000;

    const int lineSteps = 10;

    readonly Option<string?> client = Arguments.Option<string?>(
        "--client", $"what makes the calls: {StackClient.Name}, as a .NET service does, or {EventLoopClient.Name}, which costs less and so "
            + "shows more of the host");

    readonly Option<long?> requests = Arguments.Option(
        "--requests -n --total", "calls of a round of the closed loop (10000 when no --duration is given)", Arguments.AtLeast1Long);

    readonly Option<(double From, double To)[]> concurrency = Arguments.Option(
        "--concurrency -c", "callers of the closed loop, each of which sends its next call when it has received a reply (1); load: also steps, as of --rate",
        result => Steps(result, isRate: false));

    readonly Option<int> connections = Arguments.Option("--connections", "connections, used in turn", Arguments.AtLeast1, 1);

    readonly Option<(double From, double To)[]?> rate = Arguments.Option<(double From, double To)[]?>(
        "--rate -r --rps", "open loop: calls per second over all connections, sent by a schedule independent of the replies; load: also a "
            + "round for each of 100,200,400 or 100..2000:100, or 100..2000: a line in ten rounds", result => Steps(result, isRate: true));

    readonly Option<string> arrivals = Arguments
        .Option("--arrivals", "intervals between the calls of the open loop: constant, or poisson", byDefault: "constant")
        .AcceptOnlyFromAmong("constant", "poisson");

    readonly Option<TimeSpan?> duration = Arguments.Option<TimeSpan?>(
        "--duration -z", "length of a round: 500ms, 30s, 2m (10s in the open loop)", result => Arguments.Duration(result));

    readonly Option<int> maxInFlight = Arguments.Option(
        "--max-in-flight", "open loop: the highest number of concurrent calls; further calls that are due are skipped and counted",
        Arguments.AtLeast1, 10_000);

    readonly Option<TimeSpan> warmup = Arguments.Option(
        "--warmup -w", "load before the first round, which is not measured (0 or none for none); with a host of this program it goes on while the JIT compiles, for 10 s at most", Arguments.DurationOrZero, TimeSpan.FromSeconds(3));

    readonly Option<int> rounds = Arguments.Option("--rounds", "rounds of each variant", Arguments.AtLeast1, 2);

    readonly Option<double[]> percentiles = Arguments.Option(
        "--percentiles", "percentiles to print, with commas", Arguments.Percentiles, [50, 90, 95, 99, 99.9]);

    readonly Option<TimeSpan> timeout = Arguments.Option(
        "--timeout -t", "the longest time that a call may take, or none", Arguments.DurationOrNone, TimeSpan.FromSeconds(60));

    readonly Option<TimeSpan?> drain = Arguments.Option<TimeSpan?>(
        "--drain", "how long calls may take after the end of a round of --duration; then they have failed (1m, or --timeout if that is more)",
        result => Arguments.Duration(result));

    readonly Option<HashSet<string>?> expected = Arguments.Option<HashSet<string>?>(
        "--expect", "the statuses that are no failures, with commas: OK,FAILED_PRECONDITION (OK)", Statuses);

    readonly Option<int> seed = Arguments.Option(
        "--seed", "seed of the Poisson arrivals, and of requests that are drawn at random", Arguments.AtLeast0, 1);

    readonly Option<string> pacer = Arguments
        .Option("--pacer", "how the open loop waits: sleep, or spin where a core is spare", byDefault: "sleep")
        .AcceptOnlyFromAmong("sleep", "spin");

    readonly Option<bool> interleave = Arguments.Option<bool>(
        "--interleave", "interleave the rounds of the variants (A B B A) and print their ratios with intervals");

    readonly Option<FailCondition[]> failIf = Arguments.Option("--fail-if",
        $"a limit that no round may pass, else the exit code is {ExitCode.LimitPassed}; may be repeated: {FailCondition.Forms}", Conditions);

    readonly Option<string?> file = Arguments.Option<string?>("--out", "writes the result as JSON");

    readonly Option<string?> calls = Arguments.Option<string?>(
        "--calls --output -o", "writes each call while the load runs: .jsonl, .csv, or .json, which is the report of ghz");

    readonly Option<string?> callsFormat = Arguments.Option<string?>(
        "--calls-format --format -O", "the form of --calls, if the name does not say it: " + string.Join(", ", CallFile.Formats));

    readonly Option<string?> hdr = Arguments.Option<string?>("--hdr", "writes the histograms as an HdrHistogram log");

    readonly Option<string?> csv = Arguments.Option<string?>("--csv", "writes each round and each of its seconds as CSV");

    readonly Option<string?> html = Arguments.Option<string?>("--html", "writes the page that the verb report of ProtoBench makes of the result");

    readonly Option<Uri?> otlp = Arguments.Option(
        "--otlp", "sends calls, messages of streams, calls in flight and latency each second to this OpenTelemetry collector: http://host:4318", Collector);

    public IEnumerable<Option> All =>
        [client, requests, concurrency, connections, rate, arrivals, duration, maxInFlight, warmup, rounds, percentiles, timeout, drain,
            expected, seed, pacer, interleave, failIf, file, calls, callsFormat, hdr, csv, html, otlp];

    public LoadOptions()
    {
        callsFormat.AcceptOnlyFromAmong([.. CallFile.Formats]);
        client.AcceptOnlyFromAmong(StackClient.Name, EventLoopClient.Name);
        failIf.Arity = ArgumentArity.OneOrMore;
    }

    /// <remarks>They are still parsed, so that the command can give the reason for refusing them.</remarks>
    public void HideUnusedBySweep(TimeSpan defaultDuration)
    {
        duration.Description = $"length of a round: 500ms, 30s, 2m ({defaultDuration.TotalSeconds}s)";
        foreach (var option in (Option[])[requests, rounds, rate, interleave, failIf, calls, callsFormat, hdr])
            option.Hidden = true;
    }

    public bool HasCounts(ParseResult parsed) =>
        parsed.GetResult(requests) is { Implicit: false } || parsed.GetResult(rounds) is { Implicit: false };

    public LoadPlan Plan(ParseResult parsed, HivePayload payload, bool attribute, string clientByDefault = StackClient.Name,
        bool hasSteps = false)
    {
        // an option without a value is an empty list
        var open = parsed.GetValue(rate) is { Length: > 0 };
        var loads = open ? parsed.GetValue(rate)! : parsed.GetValue(concurrency) is { Length: > 0 } callers ? callers : [(1, 1)];
        TimeSpan? timeLimit = parsed.GetValue(timeout) is var limit && limit == System.Threading.Timeout.InfiniteTimeSpan ? null : limit;
        var plan = new LoadPlan
        {
            Client = parsed.GetValue(client) ?? clientByDefault,
            Requests = open ? null : parsed.GetValue(requests) ?? (parsed.GetValue(duration) is null ? DefaultRequests : null),
            Duration = parsed.GetValue(duration) ?? (open ? TimeSpan.FromSeconds(10) : null),
            Concurrency = open ? 1 : (int)loads[0].From,
            Connections = parsed.GetValue(connections),
            Rate = open ? loads[0].From : null,
            Poisson = parsed.GetValue(arrivals) == "poisson",
            MaxInFlight = parsed.GetValue(maxInFlight),
            Warmup = parsed.GetValue(warmup),
            Rounds = parsed.GetValue(rounds),
            Percentiles = parsed.GetValue(percentiles)!,
            Timeout = timeLimit,
            Drain = parsed.GetValue(drain) ?? (timeLimit > LocalClient.AtLeast ? timeLimit.Value : LocalClient.AtLeast),
            Expected = parsed.GetValue(expected),
            Seed = parsed.GetValue(seed),
            Spin = parsed.GetValue(pacer) == "spin",
            Interleave = parsed.GetValue(interleave),
            FailIf = parsed.GetValue(failIf) ?? [],
            Attribute = attribute,
            Payload = payload,
            Files = new(parsed.GetValue(file), parsed.GetValue(hdr), parsed.GetValue(csv), parsed.GetValue(html), parsed.GetValue(calls),
                parsed.GetValue(callsFormat)),
            Otlp = parsed.GetValue(otlp),
            CommandLine = string.Join(' ', parsed.Tokens.Select(token => token.Value)),
            Arguments = [.. parsed.Tokens.Select(token => token.Value)],
        };
        if (attribute && plan.Client == EventLoopClient.Name)
            throw new UsageException($"--client {EventLoopClient.Name} has no codec: --attribute needs {StackClient.Name}");
        Check(plan, open && parsed.GetValue(requests) is not null);
        if (loads.Length == 1)
            return plan;
        var isLine = loads[0].From != loads[0].To;
        if (!hasSteps)
            throw new UsageException($"{(open ? rate.Name : concurrency.Name)} has several values: steps are for load");
        if (plan.FailIf.Count > 0)
            throw new UsageException("--fail-if: the rounds of steps have different loads; name one load");
        if (isLine && plan.Poisson)
            throw new UsageException("--arrivals poisson: a line of rates has constant arrivals; name a step");
        if (plan.Files.Hdr is not null || plan.Duration is null)
            throw new UsageException("steps are rounds of --duration: no --requests and --hdr");
        if (isLine)
            plan = plan with { Duration = plan.Duration / loads.Length };
        return plan with
        {
            Rounds = parsed.GetResult(rounds) is { Implicit: false } ? plan.Rounds : 1,
            Steps = [.. loads.Select(load => new LoadStep((load.From + load.To) / 2, open ? "/s" : " callers", open
                ? plan with { Rate = load.From, RateAtEnd = isLine ? load.To : null } : plan with { Concurrency = (int)load.From }))],
        };
    }

    /// <summary>Parses 100, 100,200,400, 100..2000:100 or, of rates, 100..2000.</summary>
    static (double From, double To)[] Steps(ArgumentResult result, bool isRate)
    {
        const int most = 1_000;
        var text = result.Tokens.Single().Value;
        double[][] ranges = [.. text.Split(',').Select(one => one.Split("..") is [var from, var rest]
            ? rest.Split(':').Prepend(from).Select(Number).ToArray() : [Number(one)])];
        var steps = new List<(double From, double To)>();
        foreach (var range in ranges)
        {
            if (range is [var one] && one > 0)
                steps.Add((one, one));
            else if (range is [var from, var to, var step] && from > 0 && to > 0 && step > 0 && Math.Abs(to - from) / step < most)
                steps.AddRange(Enumerable.Range(0, (int)(Math.Abs(to - from) / step) + 1)
                    .Select(i => from + (i * step * Math.Sign(to - from))).Select(load => (load, load)));
            else if (isRate && ranges.Length == 1 && range is [var low, var high] && low > 0 && high > 0)
                steps.AddRange(Enumerable.Range(0, lineSteps).Select(i => (At(i), At(i + 1))));
            else
                range[0] = 0;

            double At(int i) => range[0] + ((range[1] - range[0]) * i / lineSteps);
        }

        if (ranges.Any(range => range[0] == 0))
        {
            result.AddError($"'{text}' is no value of {Arguments.Name(result)}: 100; steps 100,200,400 or 100..2000:100"
                + (isRate ? "; or a line 100..2000" : ""));
        }

        return [.. steps];

        double Number(string number) =>
            Arguments.Number(number) is { } value && (isRate || (value < int.MaxValue && value % 1 == 0)) ? value : 0;
    }

    static FailCondition[] Conditions(ArgumentResult result)
    {
        var conditions = new List<FailCondition>();
        foreach (var text in result.Tokens.Select(token => token.Value))
        {
            if (FailCondition.Parse(text) is { } condition)
                conditions.Add(condition);
            else
                result.AddError($"'{text}' is no condition for --fail-if: {FailCondition.Forms}");
        }

        return [.. conditions];
    }

    static Uri? Collector(ArgumentResult result)
    {
        var text = result.Tokens.Single().Value;
        if (Uri.TryCreate(text, UriKind.Absolute, out var address) && address.Scheme is "http" or "https")
            return address;
        result.AddError($"'{text}' is not an address for --otlp: http://host:4318");
        return null;
    }

    static HashSet<string>? Statuses(ArgumentResult result)
    {
        var statuses = new HashSet<string>();
        foreach (var name in result.Tokens.Single().Value.Split(','))
        {
            // also FAILED_PRECONDITION, as other languages write it
            if (Enum.GetNames<Grpc.Core.StatusCode>().FirstOrDefault(status =>
                    string.Equals(status, name.Replace("_", "", StringComparison.Ordinal), StringComparison.OrdinalIgnoreCase)) is { } known)
                statuses.Add(known);
            else
                result.AddError($"'{name}' is no status of gRPC: OK, FAILED_PRECONDITION, NOT_FOUND, ...");
        }

        return statuses;
    }

    static void Check(LoadPlan plan, bool requestsInOpenLoop)
    {
        if (requestsInOpenLoop)
            throw new UsageException("--requests is for the closed loop; with --rate a round ends by --duration");
        if (plan.Duration <= TimeSpan.Zero)
            throw new UsageException("--duration must be above 0");
        if (plan.Rate is null && plan.Connections > plan.Concurrency)
            throw new UsageException($"{plan.Connections} connections for {plan.Concurrency} callers: each caller uses one");
        if (plan.Files is { Calls: { } path, CallsFormat: null } && CallFile.FormatOf(path) is null)
            throw new UsageException($"--calls: {path} does not end in .jsonl, .csv or .json: name the form with --calls-format");
        if (plan.Files is { Calls: null, CallsFormat: not null })
            throw new UsageException("--calls-format is the form of --calls, which is missing");
        foreach (var file in new[] { plan.Files.Out, plan.Files.Calls, plan.Files.Hdr, plan.Files.Csv, plan.Files.Html }.OfType<string>())
            ResultFiles.Check(file);
    }
}

namespace ProtoBench.GrpcHost;

sealed class LoadRun(LoadPlan plan, IReadOnlyList<LoadSession> sessions, TextWriter output)
{
    readonly RunStart start = RunStart.Now();
    readonly List<(int Variant, LoadRound Record)> rounds = [];

    public async Task<int> RunAsync(CancellationToken cancellationToken)
    {
        using var cancellation = new RunCancellation(cancellationToken);
        using var metrics = LoadMetrics.Start(plan);
        await using var calls = CallLog.Start(plan);
        foreach (var session in sessions)
        {
            await session.ConnectAsync(cancellationToken);
            if (session.Addresses is { } addresses)
                await output.WriteLineAsync(addresses);
            await session.WarmUpAsync(cancellation);
        }

        foreach (var variant in plan.Order(sessions.Count))
        {
            if (cancellationToken.IsCancellationRequested)
                break;
            await RunRoundAsync(variant, cancellation, metrics, calls);
        }

        if (rounds.Count == 0)
            throw new StoppedException(measured: false, file: null);
        var result = Result(cancellationToken.IsCancellationRequested) with
        {
            PassedLimits = plan.FailIf.Count == 0 ? null : [.. PassedLimits()],
        };
        PrintVariants(result);
        Summary.Print(output, result, plan);
        MachineLoad.Write(output, result.OtherCores);
        foreach (var passed in result.PassedLimits ?? [])
            await output.WriteLineAsync($"FAILED {passed}");
        var files = new ResultFiles();
        await files.WriteAsync(plan, result, calls);
        await files.WriteAsync(plan.Files.Hdr, WriteHistograms);
        return files.ExitCode(cancellationToken.IsCancellationRequested ? ExitCode.Stopped
            : rounds.TrueForAll(round => round.Record.Succeeded == 0) ? ExitCode.Failed
            : result.PassedLimits is { Count: > 0 } ? ExitCode.LimitPassed
            : result.Variants.All(variant => variant.Verdict.Valid) ? ExitCode.Done : ExitCode.Invalid);
    }

    async Task RunRoundAsync(int variant, RunCancellation cancellation, LoadMetrics? metrics, CallLog? calls)
    {
        var session = sessions[variant];
        var before = rounds.Count(round => round.Variant == variant);
        await output.WriteLineAsync();
        await output.WriteLineAsync($"round {before + 1} of {plan.Rounds}: {session.Subject.Name}, {Load()}");
        await output.WriteLineAsync(PublishedReport.Ready);
        var log = calls is null ? null : new RoundLog(calls, session.Subject.Name, before + 1);
        var record = await session.MeasureAsync(plan with { Log = log }, cancellation, metrics) with { Position = rounds.Count };
        rounds.Add((variant, record));
        PublishedReport.Print(output, record);
    }

    string Load() => plan.Rate is { } rate
        ? $"open loop, {rate} calls/s, {(plan.Poisson ? "Poisson" : "constant")} arrivals, {plan.Duration!.Value.TotalSeconds} s, client {plan.Client}"
        : $"closed loop, {Count(plan.Concurrency, "call")} at a time, {Count(plan.Connections, "connection")}, client {plan.Client}";

    public static string Count(int number, string what) => $"{number} {what}{(number == 1 ? "" : "s")}";

    LoadResult Result(bool partial) => ResultFacts.Result(start, plan, ResultFacts.Environment(sessions),
        [
            .. rounds.GroupBy(round => round.Variant).OrderBy(variant => variant.Key)
                .Select(variant => Variant(sessions[variant.Key], [.. variant.Select(round => round.Record)])),
        ], partial);

    static LoadVariant Variant(LoadSession session, IReadOnlyList<LoadRound> rounds)
    {
        IReadOnlyDictionary<string, double>[] parts =
            [.. rounds.Select(round => round.AttributionUsPerCall).OfType<IReadOnlyDictionary<string, double>>()];
        return ResultFacts.Variant(session, session.Subject.Name, rounds) with
        {
            ConnectUs = session.Connections[0].ConnectTime?.TotalMicroseconds,
            FirstCallUs = session.FirstCall.TotalMicroseconds,
            AttributionUsPerCall = parts.Length == 0 ? null : CallParts.Average(parts),
        };
    }

    void PrintVariants(LoadResult result)
    {
        output.WriteLine();
        foreach (var subjects in sessions.Select(session => session.Subject).GroupBy(subject => subject.SettingsOf(plan.Client)))
            output.WriteLine($"settings of {subjects.Key} that are not defaults: {subjects.First().Settings(plan.Client) ?? "none"}");
        if (result.Environment.Clock is { } clock)
        {
            output.WriteLine($"clock: steps of {clock.ResolutionNs} ns; wakes up late by {clock.WakeUpDelayP50Us:F0} μs (50 %) and "
                + $"{clock.WakeUpDelayP99Us:F0} μs (99 %) with --pacer {clock.Pacer}");
        }

        foreach (var reason in plan.LeftOut)
            output.WriteLine($"left out: {reason}");
        foreach (var variant in result.Variants)
        {
            output.WriteLine();
            output.WriteLine($"{variant.Name}: {variant.Verdict}");
            foreach (var reason in variant.Verdict.Reasons)
                output.WriteLine($"  INVALID {reason}");
            foreach (var note in variant.Verdict.Notes)
                output.WriteLine($"  note: {note}");
            output.WriteLine($"  first connection: {variant.ConnectUs:F0} μs, first call: {variant.FirstCallUs:F0} μs");
        }
    }

    /// <summary>Returns where a round has passed a limit of <c>--fail-if</c>.</summary>
    IEnumerable<string> PassedLimits() =>
        from variant in rounds.GroupBy(round => round.Variant)
        from round in variant.Index()
        from passed in plan.FailIf.Select(condition => condition.Broken(round.Item.Record)).OfType<string>()
        select $"{sessions[variant.Key].Subject.Name}, round {round.Index + 1}: {passed}";

    Task WriteHistograms(TextWriter file)
    {
        HistogramLog.WriteHeader(file, start.At);
        var began = TimeSpan.Zero;
        foreach (var (variant, record) in rounds)
        {
            foreach (var second in record.Seconds!)
            {
                (string What, LatencyRecord? Times)[] histograms =
                [
                    ("", second.Latency), (" between messages", second.Messages?.BetweenMessages), (" message to answer", second.Messages?.ToAnswer),
                ];
                foreach (var (what, times) in histograms.Where(one => one.Times is not null))
                {
                    HistogramLog.WriteInterval(file, sessions[variant].Subject.Name + what, began + TimeSpan.FromSeconds(second.Second),
                        TimeSpan.FromSeconds(record.LengthOf(second)), times!.Decode());
                }
            }

            var end = record.Seconds is [.., var last] ? last.Second + record.LengthOf(last) : 0;
            began += TimeSpan.FromSeconds(Math.Max(record.DurationSeconds, end));
        }

        return Task.CompletedTask;
    }
}

/// <summary>Where a run writes its result, for each form; null for nowhere.</summary>
/// <param name="CallsFormat">Null for that of the extension.</param>
sealed record LoadFiles(
    string? Out = null, string? Hdr = null, string? Csv = null, string? Html = null, string? Calls = null, string? CallsFormat = null);

sealed record LoadPlan
{
    public string Client { get; init; } = StackClient.Name;

    /// <summary>The number of processes that make the calls. Each has a part of the connections.</summary>
    public int Processes { get; init; } = 1;

    /// <summary>The arguments of this program, for the processes of the client.</summary>
    public IReadOnlyList<string> Arguments { get; init; } = [];

    /// <summary>The number of calls of a round of the closed loop; null if <see cref="Duration"/> ends it.</summary>
    public long? Requests { get; init; }

    public TimeSpan? Duration { get; init; }

    public int Concurrency { get; init; } = 1;

    public int Connections { get; init; } = 1;

    /// <summary>The calls per second of the open loop; null for the closed loop.</summary>
    public double? Rate { get; init; }

    /// <summary>The rate at the end of the round, if it changes evenly; null if it stays.</summary>
    public double? RateAtEnd { get; init; }

    /// <summary>The loads of a run with several, in their order; each is a round.</summary>
    public IReadOnlyList<LoadStep> Steps { get; init; } = [];

    public bool Poisson { get; init; }

    public int MaxInFlight { get; init; } = 10_000;

    public int MostInFlight => Rate is null ? Concurrency : MaxInFlight;

    public TimeSpan Warmup { get; init; }

    public int Rounds { get; init; } = 2;

    public IReadOnlyList<double> Percentiles { get; init; } = [50, 90, 95, 99, 99.9];

    public TimeSpan? Timeout { get; init; }

    /// <summary>Calls may take this long after the end of a timed round. Then they are cancelled, and count as failed.</summary>
    public TimeSpan Drain { get; init; } = TimeSpan.FromMinutes(1);

    /// <summary>The limits that no round may pass.</summary>
    public IReadOnlyList<FailCondition> FailIf { get; init; } = [];

    /// <summary>The statuses that are no failures; null for OK.</summary>
    public IReadOnlySet<string>? Expected { get; init; }

    public int Seed { get; init; }

    public bool Spin { get; init; }

    /// <summary>Whether rounds of the variants are interleaved in the order A B B A.</summary>
    public bool Interleave { get; init; }

    public bool Attribute { get; init; }

    /// <summary>Whether the client is a part of what is compared, as where each codec is run on both sides.</summary>
    public bool ComparesClient { get; init; }

    public required HivePayload Payload { get; init; }

    public LoadFiles Files { get; init; } = new();

    /// <summary>Where the calls of this round are written; null for nowhere.</summary>
    public RoundLog? Log { get; init; }

    /// <summary>The OpenTelemetry collector that receives the figures while the load runs; null for none.</summary>
    public Uri? Otlp { get; init; }

    public IReadOnlyList<string> LeftOut { get; init; } = [];

    public string CommandLine { get; init; } = "";

    /// <summary>The order of the rounds: A A B B, or A B B A A B B A if they are interleaved.</summary>
    public IEnumerable<int> Order(int variants) => Interleave
        ? Enumerable.Range(0, Rounds)
            .SelectMany(round => round % 2 == 0 ? Enumerable.Range(0, variants) : Enumerable.Range(0, variants).Reverse())
        : Enumerable.Range(0, variants).SelectMany(variant => Enumerable.Repeat(variant, Rounds));
}

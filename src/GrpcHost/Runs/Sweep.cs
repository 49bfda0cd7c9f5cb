using System.Globalization;

namespace ProtoBench.GrpcHost;

/// <param name="Load">Percent of the peak, calls per second, or callers.</param>
/// <param name="Unit">" %", "/s" or " callers".</param>
sealed record LoadStep(double Load, string Unit, LoadPlan Plan)
{
    public override string ToString() => Load.ToString("0.##", CultureInfo.InvariantCulture) + Unit;
}

/// <param name="plan">With its steps, or the closed loop that finds the peak, which starts with its concurrency. Its duration is that of
/// every step.</param>
sealed class Sweep(LoadPlan plan, TextWriter output)
{
    /// <summary>The maximum number of callers. A machine that fewer do not saturate is not saturated by more.</summary>
    public const int MostCallers = 256;

    // also above the peak, where the queues grow
    static readonly int[] percents = [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
    readonly RunStart start = RunStart.Now();
    readonly List<LoadVariant> variants = [];
    int measured;

    public async Task<int> RunAsync(IReadOnlyList<LoadSession> sessions, CancellationToken cancellationToken)
    {
        using var cancellation = new RunCancellation(cancellationToken);
        using var metrics = LoadMetrics.Start(plan);
        await using var calls = CallLog.Start(plan);
        foreach (var reason in plan.LeftOut)
            await output.WriteLineAsync($"left out: {reason}");
        try
        {
            foreach (var session in sessions)
            {
                await session.ConnectAsync(cancellationToken);
                if (session.Addresses is { } addresses)
                    await output.WriteLineAsync(addresses);
                await session.WarmUpAsync(cancellation);
                await SweepAsync(session, cancellation, metrics, calls);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested && variants.Count > 0)
        {
            // a later session was about to connect; the result has the earlier ones
        }

        MachineLoad.Write(output, start.OtherCores);
        var files = new ResultFiles();
        var result = ResultFacts.Result(
            start, plan, ResultFacts.Environment(sessions), variants, cancellationToken.IsCancellationRequested);
        await files.WriteAsync(plan, result with
        {
            Settings = plan.Steps.Count > 0 ? result.Settings with { RatePerSecond = null, Concurrency = null }
                : result.Settings with { Loop = "open", Arrivals = plan.Poisson ? "poisson" : "constant" },
        }, calls);

        return files.ExitCode(cancellationToken.IsCancellationRequested
            ? ExitCode.Stopped : variants.Exists(variant => variant.Verdict.Valid) ? ExitCode.Done : ExitCode.Invalid);
    }

    async Task SweepAsync(LoadSession session, RunCancellation cancellation, LoadMetrics? metrics, CallLog? calls)
    {
        await output.WriteLineAsync();
        if (plan.Steps.Count > 0)
        {
            await MakeAsync(session, plan.Steps, cancellation, metrics, calls);
            return;
        }

        var most = session.Subject.Stack.Multiplexed ? MostCallers : plan.Connections;
        var peak = await Saturation.FindAsync(
            async concurrency =>
            {
                if (cancellation.Token.IsCancellationRequested)
                    return 0;
                var closed = plan with { Concurrency = concurrency };
                var reached = (await session.MeasureAsync(closed, cancellation, metrics)).SucceededPerSecond;
                await output.WriteLineAsync($"{session.Subject.Name}: {reached:F0} calls/s with {concurrency} at a time");
                return reached;
            },
            Math.Min(plan.Concurrency, most),
            most);
        if (peak.CallsPerSecond == 0)
        {
            await output.WriteLineAsync($"{session.Subject.Name}: no peak: no call succeeded");
            return;
        }

        await output.WriteLineAsync($"{session.Subject.Name}: peak {peak.CallsPerSecond:F0} calls/s in the closed loop, {peak.Concurrency} at a time");
        await MakeAsync(session, [.. percents.Select(percent =>
            new LoadStep(percent, " %", plan with { Rate = peak.CallsPerSecond * percent / 100 }))], cancellation, metrics, calls);
    }

    async Task MakeAsync(LoadSession session, IReadOnlyList<LoadStep> steps, RunCancellation cancellation, LoadMetrics? metrics,
        CallLog? calls)
    {
        var width = Math.Max(5, steps.Max(step => step.ToString().Length));
        List<LoadRound>[] rounds = [.. steps.Select(_ => new List<LoadRound>())];
        for (var number = 1; number <= plan.Rounds; number++)
        {
            if (plan.Rounds > 1)
                await output.WriteLineAsync($"round {number} of {plan.Rounds}");
            await output.WriteLineAsync($"{"load".PadLeft(width)} {"rate/s",9} {"achieved",9} {"p50 μs",9} {"p99 μs",9} {"p99.9 μs",9} {"service p99",11} {"lag p99",8} {"skipped",8}  verdict");
            foreach (var (index, step) in steps.Index())
            {
                if (cancellation.Token.IsCancellationRequested)
                    break;
                var log = calls is null ? null : new RoundLog(calls, NameOf(session, step), number);
                var round = await session.MeasureAsync(step.Plan with { Log = log }, cancellation, metrics) with { Position = measured++ };
                rounds[index].Add(round);
                if (round.Succeeded > 0)
                    await output.WriteLineAsync(Line(step, round, width));
            }
        }

        List<(double Load, double? P99, bool Valid)> done = [];
        foreach (var (index, step) in steps.Index().Where(step => rounds[step.Index].Count > 0))
        {
            var variant = ResultFacts.Variant(session, NameOf(session, step), rounds[index],
                rounds[index] is [var one] ? [.. RunChecks.Faults(one)] : null);
            variants.Add(variant with { Callers = step.Plan.Rate is null ? step.Plan.Concurrency : null });
            double[] p99 = [.. rounds[index].Where(round => round.Succeeded > 0).Select(round => (double)Response(round).Percentile(99))];
            done.Add((step.Load, p99.Length == 0 ? null : Median.Of(p99).Value, variant.Verdict.Valid));
        }

        await output.WriteLineAsync(SweepKnee.Of(done, steps[0].Unit).Sentence);
    }

    static string NameOf(LoadSession session, LoadStep step) =>
        $"{session.Subject.Name}@{step.ToString().Replace(" ", "", StringComparison.Ordinal)}";

    static LatencyHistogram Response(LoadRound round) => (round.Response ?? round.Service).Decode();

    static string Line(LoadStep step, LoadRound round, int width)
    {
        var rate = (step.Plan.Rate + (step.Plan.RateAtEnd ?? step.Plan.Rate)) / 2 ?? round.AttemptedPerSecond;
        var response = Response(round);
        var verdict = RunChecks.Faults(round).FirstOrDefault() is { } fault ? $"INVALID: {fault}" : "VALID";
        return $"{step.ToString().PadLeft(width)} {rate,9:F0} {round.SucceededPerSecond,9:F0} {response.Percentile(50),9} {response.Percentile(99),9} {response.Percentile(99.9),9} {round.Service.Decode().Percentile(99),11} {round.ScheduleLag?.Decode().Percentile(99) ?? 0,8} {round.Skipped,8}  {verdict}";
    }
}

/// <summary>The maximum of a closed loop. The callers are doubled until the throughput stops growing.</summary>
sealed record Saturation(double CallsPerSecond, int Concurrency)
{
    // Below this factor a doubling was of no use. Two such doublings are needed, because noise may hide one.
    const double growth = 1.05;
    const int doublingsWithout = 2;

    public static async Task<Saturation> FindAsync(Func<int, Task<double>> throughput, int from, int most)
    {
        var best = new Saturation(0, from);
        var without = 0;
        for (var concurrency = from; ; concurrency = Math.Min(2 * concurrency, most))
        {
            var reached = await throughput(concurrency);
            without = reached > best.CallsPerSecond * growth ? 0 : without + 1;
            if (reached > best.CallsPerSecond)
                best = new(reached, concurrency);
            if (without == doublingsWithout || concurrency >= most)
                return best;
        }
    }
}

using System.Globalization;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Printing;
using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost;

/// <summary>Latency against load: where does it begin to rise?</summary>
/// <param name="plan">The closed loop that finds the peak; its duration is that of every step.</param>
/// <param name="output">Where the table goes.</param>
sealed class Sweep(LoadPlan plan, TextWriter output)
{
    // The knee is the last step whose p99 is within so many times the p99 of the first.
    const double kneeAt = 3;

    static readonly int[] steps = [20, 30, 40, 50, 60, 70, 80, 90];
    readonly DateTimeOffset began = DateTimeOffset.Now;
    readonly List<LoadVariant> variants = [];

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(IReadOnlyList<LoadSession> sessions, CancellationToken stop)
    {
        using var stopping = new Stopping(stop);
        foreach (var reason in plan.LeftOut)
            Line($"left out: {reason}");
        foreach (var session in sessions)
        {
            await session.ConnectAsync(stop);
            await session.WarmUpAsync(stopping);
            await SweepAsync(session, stopping);
        }

        if (plan.Out is { } file)
        {
            LoadResultFile.Write(file, new()
            {
                StartedAt = began,
                Partial = stop.IsCancellationRequested,
                Environment = ResultFacts.Environment(sessions),
                Settings = ResultFacts.Settings(plan) with { Loop = "open", Arrivals = plan.Poisson ? "poisson" : "constant" },
                LeftOut = plan.LeftOut.Count == 0 ? null : plan.LeftOut,
                Variants = variants,
            });
        }

        return stop.IsCancellationRequested ? ExitCode.Stopped : variants.Exists(variant => variant.Verdict.Valid) ? ExitCode.Done : ExitCode.Invalid;
    }

    async Task SweepAsync(LoadSession session, Stopping stopping)
    {
        var closed = (await RoundAsync(session, plan, stopping)).ToRecord(0, plan);
        Line($"");
        Line($"{session.Subject.Name}: peak {closed.SucceededPerSecond:F0} calls/s in the closed loop, {plan.Concurrency} at a time");
        Line($"{"load",5} {"rate/s",9} {"achieved",9} {"p50 us",9} {"p99 us",9} {"p99.9 us",9} {"service p99",11} {"lag p99",8} {"skipped",8}  verdict");
        List<long?> p99s = [];
        foreach (var step in steps)
        {
            if (stopping.Stop.IsCancellationRequested)
                break;
            var open = plan with { Rate = closed.SucceededPerSecond * step / 100 };
            var figures = await RoundAsync(session, open, stopping);
            var round = figures.ToRecord(variants.Count, open);
            string[] faults = [.. RunChecks.Faults(figures)];
            variants.Add(Variant(session, step, round, faults, figures, open));
            p99s.Add(round.Succeeded == 0 ? null : figures.Window.Calls.Response.Percentile(99));
            if (round.Succeeded == 0)
                continue;
            var response = figures.Window.Calls.Response;
            Line($"{step,3} % {open.Rate,9:F0} {round.SucceededPerSecond,9:F0} {response.Percentile(50),9} {p99s[^1],9} {response.Percentile(99.9),9} {figures.Window.Calls.Service.Percentile(99),11} {figures.Window.Calls.Lag.Percentile(99),8} {round.Skipped,8}  {(faults.Length == 0 ? "VALID" : "INVALID: " + faults[0])}");
        }

        if (Knee(p99s) is { } knee)
        {
            if (knee == steps[^1])
                Line($"no knee up to {knee} %: p99 stays within {kneeAt} times that of {steps[0]} %");
            else
                Line($"the knee is at {knee} %: above it p99 is more than {kneeAt} times that of {steps[0]} %");
        }
    }

    /// <summary>The last load of those from the first on whose p99 is within bounds; null when the first has none.</summary>
    /// <param name="p99s">For each load in turn, or null where no call succeeded.</param>
    internal static int? Knee(IReadOnlyList<long?> p99s)
    {
        var within = p99s.TakeWhile(p99 => p99 <= kneeAt * p99s[0]).Count();
        return within == 0 ? null : steps[within - 1];
    }

    static Task<RoundFigures> RoundAsync(LoadSession session, LoadPlan plan, Stopping stopping)
    {
        try
        {
            return Progress.ShowAsync(session.Subject.Name, started => session.RunAsync(plan, stopping, started), null);
        }
        catch (RpcException e)
        {
            throw new RunException(ExitCode.Failed, $"{session.Subject.Name}: the control connection failed: {e.Message}", e);
        }
    }

    static LoadVariant Variant(LoadSession session, int step, LoadRound round, string[] faults, RoundFigures figures, LoadPlan open) => new()
    {
        Name = string.Create(CultureInfo.InvariantCulture, $"{session.Subject.Name}@{step}%"),
        Stack = session.Subject.Stack.Name,
        Codec = session.Subject.Codec,
        Memory = session.Subject.Memory,
        Transport = ResultFacts.Transport(session),
        Rounds = [round],
        Verdict = new() { Valid = faults.Length == 0, Reasons = faults, Notes = [.. RunChecks.Notes(session, [figures])] },
    };

    void Line(FormattableString line) => output.WriteLine(line.ToString(CultureInfo.InvariantCulture));
}

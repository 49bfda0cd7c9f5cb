using System.Globalization;
using Grpc.Core;
using ProtoBench.GrpcHost.Load;
using ProtoBench.GrpcHost.Printing;
using ProtoBench.Results;
using ProtoBench.Rpc;

namespace ProtoBench.GrpcHost.Runs;

/// <summary>Measures latency at several loads and finds the load at which it begins to rise.</summary>
/// <param name="plan">The closed loop that finds the peak, from its concurrency upwards; its duration is that of every step.</param>
/// <param name="output">Where the table goes.</param>
sealed class Sweep(LoadPlan plan, TextWriter output)
{
    // A machine that is saturated by fewer than this is not helped by more.
    const int mostAtATime = 256;

    // Beyond the peak, too: there the queues grow.
    static readonly int[] steps = [20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120];
    readonly DateTimeOffset began = DateTimeOffset.Now;
    readonly List<LoadVariant> variants = [];

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(IReadOnlyList<LoadSession> sessions, CancellationToken cancellationToken)
    {
        using var cancellation = new RunCancellation(cancellationToken);
        foreach (var reason in plan.LeftOut)
            Line($"left out: {reason}");
        foreach (var session in sessions)
        {
            await session.ConnectAsync(cancellationToken);
            await session.WarmUpAsync(cancellation);
            await SweepAsync(session, cancellation);
        }

        if (plan.Out is { } file)
        {
            LoadResultFile.Write(file, new()
            {
                StartedAt = began,
                Partial = cancellationToken.IsCancellationRequested,
                Environment = ResultFacts.Environment(sessions),
                Settings = ResultFacts.Settings(plan) with { Loop = "open", Arrivals = plan.Poisson ? "poisson" : "constant" },
                LeftOut = plan.LeftOut.Count == 0 ? null : plan.LeftOut,
                Variants = variants,
            });
        }

        return cancellationToken.IsCancellationRequested
            ? ExitCode.Stopped : variants.Exists(variant => variant.Verdict.Valid) ? ExitCode.Done : ExitCode.Invalid;
    }

    async Task SweepAsync(LoadSession session, RunCancellation cancellation)
    {
        Line($"");
        var most = session.Subject.Stack.Multiplexed ? mostAtATime : plan.Connections;
        var peak = await Saturation.FindAsync(
            async concurrency =>
            {
                if (cancellation.Token.IsCancellationRequested)
                    return 0;
                var closed = plan with { Concurrency = concurrency };
                var reached = (await RoundAsync(session, closed, cancellation)).ToRecord(0, closed).SucceededPerSecond;
                Line($"{session.Subject.Name}: {reached:F0} calls/s with {concurrency} at a time");
                return reached;
            },
            Math.Min(plan.Concurrency, most),
            most);
        if (peak.CallsPerSecond == 0)
        {
            Line($"{session.Subject.Name}: no peak: no call succeeded");
            return;
        }

        Line($"{session.Subject.Name}: peak {peak.CallsPerSecond:F0} calls/s in the closed loop, {peak.Concurrency} at a time");
        Line($"{"load",5} {"rate/s",9} {"achieved",9} {"p50 us",9} {"p99 us",9} {"p99.9 us",9} {"service p99",11} {"lag p99",8} {"skipped",8}  verdict");
        List<(double Percent, double? P99, bool Valid)> done = [];
        foreach (var step in steps)
        {
            if (cancellation.Token.IsCancellationRequested)
                break;
            var open = plan with { Rate = peak.CallsPerSecond * step / 100 };
            var figures = await RoundAsync(session, open, cancellation);
            var round = figures.ToRecord(variants.Count, open);
            string[] faults = [.. RunChecks.Faults(figures)];
            variants.Add(Variant(session, step, round, faults, figures, open));
            var response = figures.Window.Calls.Response;
            done.Add((step, round.Succeeded == 0 ? null : response.Percentile(99), faults.Length == 0));
            if (round.Succeeded == 0)
                continue;
            Line($"{step,3} % {open.Rate,9:F0} {round.SucceededPerSecond,9:F0} {response.Percentile(50),9} {response.Percentile(99),9} {response.Percentile(99.9),9} {figures.Window.Calls.Service.Percentile(99),11} {figures.Window.Calls.Lag.Percentile(99),8} {round.Skipped,8}  {(faults.Length == 0 ? "VALID" : "INVALID: " + faults[0])}");
        }

        Line($"{SweepKnee.Of(done).Sentence}");
    }

    static Task<RoundFigures> RoundAsync(LoadSession session, LoadPlan plan, RunCancellation cancellation)
    {
        try
        {
            return Progress.ShowAsync(session.Subject.Name, started => session.RunAsync(plan, cancellation, started), null);
        }
        catch (RpcException e)
        {
            throw new RunException(ExitCode.Failed, $"{session.Subject.Name}: the control connection failed: {e.Message}", e);
        }
    }

    static LoadVariant Variant(LoadSession session, int step, LoadRound round, string[] faults, RoundFigures figures, LoadPlan open) =>
        new()
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

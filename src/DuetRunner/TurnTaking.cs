using System.Diagnostics;
using System.Runtime.ExceptionServices;

namespace ProtoBench.DuetRunner;

/// <summary>One cell of a pair in this process, the other one in another, which run their
/// slices in turns. The turn is a byte in a pipe: only one of the two is ever awake.</summary>
static class TurnTaking
{
    public static IReadOnlyList<RunnerPairOutput> Measure(CellCatalog catalog, RunnerJob job)
    {
        using var partner = Partner.Meet(job.Pipe!, job.RunsOld);
        return [.. job.Pairs.Select((pair, i) => Measure(catalog, job.RunsOld ? pair.Old : pair.New, job, job.RandomOf(i), partner))];
    }

    static RunnerPairOutput Measure(CellCatalog catalog, string name, RunnerJob job, Random random, Partner partner)
    {
        MeasuredCell? cell = null;
        try
        {
            PartnerFacts own;
            var (warm, quiet) = (0.0, false);
            try
            {
                cell = catalog.Find(name);
                var done = WarmUp.Run([cell], TimeSpan.FromSeconds(job.WarmUpLimitSeconds));
                if (done.Failed.TryGetValue(cell, out var thrown))
                    ExceptionDispatchInfo.Throw(thrown);
                (warm, quiet) = (done.Seconds, done.Quiet);
                var known = Calibration.Of(cell);
                own = new(null, known.CallNanoseconds, known.BytesPerOperation, known.Waits || !ThreadUse.IsKnown,
                    Thread.GetCurrentProcessorId());
            }
#pragma warning disable CA1031 // the partner has to learn of it, whatever it is
            catch (Exception e)
#pragma warning restore CA1031
            {
                own = new(e is RunnerException ? e.Message : $"{e.GetType().Name}: {e.Message}", 0, 0, false, 0);
            }

            var other = partner.Exchange(own);
            if ((own.Error ?? other.Error) is { } error)
                return new() { Error = error };
            return Measure(cell!, job, random, partner, own, other) with { WarmUpSeconds = warm, Quiet = quiet };
        }
        finally
        {
            cell?.Dispose();
        }
    }

    static RunnerPairOutput Measure(MeasuredCell cell, RunnerJob job, Random random, Partner partner, PartnerFacts own, PartnerFacts other)
    {
        var waits = own.Waits || other.Waits;
        var slice = own.BytesPerOperation > 0 || other.BytesPerOperation > 0 ? job.AllocatingSliceMilliseconds : job.SliceMilliseconds;
        var log = new SliceLog(cell, new Calibration(own.CallNanoseconds, own.BytesPerOperation, own.Waits).CallsIn(slice));
        var callNanoseconds = EmptyCall.Nanoseconds();
        GC.Collect();
        GC.WaitForPendingFinalizers();

        // Cells that wait for others may need every core.
        using var bound = waits ? null : OneCore.Bind(job.RunsOld ? own.Core : other.Core);
        var handOver = partner.HandOverNanoseconds();
        TakeTurns(log, job, random, partner);
        var side = log.ToSide(own.BytesPerOperation);
        return new()
        {
            Old = job.RunsOld ? side : null,
            New = job.RunsOld ? null : side,
            Clock = waits ? "wall" : "cpu",
            CallNanoseconds = callNanoseconds,
            HandOverNanoseconds = handOver,
            Core = bound?.Core,
        };
    }

    // Both runners draw the same order from the same seed, so the byte that passes says only "your turn" or "it is over".
    static void TakeTurns(SliceLog log, RunnerJob job, Random random, Partner partner)
    {
        var clock = Stopwatch.StartNew();
        var mine = true; // nobody waits before the first slice
        for (var count = -OneProcess.DroppedPairs; ; count++)
        {
            var oldFirst = random.Next(2) == 0;
            if (count == 0)
            {
                log.Clear();
                clock.Restart();
            }

            for (var slot = 0; slot < 2; slot++)
            {
                var isOwn = (slot == 0 ? oldFirst : !oldFirst) == job.RunsOld;
                var first = count == -OneProcess.DroppedPairs && slot == 0;
                if (!isOwn)
                {
                    if (mine && !first)
                        partner.PassTurn();
                    mine = false;
                    continue;
                }

                if (!mine && !partner.AwaitTurn())
                    return;
                mine = true;
                log.Run();
            }

            // Who has the turn after a pair looks at the clock, and ends it for both.
            if (mine && count + 1 >= OneProcess.LeastPairs && clock.Elapsed.TotalSeconds >= job.Seconds)
            {
                partner.EndTurns();
                return;
            }
        }
    }
}

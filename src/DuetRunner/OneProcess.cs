using System.Diagnostics;

namespace ProtoBench.DuetRunner;

/// <summary>Both cells of a pair in this process, slice by slice, the order of each pair of slices drawn at random.</summary>
static class OneProcess
{
    /// <summary>Pairs of slices that are run first and not counted.</summary>
    public const int DroppedPairs = 3;

    /// <summary>The least number of pairs of slices, however long they take.</summary>
    public const int LeastPairs = 5;

    public static RunnerPairOutput Measure(CellCatalog catalog, RunnerPair pair, RunnerJob job, int index)
    {
        try
        {
            using var old = catalog.Find(pair.Old);
            using var @new = catalog.Find(pair.New);
            return Measure(old, @new, job, job.RandomOf(index));
        }
#pragma warning disable CA1031 // whatever a cell throws here, the pair has failed and the others go on
        catch (Exception e)
#pragma warning restore CA1031
        {
            return new() { Error = e is RunnerException ? e.Message : $"{e.GetType().Name}: {e.Message}" };
        }
    }

    static RunnerPairOutput Measure(MeasuredCell old, MeasuredCell @new, RunnerJob job, Random random)
    {
        // The one that comes first here is compiled first, and its objects lie first.
        var swapped = random.Next(2) == 0;
        var (warm, quiet) = WarmUp.Run(swapped ? [@new, old] : [old, @new], TimeSpan.FromSeconds(job.WarmUpLimitSeconds));
        var (knownOld, knownNew) = (Calibration.Of(old), Calibration.Of(@new));
        var allocates = knownOld.BytesPerOperation > 0 || knownNew.BytesPerOperation > 0;
        var slice = allocates ? job.AllocatingSliceMilliseconds : job.SliceMilliseconds;
        var (oldLog, newLog) = (new SliceLog(old, knownOld.CallsIn(slice)), new SliceLog(@new, knownNew.CallsIn(slice)));
        var callNanoseconds = EmptyCall.Nanoseconds();
        GC.Collect();
        GC.WaitForPendingFinalizers();

        var clock = Stopwatch.StartNew();
        for (var count = -DroppedPairs; count < LeastPairs || clock.Elapsed.TotalSeconds < job.Seconds; count++)
        {
            if (count == 0)
            {
                oldLog.Clear();
                newLog.Clear();
                clock.Restart();
            }

            var (first, second) = random.Next(2) == 0 ? (oldLog, newLog) : (newLog, oldLog);
            first.Run();
            second.Run();
        }

        return new()
        {
            Old = oldLog.ToSide(knownOld.BytesPerOperation),
            New = newLog.ToSide(knownNew.BytesPerOperation),
            Clock = ThreadUse.IsKnown && !knownOld.Waits && !knownNew.Waits ? "cpu" : "wall",
            WarmUpSeconds = warm,
            Quiet = quiet,
            CallNanoseconds = callNanoseconds,
        };
    }
}

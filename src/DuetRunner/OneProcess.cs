using System.Diagnostics;

namespace ProtoBench.DuetRunner;

// The order of each pair of slices is random. Several pairs are set up and warmed up together, and measured one after the other.
static class OneProcess
{
    /// <summary>The number of pairs of slices that run first and are not counted.</summary>
    public const int DroppedPairs = 3;

    /// <summary>The minimum number of pairs of slices, independent of the time that they take.</summary>
    public const int LeastPairs = 5;

    /// <summary>The output of a pair that cannot be measured has the reason, and the others continue.</summary>
    public static IReadOnlyList<RunnerPairOutput> Measure(CellCatalog catalog, RunnerJob job)
    {
        Prepared[] prepared = [.. job.Pairs.Select((pair, i) => new Prepared(catalog, pair, job.RandomOf(i)))];
        var warm = WarmUp.Run([.. prepared.SelectMany(pair => pair.Cells)], TimeSpan.FromSeconds(job.WarmUpLimitSeconds));
        using var turn = MeasuringTurn.Await(job.Mutex);
        return [.. prepared.Select(pair => pair.Measure(job, warm))];
    }

    sealed class Prepared
    {
        readonly Random random;
        readonly MeasuredCell? old;
        readonly MeasuredCell? @new;
        readonly string? error;

        public Prepared(CellCatalog catalog, RunnerPair pair, Random random)
        {
            this.random = random;
            try
            {
                old = catalog.Find(pair.Old);
                @new = catalog.Find(pair.New);
            }
            catch (Exception e)
            {
                error = Text(e);
                TryDispose();
            }
        }

        /// <summary>Gets the cells to warm up, in random order, because the first one determines the JIT's profile.</summary>
        public MeasuredCell[] Cells => error is not null ? [] : random.Next(2) == 0 ? [@new!, old!] : [old!, @new!];

        /// <summary>Measures and cleans up. It must be called once.</summary>
        public RunnerPairOutput Measure(RunnerJob job, WarmUp warm)
        {
            if (error is not null)
                return new() { Error = error };
            try
            {
                if ((warm.Failed.GetValueOrDefault(old!) ?? warm.Failed.GetValueOrDefault(@new!)) is { } thrown)
                    return new() { Error = Text(thrown) };
                return OneProcess.Measure(old!, @new!, job, random) with { WarmUpSeconds = warm.Seconds, Quiet = warm.Quiet };
            }
            catch (Exception e)
            {
                return new() { Error = Text(e) };
            }
            finally
            {
                TryDispose();
            }
        }

        // The measurement is valid even if the cleanup of a cell fails after it.
        void TryDispose()
        {
            foreach (var cell in new[] { old, @new })
            {
                try
                {
                    cell?.Dispose();
                }
                catch (Exception e)
                {
                    Console.Error.WriteLine($"cleanup: {Text(e)}");
                }
            }
        }

        static string Text(Exception e) => e is RunnerException ? e.Message : $"{e.GetType().Name}: {e.Message}";
    }

    static RunnerPairOutput Measure(MeasuredCell old, MeasuredCell @new, RunnerJob job, Random random)
    {
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
            CallNanoseconds = callNanoseconds,
        };
    }
}

// The runners that wait for their turn set up and warm up, which disturbs it no more than other programs do.
sealed class MeasuringTurn : IDisposable
{
    readonly Mutex? mutex;

    MeasuringTurn(Mutex? mutex) => this.mutex = mutex;

    /// <summary>Waits for the turn. The thread that waited must dispose it.</summary>
    /// <param name="name">The name of the mutex that the runners share; null if there is one runner.</param>
    public static MeasuringTurn Await(string? name)
    {
        if (name is null)
            return new(null);
        var mutex = new Mutex(initiallyOwned: false, name);
        try
        {
            mutex.WaitOne();
        }
        catch (AbandonedMutexException)
        {
            // another runner was killed while it measured, and the mutex now belongs to this one
        }

        return new(mutex);
    }

    public void Dispose()
    {
        mutex?.ReleaseMutex();
        mutex?.Dispose();
    }
}

using System.Diagnostics;
using System.Runtime;

namespace ProtoBench.DuetRunner;

/// <summary>What is known of a warm cell before its slices: how long a call
/// takes, what it allocates, and whether it waits for others.</summary>
/// <param name="CallNanoseconds">The shortest time of a call in ten batches
/// of a millisecond; of three calls, where a call takes longer.</param>
/// <param name="BytesPerOperation">Allocated bytes of an operation, all threads together:
/// the least of three batches, since a thread's allocation is counted in chunks.</param>
/// <param name="Waits">Whether the measuring thread waits for other threads, so
/// that its own processor time is not what an operation costs.</param>
readonly record struct Calibration(double CallNanoseconds, double BytesPerOperation, bool Waits)
{
    const int batches = 10;
    const int leastBatches = 3;
    const double enoughNanoseconds = 2e7;
    const double batchNanoseconds = 1e6;

    public static Calibration Of(MeasuredCell cell)
    {
        var (shortest, waited, calls, batch, sum) = (double.MaxValue, 0, 1L, 0, 0.0);
        for (; batch < leastBatches || (batch < batches && sum < enoughNanoseconds); batch++)
        {
            var switches = ThreadUse.Switches();
            var from = Stopwatch.GetTimestamp();
            cell.Call(calls);
            var took = Stopwatch.GetElapsedTime(from).TotalNanoseconds;
            waited += ThreadUse.Switches().Waited > switches.Waited ? 1 : 0;
            sum += took;
            shortest = Math.Min(shortest, took / calls);
            calls = Math.Max(1, (long)(batchNanoseconds / shortest));
        }

        return new(shortest, Bytes(cell, calls), cell.Waits || GCSettings.IsServerGC || waited > batch / 2);
    }

    /// <summary>How many calls fill a slice.</summary>
    public long CallsIn(double milliseconds) => Math.Max(1, (long)Math.Round(milliseconds * 1e6 / CallNanoseconds));

    static double Bytes(MeasuredCell cell, long calls)
    {
        var least = long.MaxValue;
        for (var i = 0; i < 3; i++)
        {
            var before = GC.GetTotalAllocatedBytes(precise: true);
            cell.Call(calls);
            least = Math.Min(least, GC.GetTotalAllocatedBytes(precise: true) - before);
        }

        return (double)least / calls / cell.OperationsPerCall;
    }
}

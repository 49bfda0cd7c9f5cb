using System.Diagnostics;

namespace ProtoBench.DuetRunner;

/// <summary>What the measuring loop costs by itself.</summary>
static class EmptyCall
{
    /// <summary>Nanoseconds of a call of an empty method: the least of ten batches.</summary>
    public static double Nanoseconds()
    {
        const long calls = 20_000;
        var least = double.MaxValue;
        for (var batch = 0; batch < 10; batch++)
        {
            var from = Stopwatch.GetTimestamp();
            CallLoops.Empty(null, [], calls);
            least = Math.Min(least, Stopwatch.GetElapsedTime(from).TotalNanoseconds / calls);
        }

        return least;
    }
}

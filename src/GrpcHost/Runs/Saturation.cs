namespace ProtoBench.GrpcHost.Runs;

/// <summary>The highest number of calls per second of a closed loop. The number
/// of callers is doubled until the throughput stops growing.</summary>
/// <param name="CallsPerSecond">The highest throughput.</param>
/// <param name="Concurrency">How many calls were in flight then.</param>
sealed record Saturation(double CallsPerSecond, int Concurrency)
{
    // Below this factor a doubling has not helped; noise may hide one, so that it takes two of them.
    const double growth = 1.05;
    const int doublingsWithout = 2;

    /// <summary>Doubles the concurrency until the throughput has stopped growing.</summary>
    /// <param name="throughput">Measures calls per second with so many at a time.</param>
    /// <param name="from">The first concurrency.</param>
    /// <param name="most">The highest concurrency that may be tried.</param>
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

using System.Diagnostics;
using System.Runtime;

namespace ProtoBench.DuetRunner;

/// <summary>Runs cells in turns until the JIT has nothing left to do for them.</summary>
static class WarmUp
{
    // The runtime waits 100 ms without new tier-0 code before it counts calls; then 30 calls make the next tier, and methods that carry a profile pass two of them.
    static readonly TimeSpan quietTime = TimeSpan.FromMilliseconds(300);
    static readonly TimeSpan turn = TimeSpan.FromMilliseconds(5);
    const long leastCalls = 100;

    /// <summary>Warms up.</summary>
    /// <param name="cells">The cells that this process runs.</param>
    /// <param name="limit">When to give up.</param>
    /// <returns>How long it took, and whether nothing was compiled at its end.</returns>
    public static (double Seconds, bool Quiet) Run(IReadOnlyList<MeasuredCell> cells, TimeSpan limit)
    {
        var clock = Stopwatch.StartNew();
        var calls = new long[cells.Count];
        var batch = cells.Select(_ => 1L).ToArray();
        var (methods, since) = (JitInfo.GetCompiledMethodCount(), TimeSpan.Zero);
        while (true)
        {
            for (var i = 0; i < cells.Count; i++)
            {
                var from = clock.Elapsed;
                cells[i].Call(batch[i]);
                calls[i] += batch[i];
                if (clock.Elapsed - from < turn / 2)
                    batch[i] *= 2;
                else if (clock.Elapsed - from > turn * 2 && batch[i] > 1)
                    batch[i] /= 2;
            }

            var now = JitInfo.GetCompiledMethodCount();
            if (now != methods)
                (methods, since) = (now, clock.Elapsed);
            if (clock.Elapsed - since >= quietTime && calls.All(count => count >= leastCalls))
                return (clock.Elapsed.TotalSeconds, true);
            if (clock.Elapsed > limit)
                return (clock.Elapsed.TotalSeconds, clock.Elapsed - since >= quietTime);
        }
    }
}

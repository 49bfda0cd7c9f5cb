using System.Diagnostics;
using System.Runtime;

namespace ProtoBench.DuetRunner;

/// <summary>Runs cells in turns until the JIT has nothing left to do for them.</summary>
/// <param name="Seconds">How long it took.</param>
/// <param name="Quiet">Whether nothing was compiled at its end.</param>
/// <param name="Failed">The cells that threw, with what they threw. They were not called again.</param>
readonly record struct WarmUp(double Seconds, bool Quiet, IReadOnlyDictionary<MeasuredCell, Exception> Failed)
{
    // The runtime waits 100 ms without new tier-0 code before it counts calls; then 30 calls make the next tier, and methods that carry a
    // profile pass two of them. On a busy machine its thread comes late: of 48 processes at a load of 30, three had compiled nothing for
    // 300 ms and had not yet begun to count, so that they measured tier-0 code, ten times slower.
    static readonly TimeSpan quietTime = TimeSpan.FromMilliseconds(500);
    static readonly TimeSpan countingDelay = TimeSpan.FromMilliseconds(100);
    // for a first method of a higher tier: there is none where everything is compiled already
    static readonly TimeSpan patience = TimeSpan.FromSeconds(4);
    static readonly TimeSpan turn = TimeSpan.FromMilliseconds(5);
    const long leastCalls = 70;
    const int leastRounds = 5; // a cell whose calls are long gets a fifth of them in each round

    /// <summary>Warms up all cells together, so that they share one time of waiting for the JIT.</summary>
    /// <param name="cells">The cells that this process runs.</param>
    /// <param name="limit">When to give up. Each cell is called once at least.</param>
    public static WarmUp Run(IReadOnlyList<MeasuredCell> cells, TimeSpan limit)
    {
        var clock = Stopwatch.StartNew();
        var failed = new Dictionary<MeasuredCell, Exception>();
        State[] states = [.. cells.Select(cell => new State(cell))];
        var (methods, since, rounds) = (JitInfo.GetCompiledMethodCount(), TimeSpan.Zero, 0);
        while (true)
        {
            foreach (var state in states.Where(state => !failed.ContainsKey(state.Cell)))
            {
                try
                {
                    state.Run();
                }
#pragma warning disable CA1031 // whatever a cell throws here, its pair has failed and the others go on
                catch (Exception e)
#pragma warning restore CA1031
                {
                    failed[state.Cell] = e;
                }

                if (clock.Elapsed > limit && rounds > 0)
                    break;
            }

            // Quiet: for a while, and for a whole round, so that each cell had its chance to be compiled again.
            var now = JitInfo.GetCompiledMethodCount();
            if (now != methods)
                (methods, since, rounds) = (now, clock.Elapsed, 1);
            else
                rounds++;
            var quiet = IsQuiet(clock.Elapsed, since, rounds);
            if (clock.Elapsed > limit || (quiet && states.All(state => state.Calls >= leastCalls || failed.ContainsKey(state.Cell))))
                return new(clock.Elapsed.TotalSeconds, quiet, failed);
        }
    }

    /// <summary>Whether the JIT has nothing left to do.</summary>
    /// <param name="elapsed">The time since the first call.</param>
    /// <param name="lastCompiled">When it was first seen that the JIT had compiled the last method.</param>
    /// <param name="rounds">Rounds over all cells since then, that one included.</param>
    internal static bool IsQuiet(TimeSpan elapsed, TimeSpan lastCompiled, int rounds) =>
        elapsed - lastCompiled >= quietTime && rounds > 1 && (lastCompiled >= countingDelay || elapsed >= patience);

    sealed class State(MeasuredCell cell)
    {
        long batch = 1;

        public MeasuredCell Cell => cell;

        public long Calls { get; private set; }

        public void Run()
        {
            var from = Stopwatch.GetTimestamp();
            cell.Call(batch);
            Calls += batch;
            var took = Stopwatch.GetElapsedTime(from);
            if (took < turn / 2)
                batch *= 2;
            else if (took > turn * 2 && batch > leastCalls / leastRounds)
                batch = Math.Max(leastCalls / leastRounds, batch / 2);
            else if (batch < leastCalls / leastRounds)
                batch = leastCalls / leastRounds;
        }
    }
}

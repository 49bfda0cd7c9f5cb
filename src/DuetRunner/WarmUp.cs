using System.Diagnostics;
using System.Runtime;

namespace ProtoBench.DuetRunner;

/// <summary>Runs cells in turn until the JIT has no more work for them.</summary>
/// <param name="Failed">The cells that threw, with their exceptions. They were not called again.</param>
readonly record struct WarmUp(double Seconds, bool Quiet, IReadOnlyDictionary<MeasuredCell, Exception> Failed)
{
    // The runtime waits for 100 ms without new tier-0 code before it counts calls. After 30 calls it compiles the next tier, and methods
    // with a profile have two of them. On a busy machine the JIT's thread is delayed. In a test with 48 processes at a load of 30, three
    // processes had compiled nothing for 300 ms and had not begun to count. They measured tier-0 code, which is ten times slower.
    static readonly TimeSpan quietTime = TimeSpan.FromMilliseconds(500);
    static readonly TimeSpan countingDelay = TimeSpan.FromMilliseconds(100);
    // the wait for the first method of a higher tier, which never comes if everything is already compiled
    static readonly TimeSpan patience = TimeSpan.FromSeconds(4);
    static readonly TimeSpan turn = TimeSpan.FromMilliseconds(5);
    const long leastCalls = 70;
    const int leastRounds = 5; // a cell with long calls makes a fifth of leastCalls in each round

    /// <summary>Warms up all cells together, so that they share the wait for the JIT.</summary>
    /// <param name="limit">The maximum time. Each cell is called at least once.</param>
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
                catch (Exception e)
                {
                    failed[state.Cell] = e;
                }

                if (clock.Elapsed > limit && rounds > 0)
                    break;
            }

            // The JIT must be quiet for some time and for a whole round, so that each cell had the chance to be compiled again.
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

    /// <param name="rounds">The number of rounds over all cells since then, including that one.</param>
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

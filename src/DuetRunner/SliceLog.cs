using System.Diagnostics;

namespace ProtoBench.DuetRunner;

/// <summary>Runs the slices of one cell and keeps what each of them took.</summary>
/// <param name="cell">The cell.</param>
/// <param name="calls">Calls in a slice.</param>
sealed class SliceLog(MeasuredCell cell, long calls)
{
    const int room = 1 << 16; // so that no slice has to pay for a list that grows

    static readonly double nanosecondsPerTick = 1e9 / Stopwatch.Frequency;

    readonly List<long> wall = new(room);
    readonly List<long> cpu = new(room);
    readonly List<int> gen0 = new(room);
    readonly List<int> gen1 = new(room);
    readonly List<int> gen2 = new(room);
    readonly List<long> pause = new(room);
    readonly List<long> preemptions = new(room);

    public long Calls => calls;

    /// <summary>Runs one slice. Clocks are read last before it and first after it; everything else around them.</summary>
    public void Run()
    {
        var switches = ThreadUse.Switches();
        var (before0, before1, before2) = (GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2));
        var paused = GC.GetTotalPauseDuration();
        var from = Stopwatch.GetTimestamp();
        var used = ThreadUse.CpuNanoseconds();
        cell.Call(calls);
        used = ThreadUse.CpuNanoseconds() - used;
        var took = Stopwatch.GetTimestamp() - from;
        wall.Add((long)(took * nanosecondsPerTick));
        cpu.Add(used);
        pause.Add((GC.GetTotalPauseDuration() - paused).Ticks * 100);
        gen0.Add(GC.CollectionCount(0) - before0);
        gen1.Add(GC.CollectionCount(1) - before1);
        gen2.Add(GC.CollectionCount(2) - before2);
        preemptions.Add(ThreadUse.Switches().Preempted - switches.Preempted);
    }

    /// <summary>Forgets the slices so far.</summary>
    public void Clear()
    {
        wall.Clear();
        cpu.Clear();
        gen0.Clear();
        gen1.Clear();
        gen2.Clear();
        pause.Clear();
        preemptions.Clear();
    }

    public RunnerSide ToSide(double bytesPerOperation) => new()
    {
        Operations = calls * cell.OperationsPerCall,
        BytesPerOperation = bytesPerOperation,
        Wall = wall,
        Cpu = cpu,
        Gen0 = gen0,
        Gen1 = gen1,
        Gen2 = gen2,
        Pause = pause,
        Preemptions = preemptions,
    };
}

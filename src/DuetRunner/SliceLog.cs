using System.Diagnostics;
using System.Runtime.InteropServices;

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

/// <summary>What the operating system knows about the calling thread. On Linux
/// only; elsewhere all of it is 0, and elapsed time is measured.</summary>
static class ThreadUse
{
    const int threadClock = 3; // CLOCK_THREAD_CPUTIME_ID
    const int thisThread = 1; // RUSAGE_THREAD

    /// <summary>Whether the figures below are known.</summary>
    public static bool IsKnown { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess && CpuNanoseconds() > 0;

    /// <summary>Processor time of the thread so far, its own collections included.</summary>
    public static long CpuNanoseconds()
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        _ = ClockGetTime(threadClock, out var time);
        return (time.Seconds * 1_000_000_000) + time.Nanoseconds;
    }

    /// <summary>How often it left its core so far: because it waited for something, and because others were given the core.</summary>
    public static (long Waited, long Preempted) Switches()
    {
        if (!IsKnown)
            return default;
        _ = GetUsage(thisThread, out var usage);
        return (usage.Voluntary, usage.Involuntary);
    }

    [DllImport("libc", EntryPoint = "clock_gettime")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int ClockGetTime(int clock, out TimeSpec time);

    [DllImport("libc", EntryPoint = "getrusage")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    static extern int GetUsage(int who, out Usage usage);

    [StructLayout(LayoutKind.Sequential)]
    struct TimeSpec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    // struct rusage of 64-bit Linux: two times of two words each, fourteen words; the last two count the switches.
    [StructLayout(LayoutKind.Explicit, Size = 144)]
    struct Usage
    {
        [FieldOffset(128)]
        public long Voluntary;
        [FieldOffset(136)]
        public long Involuntary;
    }
}
